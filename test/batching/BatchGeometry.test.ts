import * as THREE from 'three';
import { expect, test } from 'vitest';
import { BatchGeometry, BatchMemory, type PlacedGeometry } from '../../src/batching/BatchGeometry.js';
import type { Levels } from '../../src/batching/levels/makeLevels.js';
import { MaterialGeometryCache } from '../../src/batching/MaterialGeometryCache.js';
import { Card } from '../helpers/Card.js';
import { random } from '../helpers/random.js';
import { seeds } from '../helpers/width.js';

const MATERIAL = new THREE.MeshBasicMaterial();

/** Positions of what is drawn of a geometry, corner by corner. */
function corners(geometry: THREE.BufferGeometry): number[] {
  const { index, attributes } = geometry;
  const numbers = Array.from({ length: (index ?? attributes.position).count }, (_, i) => index?.getX(i) ?? i);
  return numbers.flatMap((at) => [0, 1, 2].map((axis) => attributes.position.getComponent(at, axis)));
}

/** The same of the levels that are known of a geometry. */
function coarserCorners({ known }: PlacedGeometry): number[] {
  const { position } = known.geometry.attributes;
  return [...(known.levels?.index ?? [])].flatMap((at) => [0, 1, 2].map((axis) => position.getComponent(at, axis)));
}

/** The same of what a card has, and then of the levels of detail that it has. */
function cornersOn(card: Card, { geometry }: THREE.BatchedMesh, placed: PlacedGeometry): number[] {
  const { start, levels } = placed;
  const { geometry: drawn } = placed.known;
  const all = cornersAt(card, geometry, start, (drawn.index ?? drawn.attributes.position).count);
  return levels === null ? all : [...all, ...cornersAt(card, geometry, levels.start, levels.length)];
}

function cornersAt(card: Card, geometry: THREE.BufferGeometry, start: number, length: number): number[] {
  const { index, attributes } = geometry;
  const positions = card.read(attributes.position as THREE.BufferAttribute);
  const numbers = index && card.read(index);
  return Array.from({ length }, (_, i) => numbers?.[start + i] ?? start + i).flatMap((at) => [
    positions[3 * at],
    positions[3 * at + 1],
    positions[3 * at + 2],
  ]);
}

function interleaved(): THREE.BufferGeometry {
  const from = new THREE.ConeGeometry(1, 1, 5).deleteAttribute('normal').deleteAttribute('uv');
  const buffer = new THREE.InterleavedBuffer(new Float32Array(4 * from.attributes.position.count), 4);
  const to = new THREE.InterleavedBufferAttribute(buffer, 3, 1);
  for (let i = 0; i < to.count; i++) to.setXYZ(i, ...(new Array(3).fill(0.1 * i) as [number, number, number]));
  return from.setAttribute('position', to);
}

/** Parts of one ball, with its vertices in common. */
function parts(): THREE.BufferGeometry[] {
  const ball = new THREE.SphereGeometry(1, 8, 6).deleteAttribute('normal').deleteAttribute('uv');
  const all = [...(ball.index as THREE.BufferAttribute).array];
  return [0, 60, 120].map((first) => {
    const part = new THREE.BufferGeometry().setIndex(all.slice(first, first + 60));
    return part.setAttribute('position', ball.attributes.position);
  });
}

/** Some of the triangles of a geometry as its levels of detail. */
function levelsOf({ index }: THREE.BufferGeometry, next: () => number): Levels | null {
  if (index === null) return null;
  const some = [0.5, 0.25].map((share) => {
    const triangles = Math.ceil((share * index.count) / 3);
    const first = Math.floor((next() * (index.count - 3 * triangles)) / 3);
    return Array.from({ length: 3 * triangles }, (_, i) => index.getX(3 * first + i));
  });
  return { index: Uint32Array.from(some.flat()), counts: some.map(({ length }) => length), errors: [0.1, 0.2] };
}

/** Moves a vertex or turns triangles, and uploads all, or that alone. */
function edit({ attributes, index }: THREE.BufferGeometry, next: () => number): void {
  const position = attributes.position as THREE.BufferAttribute | THREE.InterleavedBufferAttribute;
  const buffer = 'data' in position ? position.data : position;
  const [stride, offset] = 'data' in position ? [position.data.stride, position.offset] : [3, 0];
  for (const uploaded of [buffer, index]) uploaded?.clearUpdateRanges();
  const vertex = Math.floor(next() * position.count);
  position.setX(vertex, next());
  if (next() < 0.5) buffer.addUpdateRange(stride * vertex + offset, 1);
  buffer.needsUpdate = true;
  if (index === null || next() < 0.5) return;
  const start = Math.floor(next() * (index.count - 9));
  index.array.subarray(start, start + 9).reverse();
  if (next() < 0.5) index.addUpdateRange(start, 9);
  index.needsUpdate = true;
}

const box = (): THREE.BufferGeometry => new THREE.BoxGeometry().deleteAttribute('normal').deleteAttribute('uv');

test.each(seeds(8, 2))('graphics cards have each geometry, whatever comes, goes and changes; seed %i', (seed) => {
  const next = random(seed);
  const batch = new THREE.BatchedMesh(1, 0, 0, MATERIAL);
  const memory = new BatchMemory(1e6);
  const shapes = new BatchGeometry(batch, memory, () => false);
  const looks = new MaterialGeometryCache(true, () => {});
  const card = new Card();
  const offered = [...Array.from({ length: 5 }, box), interleaved(), interleaved(), ...parts(), ...parts()];
  const held: PlacedGeometry[] = [];
  let leveled = 0;
  for (let step = 0; step < 300; step++) {
    looks.frame++;
    const geometry = offered[Math.floor(next() * offered.length)];
    const act = next();
    if (act < 0.4) {
      const shape = shapes.use(looks.geometry(geometry));
      if (shape !== null) held.push(shape);
    } else if (act < 0.65 && held.length > 0) {
      shapes.drop(held.splice(Math.floor(next() * held.length), 1)[0]);
    } else if (act < 0.8) {
      const known = looks.geometry(geometry);
      known.levels ??= levelsOf(geometry, next);
      shapes.addLevels(known);
    } else {
      edit(geometry, next);
    }
    for (const shape of held) {
      looks.geometry(shape.known.geometry);
      if (!shapes.update(shape)) continue;
      // What changes too often is left as it is by those who ask.
      const all = [...corners(shape.known.geometry), ...(shape.levels === null ? [] : coarserCorners(shape))];
      leveled += shape.levels === null ? 0 : 1;
      expect(cornersOn(card, batch, shape), `step ${step}`).toEqual(all.map(Math.fround));
    }
    expect(memory.used).toBe(shapes.bytes);
  }
  expect(leveled).toBeGreaterThan(100);
});

test('geometries that have their vertices in common have them once', () => {
  const batch = new THREE.BatchedMesh(1, 0, 0, MATERIAL);
  const shapes = new BatchGeometry(batch, new BatchMemory(1e6), () => false);
  const looks = new MaterialGeometryCache(true, () => {});
  const all = parts();
  for (const part of all) shapes.use(looks.geometry(part));
  expect(batch.geometry.attributes.position.count).toBe(all[0].attributes.position.count);
});
