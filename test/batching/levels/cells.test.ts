import { type BufferGeometry, IcosahedronGeometry, PlaneGeometry, SphereGeometry, TorusKnotGeometry } from 'three';
// @ts-expect-error three has no types of it.
import { MeshoptSimplifier } from 'three/addons/libs/meshopt_simplifier.module.js';
import { beforeAll, expect, it } from 'vitest';
import { type Cells, type LevelSource, type Levels, levelsOf } from '../../../src/batching/levels/makeLevels.js';
import { random } from '../../helpers/random.js';

beforeAll(() => MeshoptSimplifier.ready);

function sourceOf(geometry: BufferGeometry, textured = false): LevelSource {
  const { position, normal, uv } = geometry.attributes;
  const index = geometry.index?.array ?? Array.from({ length: position.count }, (_, i) => i);
  return {
    positions: Float32Array.from(position.array),
    attributes: [
      { numbers: Float32Array.from(normal.array), weight: 0.5, isTexture: false },
      ...(textured ? [{ numbers: Float32Array.from(uv.array), weight: 1, isTexture: true }] : []),
    ],
    index: Uint32Array.from(index),
    inCells: true,
  };
}

function hills(side: number): BufferGeometry {
  const next = random(9);
  const geometry = new PlaneGeometry(100, 100, side, side);
  const { position } = geometry.attributes;
  const waves = Array.from({ length: 6 }, (_, k) => ({
    x: next() * 2 ** (k - 3),
    y: next() * 2 ** (k - 3),
    phase: 6 * next(),
  }));
  for (let i = 0; i < position.count; i++) {
    const z = waves.reduce(
      (sum, w, k) => sum + 6 * 2 ** -k * Math.sin(w.x * position.getX(i) + w.y * position.getY(i) + w.phase),
      0,
    );
    position.setZ(i, z);
  }
  geometry.computeVertexNormals();
  return geometry;
}

interface Part {
  readonly index: Uint32Array;
  readonly error: number;
}

/** The levels of each cell. */
function partsOf({ index, counts, errors, cells }: Levels): Part[][] {
  let [at, k] = [0, 0];
  return (cells as Cells).levels.map((length) =>
    Array.from({ length }, () => {
      const part = { index: index.subarray(at, at + counts[k]), error: errors[k] };
      at += counts[k++];
      return part;
    }),
  );
}

/** The sides of triangles that belong to one of them, by where their ends lie: seams of three's balls meet to within rounding. */
function bordersOf(index: Uint32Array, positions: Float32Array): string {
  const sides = new Map<string, number>();
  const key = (i: number): string =>
    positions
      .subarray(3 * index[i], 3 * index[i] + 3)
      .map((x) => Math.round(1e5 * x) / 1e5 + 0)
      .join();
  for (let i = 0; i < index.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const ends = [key(i + k), key(i + ((k + 1) % 3))].sort();
      const side = ends.join(' ');
      if (ends[0] === ends[1]) continue;
      sides.set(side, (sides.get(side) ?? 0) + 1);
    }
  }
  return [...sides]
    .flatMap(([side, count]) => (count % 2 === 1 ? [side] : []))
    .sort()
    .join('\n');
}

const CASES: readonly [name: string, geometry: () => BufferGeometry, textured?: boolean][] = [
  ['hills', () => hills(80)],
  ['hills with a texture', () => hills(60), true],
  ['a knot with a seam', () => new TorusKnotGeometry(1, 0.3, 300, 20), true],
  ['a ball without an index', () => new SphereGeometry(1, 80, 50).toNonIndexed()],
];

it.each(CASES)('cells of %s hold each triangle once, and their borders stay at all levels', (_name, make, textured) => {
  const source = sourceOf(make(), textured);
  const made = levelsOf(source, MeshoptSimplifier);
  const triangles = source.index.length / 3;
  const cells = partsOf(made);
  expect(cells).toHaveLength(Math.ceil(triangles / 2000));
  const namesOf = (index: Uint32Array): string[] =>
    Array.from({ length: index.length / 3 }, (_, i) => index.subarray(3 * i, 3 * i + 3).join());
  expect(cells.flatMap(([whole]) => namesOf(whole.index)).sort()).toEqual(namesOf(source.index).sort());
  for (const [i, [whole, ...levels]] of cells.entries()) {
    expect(whole.error).toBe(0);
    expect(Math.abs(whole.index.length / 3 - triangles / cells.length)).toBeLessThan(cells.length);
    const [ax, ay, az, bx, by, bz] = (made.cells as Cells).boxes.subarray(6 * i);
    const isHeld = whole.index.every((vertex) => {
      const [px, py, pz] = source.positions.subarray(3 * vertex);
      return px >= ax && px <= bx && py >= ay && py <= by && pz >= az && pz <= bz;
    });
    expect(isHeld).toBe(true);
    const borders = bordersOf(whole.index, source.positions);
    for (const { index } of levels) expect(bordersOf(index, source.positions) === borders).toBe(true);
    expect(levels.length).toBeGreaterThan(1);
  }
});

it.each([1, 2, 3])('a closed surface stays closed, whichever level each cell has; seed %i', (seed) => {
  const next = random(seed);
  const source = sourceOf(new IcosahedronGeometry(1, 30));
  for (const numbers of [source.positions, source.attributes[0].numbers]) {
    // Corners of neighbours are equal to within rounding.
    for (let i = 0; i < numbers.length; i++) numbers[i] = Math.round(numbers[i] * 4096) / 4096;
  }
  const cells = partsOf(levelsOf(source, MeshoptSimplifier));
  expect(bordersOf(source.index, source.positions)).toBe('');
  const mixed = cells.map((levels) => levels[Math.floor(next() * levels.length)].index);
  const all = Uint32Array.from(mixed.flatMap((index) => [...index]));
  expect(all.length).toBeLessThan(0.6 * source.index.length);
  expect(bordersOf(all, source.positions)).toBe('');
});
