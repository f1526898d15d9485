import * as THREE from 'three';
import { expect, test } from 'vitest';
import { BatchGeometry } from '../../src/batching/BatchGeometry.js';
import { BatchMemory } from '../../src/batching/BatchMemory.js';
import type { KnownGeometry } from '../../src/batching/KnownGeometry.js';
import { LeveledPart } from '../../src/batching/LeveledPart.js';
import { MaterialGeometryCache } from '../../src/batching/MaterialGeometryCache.js';
import type { PlacedGeometry } from '../../src/batching/PlacedGeometry.js';
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

/** The same of the levels of a part that lie here, from fine to coarse. */
function coarserCorners({ known, levels: [placed] }: PlacedGeometry): number[] {
  const { position } = known.geometry.attributes;
  const { index, counts } = placed.of;
  const skipped = counts.slice(0, counts.length - placed.counts.length).reduce((sum, count) => sum + count, 0);
  return [...index.subarray(skipped)].flatMap((at) => [0, 1, 2].map((axis) => position.getComponent(at, axis)));
}

/** The same of what a card has, and then of the levels of detail that it has. */
function cornersOn(card: Card, { geometry }: THREE.BatchedMesh, placed: PlacedGeometry): number[] {
  const { start, levels } = placed;
  const { geometry: drawn } = placed.known;
  const all = cornersAt(card, geometry, start, (drawn.index ?? drawn.attributes.position).count);
  const ranges = levels.flatMap(({ offsets, counts }) => offsets.map((offset, k) => [start + offset, counts[k]]));
  return [...all, ...ranges.flatMap(([first, count]) => cornersAt(card, geometry, first, count))];
}

function cornersAt(card: Card, geometry: THREE.BufferGeometry, start: number, length: number): number[] {
  const { index, attributes } = geometry;
  const { position } = attributes;
  const source = 'data' in position ? position.data : position;
  const positions = card.read(source as THREE.BufferAttribute);
  const [stride, offset] = 'data' in position ? [position.data.stride, position.offset] : [3, 0];
  const numbers = index && card.read(index);
  return Array.from({ length }, (_, i) => numbers?.[start + i] ?? start + i).flatMap((at) => [
    positions[stride * at + offset],
    positions[stride * at + offset + 1],
    positions[stride * at + offset + 2],
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

/** All of a geometry with some of its triangles as levels of detail, and with more of them when asked again. */
function partOf(known: KnownGeometry, next: () => number, all: Map<unknown, LeveledPart>): LeveledPart {
  const count = known.indexCount;
  let part = all.get(known.geometry);
  if (part === undefined || part.isOld) part = new LeveledPart(known, { start: 0, count });
  all.set(known.geometry, part);
  const { index } = known.geometry;
  const shares = part.levels === null ? [0.25] : [0.5, 0.25];
  const some = shares.map((share) => {
    const triangles = Math.ceil((share * count) / 3);
    return Array.from({ length: 3 * triangles }, (_, i) => index?.getX(i) ?? i);
  });
  if (next() < 0.2) part.weighed++;
  const errors = shares.map((share) => 0.1 / share);
  part.levels = { index: Uint32Array.from(some.flat()), counts: some.map(({ length }) => length), errors };
  return part;
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

/** One with enough triangles for levels of detail, some of these without an index. */
function box(i: number, isLeveled: boolean): THREE.BufferGeometry {
  const made = new THREE.BoxGeometry(1, 1, 1, 5, 5, 4).deleteAttribute('normal').deleteAttribute('uv');
  return isLeveled && i % 3 === 1 ? made.toNonIndexed() : made;
}

test.each(seeds(8))('graphics cards have each geometry, whatever comes, goes and changes; seed %i', (seed) => {
  const next = random(seed);
  const batch = new THREE.BatchedMesh(1, 0, 0, MATERIAL);
  const memory = new BatchMemory(1e6);
  const isLeveled = seed % 4 > 0;
  const shapes = new BatchGeometry(
    batch,
    memory,
    () => false,
    isLeveled,
    () => seed % 2 > 0,
  );
  const looks = new MaterialGeometryCache(true, () => {}, isLeveled);
  const known = new Map<THREE.BufferGeometry, LeveledPart>();
  const card = new Card();
  const offered = [
    ...Array.from({ length: 5 }, (_, i) => box(i, isLeveled)),
    interleaved(),
    interleaved(),
    ...parts(),
    ...parts(),
  ];
  const held: PlacedGeometry[] = [];
  let leveled = 0;
  for (let step = 0; step < 200; step++) {
    looks.frame++;
    memory.beginPicture();
    const geometry = offered[Math.floor(next() * offered.length)];
    const act = next();
    if (act < 0.4) {
      if (next() < 0.3) shapes.reserve(offered.slice(step % 9, 1 + (step % 11)).map((each) => looks.geometry(each)));
      const shape = shapes.use(looks.geometry(geometry));
      if (shape !== null) held.push(shape);
    } else if (act < 0.65 && held.length > 0) {
      shapes.drop(held.splice(Math.floor(next() * held.length), 1)[0]);
    } else if (act < 0.8) {
      shapes.addLevels(partOf(looks.geometry(geometry), next, known));
      memory.share = next() < 0.5 ? 1000 : 1e6;
      memory.copyLevels();
    } else {
      edit(geometry, next);
    }
    for (const shape of held) {
      looks.geometry(shape.known.geometry);
      if (!shapes.update(shape)) continue;
      // What changes too often is left as it is by those who ask.
      const all = [...corners(shape.known.geometry), ...(shape.levels.length === 0 ? [] : coarserCorners(shape))];
      leveled += shape.levels[0]?.counts.length ?? 0;
      expect(cornersOn(card, batch, shape), `step ${step}`).toEqual(all.map(Math.fround));
    }
    if (held.length > 0) shapes.drawn();
    expect(memory.used).toBe(shapes.bytes);
  }
  if (isLeveled) expect(leveled).toBeGreaterThan(20);
});

test('geometries that have their vertices in common have them once', () => {
  const batch = new THREE.BatchedMesh(1, 0, 0, MATERIAL);
  const shapes = new BatchGeometry(batch, new BatchMemory(1e6), () => false);
  const looks = new MaterialGeometryCache(true, () => {});
  const all = parts();
  for (const part of all) shapes.use(looks.geometry(part));
  expect(batch.geometry.attributes.position.count).toBe(all[0].attributes.position.count);
});
