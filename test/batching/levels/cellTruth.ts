import {
  BackSide,
  Box3,
  type BufferAttribute,
  type Camera,
  DoubleSide,
  Matrix4,
  type Mesh,
  Quaternion,
  type Side,
  Vector3,
} from 'three';
import { expect } from 'vitest';
import type { LeveledPart } from '../../../src/batching/LeveledPart.js';
import type { Levels } from '../../../src/batching/levels/makeLevels.js';
import { frustumOf } from '../../helpers/passes.js';
import type { Sight } from '../../helpers/sights.js';
import type { Crowd } from './Crowd.js';

/** A cell of a mesh: its triangles, the box around them in the frame of the mesh, and how far each of its levels is off. */
export interface Cell {
  readonly index: Uint32Array;
  readonly box: Box3;
  readonly errors: readonly number[];
}

/** The cells that have been made of a mesh, and where each of their levels is found by what it draws. */
interface MadeCells {
  readonly cells: readonly Cell[];
  readonly byHash: ReadonlyMap<string, readonly [cell: number, level: number]>;
}

const known = new WeakMap<Levels, MadeCells>();

/** Of the places that some numbers of an index name, bit by bit. */
function hashOf(positions: ArrayLike<number>, index: ArrayLike<number>, first = 0): string {
  const { buffer, byteOffset, length } = positions as Float32Array;
  const bits = new Int32Array(buffer, byteOffset, length);
  let hash = 0;
  for (let i = 0; i < index.length; i++)
    for (let k = 0; k < 3; k++) hash = Math.imul(hash ^ bits[3 * (index[i] - first) + k], 0x01000193) ^ (hash >>> 15);
  return `${index.length} ${hash}`;
}

/** The part of its geometry that a mesh draws, with the levels that have been made; null for one that has none. */
export function partOf(crowd: Crowd, mesh: Mesh): LeveledPart | null {
  return crowd.batches.states.get(mesh)?.draws[0]?.part ?? null;
}

/** The cells of a mesh; fails where none have been made. */
export function cellsOf(crowd: Crowd, mesh: Mesh): MadeCells {
  const levels = partOf(crowd, mesh)?.cells?.levels as Levels;
  const before = known.get(levels);
  if (before !== undefined) return before;
  const positions = mesh.geometry.attributes.position.array;
  const cells: Cell[] = [];
  const byHash = new Map<string, readonly [number, number]>();
  let [at, k] = [0, 0];
  for (const length of levels.cells?.levels ?? []) {
    const errors = levels.errors.slice(k, k + length);
    for (let level = 0; level < length; level++, k++) {
      const index = levels.index.subarray(at, at + levels.counts[k]);
      const points = [...index].map((vertex) => new Vector3().fromArray(positions, 3 * vertex));
      if (level === 0) cells.push({ index, errors, box: new Box3().setFromPoints(points) });
      byHash.set(hashOf(positions, index), [cells.length - 1, level]);
      at += index.length;
    }
  }
  const made = { cells, byHash };
  known.set(levels, made);
  return made;
}

/** The draws of a mesh in the last pass: by what they draw of its batch, and the numbers of its index that they have. */
export function drawsOf(crowd: Crowd, mesh: Mesh): { hash: string; count: number }[] {
  const { batch, slot } = crowd.placeOf(mesh);
  const { _multiDrawStarts: starts, _multiDrawCounts: counts, _multiDrawCount: length, geometry } = batch.mesh;
  const { data } = batch.mesh._indirectTexture.image;
  // Renderers would draw nothing of all, or what the card happens to have there.
  expect(length).toBeLessThanOrEqual(Math.min(starts.length, counts.length, data.length));
  const place = new Matrix4().fromArray(batch.mesh._matricesTexture.image.data, 16 * slot);
  place.premultiply(batch.mesh.matrixWorld);
  for (const [i, x] of place.elements.entries()) expect(Math.abs(x - mesh.matrixWorld.elements[i])).toBeLessThan(1e-4);
  const index = geometry.index?.array as Uint32Array;
  const draws: { hash: string; count: number }[] = [];
  for (let i = 0; i < length; i++) {
    if (data[i] !== slot) continue;
    const start = starts[i] / 4;
    const numbers = index.subarray(start, start + counts[i]);
    expect(numbers.length).toBe(counts[i]);
    draws.push({ hash: hashOf(geometry.attributes.position.array, numbers), count: counts[i] });
  }
  return draws;
}

/** Whether a draw of a mesh is all of it, or one of its levels. */
export function isWhole(crowd: Crowd, mesh: Mesh, hash: string): boolean {
  const { index, attributes } = mesh.geometry;
  const { start, count } = mesh.geometry.drawRange;
  const levels = partOf(crowd, mesh)?.levels ?? { index: new Uint32Array(0), counts: [] };
  const parts = [(index as BufferAttribute).array.subarray(start, start + count) as Uint32Array];
  let at = 0;
  for (const length of levels.counts) {
    parts.push(levels.index.subarray(at, at + length));
    at += length;
  }
  return parts.some((part) => hashOf(attributes.position.array, part) === hash);
}

