import type { SpatialIndex } from '../../src/standalone.js';
import type { Box } from './randomBox.js';

/** A distance and an id. */
export type Hit = [distance: number, id: number];

/**
 * What an index must hold and answer: boxes in a plain map, each of them tested for each question. It shares no code with
 * the library. Numbers are compared to the last bit, so where an expression may be rounded it is that of the contract:
 * those of three's `Sphere`, `Frustum` and `Box3.distanceToPoint`, and the slab test of rays.
 */
export class Truth {
  readonly boxes = new Map<number, Box>();

  /** Adds a box to an index as well; returns its id. */
  add(index: SpatialIndex, box: Box): number {
    const id = index.add(box);
    if (this.boxes.has(id)) throw new Error(`item ${id} was there already`);
    this.boxes.set(id, box);
    return id;
  }

  /** Adds boxes to an index as well, all at once. */
  addAll(index: SpatialIndex, boxes: Box[]): Int32Array {
    // Batches of some sizes go as minima and maxima.
    const ids = boxes.length % 3 === 2 ? index.addAll(...sides(boxes)) : index.addAll(boxes.flat());
    if (ids.length !== boxes.length) throw new Error(`${ids.length} ids of ${boxes.length} boxes`);
    ids.forEach((id, i) => {
      if (this.boxes.has(id)) throw new Error(`item ${id} was there already`);
      this.boxes.set(id, boxes[i]);
    });
    return ids;
  }

  update(index: SpatialIndex, id: number, box: Box): void {
    index.update(id, box);
    this.boxes.set(id, box);
  }

  updateAll(index: SpatialIndex, ids: number[], boxes: Box[]): void {
    if (boxes.length % 3 === 2) index.updateAll(ids, ...sides(boxes));
    else index.updateAll(ids, boxes.flat());
    ids.forEach((id, i) => {
      this.boxes.set(id, boxes[i]);
    });
  }

  remove(index: SpatialIndex, id: number): void {
    index.remove(id);
    this.boxes.delete(id);
    if (index.has(id)) throw new Error(`item ${id} is there though it was removed`);
  }

  removeAll(index: SpatialIndex, ids: number[]): void {
    index.removeAll(ids.length % 2 === 0 ? ids : Int32Array.from(ids));
    for (const id of ids) {
      this.boxes.delete(id);
      if (index.has(id)) throw new Error(`item ${id} is there though it was removed`);
    }
  }

  /** The item at a position in the order of the map, modulo their number: legal for any number but none. */
  pick(position: number): number {
    let left = position % this.boxes.size;
    for (const id of this.boxes.keys()) if (left-- === 0) return id;
    throw new Error('no items');
  }

  bounds(): Box {
    const all = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    this.boxes.forEach((b) => {
      for (let c = 0; c < 3; c++) {
        all[c] = Math.min(all[c], b[c]);
        all[c + 3] = Math.max(all[c + 3], b[c + 3]);
      }
    });
    return all;
  }

  box(q: Box): Set<number> {
    return this.#those((b) => touches(b, q));
  }

