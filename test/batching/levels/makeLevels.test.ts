import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  DataUtils,
  Float16BufferAttribute,
  IcosahedronGeometry,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  LatheGeometry,
  Matrix3,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  TorusKnotGeometry,
  Vector2,
  Vector3,
} from 'three';
import { TeapotGeometry } from 'three/addons/geometries/TeapotGeometry.js';
// @ts-expect-error three has no types of it.
import { MeshoptSimplifier } from 'three/addons/libs/meshopt_simplifier.module.js';
import { mergeGeometries, mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';
import { MeshBVH } from 'three-mesh-bvh';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CopiedSource, drawableLevels, levelSourceOf, namedVertices } from '../../../src/batching/levelSource.js';
import { type Levels, levelsOf } from '../../../src/batching/levels/makeLevels.js';
import { makeLevels } from '../../../src/levels.js';
import { random } from '../../helpers/random.js';
import { atWidth } from '../../helpers/width.js';

beforeAll(() => MeshoptSimplifier.ready);

const POINTS = atWidth(3000, 500);

const GEOMETRIES: readonly [name: string, make: () => BufferGeometry][] = [
  ['a knot', () => new TorusKnotGeometry(1, 0.3, 200, 24)],
  ['a ball', () => new SphereGeometry(3, 64, 48)],
  ['a ring', () => new TorusGeometry(10, 2, 32, 96)],
  ['a box of many faces', () => new BoxGeometry(1, 2, 3, 16, 16, 16)],
  ['a cylinder', () => new CylinderGeometry(1, 1, 4, 64, 24)],
  ['a cone', () => new ConeGeometry(0.01, 0.03, 96, 24)],
  ['a capsule', () => new CapsuleGeometry(500, 900, 24, 48)],
  ['a ball of welded triangles', () => mergeVertices(new IcosahedronGeometry(1, 20))],
  ['a vase', () => new LatheGeometry(vase(), 72)],
  ['hills', () => hills(48)],
  ['hills of a thousand small steps', () => hills(48, 0.05)],
  ['a teapot', () => mergeVertices(new TeapotGeometry(1, 12))],
  ['a ball with antennas', () => withParts(() => new ConeGeometry(0.004, 0.6, 4))],
  ['a ball with ropes', () => withParts(() => new CylinderGeometry(0.004, 0.004, 0.8, 5, 6))],
  ['a ball with needles drawn out of it', () => needles(atWidth(24, 16))],
  ['a ball without an index', () => new IcosahedronGeometry(1, 16)],
  ['a knot of flat triangles', () => flat(new TorusKnotGeometry(1, 0.3, 120, 20))],
  ['a house of hard edges', () => house()],
];

describe.each(GEOMETRIES)('levels of %s', (_name, make) => {
  const geometry = make();
  let levels: Levels;
  beforeAll(() => {
    levels = run(geometry);
  });

  it('have fewer triangles each, of vertices that are there, and larger errors', () => {
    const { counts, errors, index } = levels;
    expect(counts.length).toBeGreaterThan(0);
    const all = [indexOf(geometry).length, ...counts];
    for (const [i, count] of counts.entries()) expect(count).toBeLessThanOrEqual(0.75 * all[i]);
    expect(index.length).toBeLessThanOrEqual(1.25 * all[0]);
    expect([...errors].sort((a, b) => a - b)).toEqual(errors);
    expect(errors[0]).toBeGreaterThan(0);
    expect(index.length).toBe(counts.reduce((a, b) => a + b));
    expect(Math.max(...index)).toBeLessThan(geometry.attributes.position.count);
  });

  it('lie as near to it, and it to them, as they declare: all vertices, points of both, and middles', () => {
    const whole = new Surface(geometry, indexOf(geometry));
    const points = whole.points(POINTS);
    let start = 0;
    for (const [i, count] of levels.counts.entries()) {
      const level = new Surface(geometry, levels.index.subarray(start, start + count));
      start += count;
      const onLevel = [...level.points(POINTS), ...level.middles()];
      const distance = Math.max(level.farthestOf(points), whole.farthestOf(onLevel));
      expect(distance, `level ${i} of ${count / 3} triangles`).toBeLessThanOrEqual(levels.errors[i]);
    }
  });
});