/** The level of each cell of a mesh that the last pass drew; null where it drew the mesh as one. */
export function shownOf(crowd: Crowd, mesh: Mesh): Map<number, number> | null {
  const draws = drawsOf(crowd, mesh);
  if (draws.length === 1 && isWhole(crowd, mesh, draws[0].hash)) return null;
  const { byHash } = cellsOf(crowd, mesh);
  const shown = new Map<number, number>();
  for (const { hash } of draws) {
    const [cell, level] = byHash.get(hash) ?? [-1, -1];
    expect(cell, 'a draw of something else').toBeGreaterThanOrEqual(0);
    expect(shown.has(cell), 'a cell that is drawn twice').toBe(false);
    shown.set(cell, level);
  }
  return shown;
}

const matrix = new Matrix4();

/** The cells of which a triangle shows: within the planes of three, and on the side that is drawn, by its corners on the screen. */
export function seenCells(mesh: Mesh, cells: readonly Cell[], views: readonly Camera[], side: Side): Set<number> {
  const { array, count } = mesh.geometry.attributes.position;
  const clip = new Float64Array(3 * count);
  const outside = new Uint8Array(count);
  const seen = new Set<number>();
  const point = new Vector3();
  const facing = Math.sign(mesh.matrixWorld.determinant()) * (side === BackSide ? -1 : 1);
  for (const view of views) {
    matrix.multiplyMatrices(view.projectionMatrix, view.matrixWorldInverse);
    const { elements: e } = matrix;
    const { planes } = frustumOf(view);
    for (let i = 0; i < count; i++) {
      const { x, y, z } = point.fromArray(array, 3 * i).applyMatrix4(mesh.matrixWorld);
      for (const [k, row] of [0, 1, 3].entries())
        clip[3 * i + k] = e[row] * x + e[row + 4] * y + e[row + 8] * z + e[row + 12];
      outside[i] = planes.reduce((bits, plane, p) => bits | (plane.distanceToPoint(point) < 0 ? 1 << p : 0), 0);
    }
    const shows = (a: number, b: number, c: number): boolean => {
      if ((outside[a] & outside[b] & outside[c]) !== 0) return false;
      if (side === DoubleSide) return true;
      const [ax, ay, aw] = clip.subarray(3 * a, 3 * a + 3);
      const [bx, by, bw] = clip.subarray(3 * b, 3 * b + 3);
      const [cx, cy, cw] = clip.subarray(3 * c, 3 * c + 3);
      const winding = ax * (by * cw - bw * cy) + ay * (bw * cx - bx * cw) + aw * (bx * cy - by * cx);
      const size = Math.hypot(ax, ay, aw) * Math.hypot(bx, by, bw) * Math.hypot(cx, cy, cw);
      return facing * winding > 1e-12 * size;
    };
    for (const [cell, { index }] of cells.entries()) {
      for (let i = 0; i < index.length && !seen.has(cell); i += 3)
        if (shows(index[i], index[i + 1], index[i + 2])) seen.add(cell);
    }
  }
  return seen;
}

/** Whether the box of a cell meets the planes at the sides of a view, to within what single precision rounds. */
export function meetsSides(mesh: Mesh, { box: { min, max } }: Cell, views: readonly Camera[]): boolean {
  const corners = Array.from({ length: 8 }, (_, i) =>
    new Vector3(i & 1 ? min.x : max.x, i & 2 ? min.y : max.y, i & 4 ? min.z : max.z).applyMatrix4(mesh.matrixWorld),
  );
  return views.some((view) =>
    frustumOf(view)
      .planes.slice(0, 4)
      .every((plane) => {
        const slack = 1e-5 * (Math.abs(plane.constant) + corners[0].length());
        return corners.some((corner) => plane.distanceToPoint(corner) >= -slack);
      }),
  );
}

/** Pixels of a unit of a mesh where one of some eyes sees a cell of it largest: at the nearest point of its box, in the corner. */
export function pixelsOf(mesh: Mesh, { box }: Cell, sights: readonly Sight[]): number {
  const [place, turn, scale] = [new Vector3(), new Quaternion(), new Vector3()];
  mesh.matrixWorld.decompose(place, turn, scale);
  const corners = [box.min, box.max].map((corner) => corner.clone().multiply(scale));
  const scaled = new Box3().setFromPoints(corners);
  const sizes = sights.map(({ eye, near, pixels, cosine, isPerspective }) => {
    const away = scaled.distanceToPoint(eye.clone().sub(place).applyQuaternion(turn.clone().invert()));
    return pixels / cosine ** 2 / (isPerspective ? Math.max(near, away) : 1);
  });
  return Math.max(...sizes) * Math.max(...scale.toArray().map(Math.abs));
}