  sphere([x, y, z]: number[], radius: number): Set<number> {
    const limit = radius * radius;
    return this.#those((b) => {
      const dx = clamp(x, b[0], b[3]) - x;
      const dy = clamp(y, b[1], b[4]) - y;
      const dz = clamp(z, b[2], b[5]) - z;
      return dx * dx + dy * dy + dz * dz <= limit;
    });
  }

  /** Not wholly behind any plane. */
  frustum(planes: number[]): Set<number> {
    return this.#those((b) => {
      for (let i = 0; i < planes.length; i += 4) if (corner(planes, i, b, true) < 0) return false;
      return true;
    });
  }

  /** Wholly in front of all planes. */
  inside(planes: number[]): Set<number> {
    return this.#those((b) => {
      for (let i = 0; i < planes.length; i += 4) if (!(corner(planes, i, b, false) >= 0)) return false;
      return true;
    });
  }

  ray(origin: number[], direction: number[], near: number, far: number, margin: number): Hit[] {
    const [x, y, z] = direction;
    const length = Math.sqrt(x * x + y * y + z * z);
    const low = origin.map((c) => c - margin);
    const high = origin.map((c) => c + margin);
    return this.#met(
      low,
      high,
      direction.map((c) => c / length),
      near,
      far,
    );
  }

  /** First contacts of a moving box, as shares of its way. */
  sweep(box: Box, motion: number[]): Hit[] {
    return this.#met(box.slice(0, 3), box.slice(3), motion, 0, 1);
  }

  nearest([x, y, z]: number[], count: number, maxDistance: number): Hit[] {
    const hits: Hit[] = [];
    this.boxes.forEach((b, id) => {
      const dx = clamp(x, b[0], b[3]) - x;
      const dy = clamp(y, b[1], b[4]) - y;
      const dz = clamp(z, b[2], b[5]) - z;
      const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (distance <= maxDistance) hits.push([distance, id]);
    });
    return hits.sort(byDistance).slice(0, count);
  }

  /** All pairs that touch, each as one number; see {@link pairName}. */
  pairs(): Set<number> {
    const found = new Set<number>();
    const ids = [...this.boxes.keys()];
    const boxes = [...this.boxes.values()];
    for (let i = 0; i < ids.length; i++) {
      for (let j = 0; j < i; j++) if (touches(boxes[i], boxes[j])) found.add(pairName(ids[i], ids[j]));
    }
    return found;
  }

  #those(belongs: (box: Box) => boolean): Set<number> {
    const ids = new Set<number>();
    this.boxes.forEach((box, id) => {
      if (belongs(box)) ids.add(id);
    });
    return ids;
  }

  /** What a box from `low` to `high` meets on its way: per axis when the gap closes, and when it opens again. */
  #met(low: number[], high: number[], motion: number[], near: number, far: number): Hit[] {
    const hits: Hit[] = [];
    this.boxes.forEach((b, id) => {
      let enter = near;
      let leave = far;
      for (let c = 0; c < 3; c++) {
        const m = motion[c];
        if (m === 0) {
          if (low[c] > b[c + 3] || high[c] < b[c]) return;
          continue;
        }
        const closes = (m > 0 ? b[c] - high[c] : b[c + 3] - low[c]) * (1 / m);
        const opens = (m > 0 ? b[c + 3] - low[c] : b[c] - high[c]) * (1 / m);
        enter = Math.max(enter, closes);
        leave = Math.min(leave, opens);
      }
      if (enter <= leave) hits.push([enter, id]);
    });
    return hits.sort(byDistance);
  }
}

function sides(boxes: Box[]): [min: Float64Array, max: number[]] {
  return [Float64Array.from(boxes.flatMap((box) => box.slice(0, 3))), boxes.flatMap((box) => box.slice(3))];
}

/** One number for two ids, in whatever order they come. */
export function pairName(a: number, b: number): number {
  return Math.min(a, b) * 2 ** 26 + Math.max(a, b);
}

export function touches(a: Box, b: Box): boolean {
  for (let c = 0; c < 3; c++) if (a[c] > b[c + 3] || b[c] > a[c + 3]) return false;
  return true;
}

/** Distance of the corner of a box that is farthest along a plane's normal, or of the opposite one, from the plane. */
function corner(planes: number[], i: number, b: Box, isFarthest: boolean): number {
  const x = planes[i] > 0 === isFarthest ? b[3] : b[0];
  const y = planes[i + 1] > 0 === isFarthest ? b[4] : b[1];
  const z = planes[i + 2] > 0 === isFarthest ? b[5] : b[2];
  return planes[i] * x + planes[i + 1] * y + planes[i + 2] * z + planes[i + 3];
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

export function byDistance(a: Hit, b: Hit): number {
  return a[0] - b[0] || a[1] - b[1];
}