const TEXTURED: readonly [name: string, make: () => BufferGeometry][] = [
  ['a ball', () => new SphereGeometry(1, 64, 48)],
  ['a knot', () => new TorusKnotGeometry(0.7, 0.25, 140, 24)],
  ['a vase, bent', () => bent(new LatheGeometry(vase(), 72), 0.06)],
  ['a ring, bent', () => bent(new TorusGeometry(10, 3, 32, 96), 0.05)],
  ['a sheet, bent', () => bent(new PlaneGeometry(2, 2, 48, 48), 0.05)],
  ['a knot of flat triangles', () => flat(new TorusKnotGeometry(0.7, 0.25, 72, 16))],
  ['a vase of flat triangles, bent', () => flat(bent(new LatheGeometry(vase(), 32), 0.06))],
];

/** As an index leads to them, or one after the other. */
const indexOf = ({ index, attributes }: BufferGeometry): Uint32Array =>
  Uint32Array.from(index?.array ?? { length: attributes.position.count }, (corner, v) => corner ?? v);

describe.each(TEXTURED)('a texture on %s', (_name, make) => {
  it('slides by less than twice what levels declare at 99 of 100 points, and by four times as much at all', () => {
    const geometry = make();
    const levels = run(geometry, 1);
    const points = new Surface(geometry, indexOf(geometry)).texturedPoints(POINTS / 5);
    let start = 0;
    for (const [i, count] of levels.counts.entries()) {
      const level = new Surface(geometry, levels.index.subarray(start, start + count));
      start += count;
      const slides = points.map((point) => level.distanceOfTexture(...point) / levels.errors[i]);
      expect(slides.filter((slide) => slide > 2).length, `level ${i}`).toBeLessThanOrEqual(points.length / 100);
      expect(Math.max(...slides), `level ${i}`).toBeLessThanOrEqual(4);
    }
    expect(levels.counts.length).toBeGreaterThan(2);
  });
});

it('depends neither on the repeat of a texture nor on the units of its coordinates', () => {
  const scaled = (x: number, y: number): BufferGeometry => {
    const geometry = bent(new TorusGeometry(10, 3, 32, 96), 0.05);
    (geometry.attributes.uv as BufferAttribute).applyMatrix3(new Matrix3().makeScale(x, y));
    return geometry;
  };
  expect(run(scaled(2 ** 9, 2 ** -6), 1)).toEqual(run(scaled(1, 1), 1));
});

/** Hills with a texture at these coordinates. */
function ramp(at: (x: number, y: number, z: number) => [number, number]): BufferGeometry {
  const geometry = hills(48);
  const { position, uv } = geometry.attributes;
  for (let i = 0; i < uv.count; i++) uv.setXY(i, ...at(position.getX(i), position.getY(i), position.getZ(i)));
  return geometry;
}

it.each<[string, (x: number, y: number, z: number) => [number, number]]>([
  ['by height, all in one column', (_x, _y, z) => [0.5, z]],
  ['by height, all in one row', (_x, _y, z) => [z, 0.5]],
  ['along one side', (x) => [x, 0]],
  ['along the diagonal', (x, y) => [x + y, x + y]],
  ['the same all over', () => [0.25, 0.75]],
  ['as it is, far from 0', (x, y) => [x + 5000, y - 3000]],
])('a texture %s leaves about as many levels as one that lies flat', (_name, at) => {
  const [flat, found] = [
    run(
      ramp((x, y) => [x, y]),
      1,
    ),
    run(ramp(at), 1),
  ];
  expect(found.counts.length).toBeGreaterThanOrEqual(flat.counts.length - 1);
  expect(found.errors[0] / flat.errors[0]).toBeLessThan(4);
});

it('a texture along one line is bounded as well', () => {
  const along = (to: (x: number) => number): Levels =>
    run(
      ramp((x) => [to(x), to(x)]),
      1,
    );
  const bentLine = along((x) => x + 0.05 * Math.sin(30 * x));
  expect(bentLine.errors[1] / along((x) => x).errors[1]).toBeGreaterThan(1.5);
});

it('finds the vertices that an index names, wherever they lie', () => {
  const next = random(11);
  for (const span of [3, 40, 1000, 100_000]) {
    const index = Uint32Array.from({ length: 300 }, () => 7 + Math.floor(span * next()));
    const geometry = new BufferGeometry().setIndex(new BufferAttribute(index, 1));
    const [{ first, count, vertices }, places] = finished(namedVertices(geometry, { start: 30, count: 270 }));
    expect(places.map((place) => vertices?.[place] ?? first + place)).toEqual(index.subarray(30));
    expect(count).toBe(vertices?.length ?? Math.max(...index.subarray(30)) - first + 1);
    expect(count).toBeLessThanOrEqual(2 * 270);
  }
});

it('weighs the sets of texture coordinates that are asked for, and no others', () => {
  const sheet = (name: string): BufferGeometry => {
    const geometry = new PlaneGeometry(2, 2, 48, 48);
    return geometry.setAttribute(name, bent(new PlaneGeometry(2, 2, 48, 48), 0.05).attributes.uv);
  };
  const flat = run(new PlaneGeometry(2, 2, 48, 48));
  for (const [set, name] of ['uv', 'uv1', 'uv2', 'uv3'].entries()) {
    const geometry = sheet(name);
    expect(run(geometry, 1 << set)).toEqual(run(sheet('uv'), 1));
    expect(run(geometry, 0)).toEqual(flat);
    // Unbent, what lies in the first set holds nothing back.
    if (set > 0) expect(run(geometry, 1).counts).toEqual(flat.counts);
  }
});

it('has no level of few triangles', () => {
  expect(run(new BoxGeometry()).counts).toEqual([]);
});

it('takes no vertices of others that it shares its attributes with', () => {
  const alone = new TorusKnotGeometry(1, 0.3, 80, 16);
  const shared = mergeGeometries([new BoxGeometry(90, 90, 90, 8, 8, 8), alone, new BoxGeometry()]);
  const first = shared.attributes.position.count - 24 - alone.attributes.position.count;
  shared.setIndex([...(alone.index?.array ?? [])].map((vertex) => vertex + first));
  const levels = run(alone);
  expect(run(shared)).toEqual({ ...levels, index: levels.index.map((vertex) => vertex + first) });
  expect(copyOf(shared, 1).source.positions.length).toBe(3 * alone.attributes.position.count);
});

const KINDS: readonly [
  name: string,
  make: (attribute: BufferAttribute) => BufferAttribute | InterleavedBufferAttribute,
][] = [
  ['half floats', half],
  ['interleaved half floats', (attribute) => interleaved(half(attribute))],
  ['interleaved floats', interleaved],
  ['normalised shorts', (attribute) => short(attribute)],
];

it.each(KINDS)('reads %s as shaders do', (_name, make) => {
  const geometry = new TorusKnotGeometry(0.3, 0.1, 64, 12);
  const others = geometry.clone();
  for (const name of ['position', 'normal', 'uv']) others.setAttribute(name, make(geometry.attributes[name] as never));
  const [read, expected] = [others, geometry].map((from) => copyOf(from, 1).source);
  for (const [i, { numbers }] of [{ numbers: read.positions }, ...read.attributes].entries()) {
    const exact = [{ numbers: expected.positions }, ...expected.attributes][i].numbers;
    expect(Math.max(...numbers.map((x, j) => Math.abs(x - exact[j])))).toBeLessThan(1e-3);
  }
  expect(run(others).counts.length).toBeGreaterThan(2);
});

it('makes one vertex of equal ones, and names the first of them', () => {
  const indexed = new TorusKnotGeometry(1, 0.3, 120, 20);
  const parted = indexed.toNonIndexed();
  const [expected, found] = [run(indexed, 1), run(parted, 1)];
  expect(found.counts).toEqual(expected.counts);
  for (const [k, error] of found.errors.entries()) expect(error / expected.errors[k]).toBeCloseTo(1, 1);
  const first = new Map<number, number>();
  for (const [at, vertex] of indexOf(indexed).entries()) if (!first.has(vertex)) first.set(vertex, at);
  const names = new Set(first.values());
  expect([...found.index].filter((vertex) => !names.has(vertex))).toEqual([]);
});

it('tells vertices apart that differ in anything given', () => {
  const faceted = flat(new TorusKnotGeometry(1, 0.3, 120, 20));
  const smooth = flat(new TorusKnotGeometry(1, 0.3, 120, 20)).deleteAttribute('normal');
  const corners = (geometry: BufferGeometry): number => new Set(run(geometry).index).size;
  expect(corners(faceted)).toBeGreaterThan(1.5 * corners(smooth));
});

it('leaves the border between two halves of an index where it is, in all levels', () => {
  const ball = new SphereGeometry(1, 48, 32);
  const { array } = ball.index as BufferAttribute;
  const halves = [array.slice(0, array.length / 2), array.slice(array.length / 2)];
  const [above, below] = halves.map((half) => new Set(half));
  const shared = [...above].filter((vertex) => below.has(vertex));
  expect(shared.length).toBeGreaterThan(40);
  for (const half of halves) {
    const levels = run(ball.clone().setIndex([...half]));
    expect(levels.counts.length).toBeGreaterThan(2);
    for (const level of levelsIn(levels)) expect(shared.filter((vertex) => !level.includes(vertex))).toEqual([]);
  }
});

it('hands out coarse levels of a large geometry first', () => {
  const geometry = new TorusKnotGeometry(1, 0.3, 1250, 40);
  const taken: Levels[] = [];
  const levels = run(geometry, 0, (some) => taken.push(some));
  const [first] = taken;
  const triangles = indexOf(geometry).length;
  expect(first.counts[0]).toBeLessThan(triangles / 16);
  expect(taken.at(-1)).toEqual(levels);
  expect(levels.index.length).toBeLessThanOrEqual(1.25 * triangles);
  expect(levels.counts[0]).toBeGreaterThan(triangles / 2);
  for (const [i, { index, counts, errors }] of taken.entries()) {
    expect(counts.length).toBeGreaterThan(i === 0 ? 0 : taken[i - 1].counts.length);
    expect([...counts].sort((a, b) => b - a)).toEqual(counts);
    expect([...errors].sort((a, b) => a - b)).toEqual(errors);
    expect(index.length).toBe(counts.reduce((a, b) => a + b));
  }
  for (const [k, count] of levels.counts.entries())
    if (k > 0) expect(count / levels.counts[k - 1]).toBeGreaterThan(0.4);
  const whole = new Surface(geometry, indexOf(geometry));
  const level = new Surface(geometry, levelsIn(first)[0]);
  expect(whole.farthestOf(level.points(POINTS))).toBeLessThanOrEqual(first.errors[0]);
  expect(level.farthestOf(whole.points(POINTS))).toBeLessThanOrEqual(first.errors[0]);
});

it('makes levels where the simplifier is not at hand', async () => {
  const { source } = copyOf(new TorusKnotGeometry(1, 0.3, 80, 16));
  expect(await makeLevels(source)).toEqual(levelsOf(source, MeshoptSimplifier));
});

it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e38, 0])('makes sound levels or none where corners are %d', (x) => {
  for (const every of [1, 40]) {
    const geometry = new TorusKnotGeometry(1, 0.3, 80, 16);
    const { position } = geometry.attributes;
    for (let v = 0; v < position.count; v += every) position.setXYZ(v, x, x, x);
    const { index, counts, errors } = run(geometry, 1);
    expect(index.length).toBe(counts.reduce((a, b) => a + b, 0));
    expect(errors.filter((error) => !(error < Number.POSITIVE_INFINITY))).toEqual([]);
  }
});

it('leaves open borders where they are, so that tiles meet', () => {
  const geometry = hills(32);
  const { index, counts } = run(geometry);
  const last = new Set(index.subarray(index.length - (counts.at(-1) as number)));
  const { position } = geometry.attributes;
  const isBorder = (v: number): boolean => Math.abs(position.getX(v)) === 0.5 || Math.abs(position.getY(v)) === 0.5;
  const border = Array.from({ length: position.count }, (_, v) => v).filter(isBorder);
  expect(border.filter((v) => !last.has(v))).toEqual([]);
});

function run(geometry: BufferGeometry, sets = 0, take?: (levels: Levels) => void): Levels {
  const { source, names } = copyOf(geometry, sets);
  return finished(drawableLevels(levelsOf(source, MeshoptSimplifier, take), names, false));
}

function copyOf(geometry: BufferGeometry, sets = 0): CopiedSource {
  return finished(levelSourceOf(geometry, { start: 0, count: indexOf(geometry).length }, sets));
}

function finished<T>(steps: Generator<void, T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** The index of each level. */
function levelsIn({ index, counts }: Levels): Uint32Array[] {
  let end = 0;
  return counts.map((count) => {
    end += count;
    return index.subarray(end - count, end);
  });
}

/** Triangles that share no vertex, each with a normal of its own. */
function flat(geometry: BufferGeometry): BufferGeometry {
  const parted = geometry.toNonIndexed();
  parted.computeVertexNormals();
  return parted;
}

/** A geometry on which a texture lies bent, smoothly and without folds. */
function bent(geometry: BufferGeometry, by: number): BufferGeometry {
  const { uv } = geometry.attributes;
  for (let i = 0; i < uv.count; i++) {
    const [u, v] = [uv.getX(i), uv.getY(i)];
    uv.setXY(i, u + by * Math.sin(9 * v), v + by * Math.sin(4 * Math.PI * u));
  }
  return geometry;
}

function half({ array, itemSize }: BufferAttribute): BufferAttribute {
  return new Float16BufferAttribute(Array.from(array, DataUtils.toHalfFloat), itemSize);
}

/** One of numbers from -1 to 1. */
function short({ array, itemSize }: BufferAttribute): BufferAttribute {
  return new BufferAttribute(
    Int16Array.from(array, (x) => Math.round(32767 * x)),
    itemSize,
    true,
  );
}

/** The same numbers, each item behind two of something else. */
function interleaved(attribute: BufferAttribute): InterleavedBufferAttribute {
  const { array, itemSize, count } = attribute;
  const stride = itemSize + 2;
  const Kind = array.constructor as new (length: number) => Float32Array;
  const buffer = new InterleavedBuffer(new Kind(stride * count).fill(7), stride);
  for (let i = 0; i < array.length; i++) {
    buffer.array[stride * Math.floor(i / itemSize) + 2 + (i % itemSize)] = array[i];
  }
  const { isFloat16BufferAttribute } = attribute as { isFloat16BufferAttribute?: boolean };
  return new InterleavedBufferAttribute(Object.assign(buffer, { isFloat16BufferAttribute }), itemSize, 2);
}

function vase(): Vector2[] {
  return Array.from({ length: 40 }, (_, i) => new Vector2(2 + Math.sin(i / 6) + Math.sin(i / 2) / 8, i / 8));
}

function hills(segments: number, step = 0): BufferGeometry {
  const geometry = new PlaneGeometry(1, 1, segments, segments);
  const position = geometry.attributes.position as BufferAttribute;
  for (let v = 0; v < position.count; v++) {
    const z = 0.1 * Math.sin(9 * position.getX(v)) * Math.cos(7 * position.getY(v));
    position.setZ(v, step === 0 ? z : step * Math.round(z / step));
  }
  geometry.computeVertexNormals();
  return geometry;
}

/** With positions alone. */
function bare(geometry: BufferGeometry): BufferGeometry {
  return geometry.deleteAttribute('uv').deleteAttribute('normal');
}

/** Vertices that are joined, and smooth normals. */
function smooth(geometry: BufferGeometry): BufferGeometry {
  const joined = mergeVertices(bare(geometry), 1e-7);
  joined.computeVertexNormals();
  return joined;
}

const body = (detail: number): BufferGeometry => smooth(new IcosahedronGeometry(1, detail));

/** A ball with five thin parts on it, of few vertices. */
function withParts(make: () => BufferGeometry): BufferGeometry {
  const parts = Array.from({ length: 5 }, (_, i) => {
    const at = new Vector3().setFromSphericalCoords(1, Math.acos(1 - (2 * i + 1) / 5), 2.4 * i);
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), at);
    return smooth(make().translate(0, 0.3, 0))
      .applyQuaternion(turn)
      .translate(at.x, at.y, at.z);
  });
  return mergeGeometries([body(atWidth(24, 16)), ...parts]);
}

/** A ball of which six vertices are drawn out, far, with the next ones close around them. */
function needles(detail: number): BufferGeometry {
  const geometry = body(detail);
  const { position } = geometry.attributes;
  const index = indexOf(geometry);
  for (let i = 0; i < 6; i++) {
    const tip = Math.floor(((i + 0.5) * position.count) / 6);
    const at = new Vector3().fromBufferAttribute(position as BufferAttribute, tip);
    const corners = Array.from(index, (vertex, k) => ({ vertex, t: Math.floor(k / 3) }));
    const triangles = new Set(corners.filter(({ vertex }) => vertex === tip).map(({ t }) => t));
    for (const vertex of new Set(corners.filter(({ t }) => triangles.has(t)).map((corner) => corner.vertex))) {
      const near = new Vector3().fromBufferAttribute(position as BufferAttribute, vertex);
      near.sub(at).setLength(0.002).add(at);
      position.setXYZ(vertex, near.x, near.y, near.z);
    }
    position.setXYZ(tip, 1.6 * at.x, 1.6 * at.y, 1.6 * at.z);
  }
  geometry.computeVertexNormals();
  return geometry;
}

/** Walls with windows, as hills of hard steps are: no normal of one face is that of the next. */
function house(): BufferGeometry {
  const windows = Array.from({ length: 12 }, (_, i) =>
    new CylinderGeometry(0.3, 0.3, 0.2, 10, 2).translate(-1.5 + (i % 4), -0.8 + Math.floor(i / 4), 3),
  );
  return flat(mergeGeometries([new BoxGeometry(4, 3, 6, 12, 12, 12), new ConeGeometry(4, 2, 12, 3), ...windows]));
}

/** Triangles, to which three-mesh-bvh finds distances. */
class Surface {
  readonly #bvh: MeshBVH;
  readonly #geometry: BufferGeometry;
  readonly #corners: readonly [Vector3, Vector2][];

  constructor({ attributes: { position, uv } }: BufferGeometry, index: ArrayLike<number>) {
    this.#geometry = new BufferGeometry().setAttribute('position', position).setIndex(Array.from(index));
    if (uv) this.#geometry.setAttribute('uv', uv);
    this.#corners = Array.from({ length: position.count }, (_, vertex) => this.#at([vertex], [1]));
    this.#bvh = new MeshBVH(this.#geometry.clone());
  }

  /** All corners, and as many points within, the same each time. */
  points(count: number): Vector3[] {
    return this.texturedPoints(count).map(([point]) => point);
  }

  /** The middles of all triangles and their sides. */
  middles(): Vector3[] {
    const { array = [] } = this.#geometry.index ?? {};
    const middles = Array.from({ length: array.length }, (_, i): Vector3[] => {
      const [a, b, c] = [0, 1, 2].map((k) => array[i - (i % 3) + ((i + k) % 3)]);
      const side = this.#at([a, b], [0.5, 0.5])[0];
      return i % 3 === 0 ? [side, this.#at([a, b, c], [1 / 3, 1 / 3, 1 / 3])[0]] : [side];
    });
    return middles.flat();
  }

  /** Points with what lies on them of a texture. */
  texturedPoints(count: number): [point: Vector3, uv: Vector2][] {
    const next = random(7);
    const { index } = this.#geometry;
    const numbers = index?.array ?? [];
    const corners = [...new Set(numbers)].map((v) => this.#at([v], [1]));
    const within = Array.from({ length: count }, () => {
      const t = 3 * Math.floor((next() * numbers.length) / 3);
      const [v, w] = [next(), next()].sort();
      return this.#at([numbers[t], numbers[t + 1], numbers[t + 2]], [v, w - v, 1 - w]);
    });
    return [...corners, ...within];
  }

  #at(vertices: readonly number[], shares: readonly number[]): [Vector3, Vector2] {
    const { position, uv } = this.#geometry.attributes;
    const [point, coordinates] = [new Vector3(), new Vector2()];
    for (const [i, vertex] of vertices.entries()) {
      point.addScaledVector(new Vector3().fromBufferAttribute(position as BufferAttribute, vertex), shares[i]);
      if (uv) coordinates.addScaledVector(new Vector2().fromBufferAttribute(uv as BufferAttribute, vertex), shares[i]);
    }
    return [point, coordinates];
  }

  /** How far a point is from the nearest with the same of a texture: 0 if none has, as at a border. */
  distanceOfTexture(point: Vector3, uv: Vector2): number {
    const { array = [] } = this.#geometry.index ?? {};
    let least = Number.POSITIVE_INFINITY;
    for (let t = 0; t < array.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => this.#corners[array[t + k]]);
      const [p, q, r] = [b[1].clone().sub(a[1]), c[1].clone().sub(a[1]), uv.clone().sub(a[1])];
      const area = p.cross(q);
      const [v, w] = [r.cross(q) / area, p.cross(r) / area];
      if (!(v > -0.02 && w > -0.02 && v + w < 1.02)) continue;
      const there = a[0].clone().multiplyScalar(1 - v - w);
      least = Math.min(least, there.addScaledVector(b[0], v).addScaledVector(c[0], w).distanceTo(point));
    }
    return least === Number.POSITIVE_INFINITY ? 0 : least;
  }

  farthestOf(points: readonly Vector3[]): number {
    const hit = { point: new Vector3(), distance: 0, faceIndex: 0 };
    const distances = points.map((point) => this.#bvh.closestPointToPoint(point, hit)?.distance ?? Number.NaN);
    return distances.reduce((most, distance) => Math.max(most, distance), 0);
  }
}
