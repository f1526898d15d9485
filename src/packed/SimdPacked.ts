import type { Counters } from '../contract/SpatialIndex.js';
import { copyBox } from '../core/box.js';
import type { Hits } from '../core/Hits.js';
import type { IdList } from '../core/ids.js';
import type { BoxVolume, SphereVolume } from '../core/shapes/boxAndSphere.js';
import type { PlanesVolume } from '../core/shapes/PlanesVolume.js';
import type { PointDistance } from '../core/shapes/PointDistance.js';
import type { Ray } from '../core/shapes/Ray.js';
import { BOX_VOLUME, SPHERE_VOLUME, type Volume } from '../core/shapes/Volume.js';
import {
  DISTANCE,
  FOUND,
  FRAME,
  INSIDE,
  ITEMS_TESTED,
  NODES_VISITED,
  PER_UNIT,
  ROUGH,
  SLACK,
} from '../wasm/packedLayout.js';
import { countsUp, type PackedRows } from './PackedRows.js';
import type { RoughPoint, RoughRay } from './RoughRay.js';
import type { RoughVolume } from './RoughVolume.js';
import { RowsInKernel } from './RowsInKernel.js';

/** Most items that the kernel finds nearest to a point. */
const MOST_NEAREST = 63;

/**
 * Queries and edits of rows by WebAssembly SIMD: writes what a kernel needs, and reads what it found. Methods return
 * false when no kernel is available; then plain code does the work.
 */
export class SimdPacked {
  readonly #memory = new RowsInKernel();

  get bytes(): number {
    return this.#memory.bytes;
  }

  overlap(
    rows: PackedRows,
    volume: Volume,
    rough: RoughVolume,
    counters: Counters,
    out: IdList,
    inside: IdList,
  ): boolean {
    const kernel = this.#memory.kernelFor(rows);
    if (kernel === null) return false;
    this.#writeVolume(volume);
    this.#writeRough(rough.numbers);
    const isSplit = inside !== out;
    const count = kernel.overlap(volume.kind, volume.all, isSplit);
    this.#memory.read(count, inside);
    if (isSplit) {
      const words = this.#memory.words;
      const cut = words[INSIDE >> 2];
      out.length = 0;
      const list = out.reserve(cut);
      for (let i = 0, from = (this.#memory.outEnd >> 2) - 1; i < cut; i++, from--) list[i] = words[from];
      out.length = cut;
    }
    this.#countUp(counters);
    return true;
  }

  raycast(rows: PackedRows, ray: Ray, rough: RoughRay, counters: Counters, out: Hits): boolean {
    const kernel = this.#memory.kernelFor(rows);
    if (kernel === null) return false;
    this.#writeRay(ray, rough);
    const count = kernel.raycast();
    if (count < 0) return false;
    out.length = 0;
    out.reserve(count);
    const { ids, distances } = out;
    for (let i = 0, from = this.#memory.out >> 3; i < count; i++, from += 2) {
      distances[i] = this.#memory.doubles[from];
      ids[i] = this.#memory.words[2 * from + 2];
    }
    out.length = count;
    this.#countUp(counters);
    return true;
  }

  raycastFirst(rows: PackedRows, ray: Ray, rough: RoughRay, counters: Counters, out: Hits): boolean {
    const kernel = this.#memory.kernelFor(rows);
    if (kernel === null) return false;
    this.#writeRay(ray, rough);
    const id = kernel.raycastFirst();
    out.length = 0;
    if (id >= 0) {
      out.reserve(1);
      out.ids[0] = id;
      out.distances[0] = this.#memory.doubles[DISTANCE >> 3];
      out.length = 1;
      ray.interval[1] = out.distances[0];
    }
    this.#countUp(counters);
    return true;
  }

  /** The hits come as a heap, as `Hits.keepNearest` keeps them. */
  nearest(
    rows: PackedRows,
    { point, interval }: PointDistance,
    rough: RoughPoint,
    count: number,
    counters: Counters,
    out: Hits,
  ): boolean {
    const kernel = this.#memory.kernelFor(rows);
    if (kernel === null || count > MOST_NEAREST) return false;
    this.#memory.numbers.set(point);
    this.#memory.numbers[3] = interval[1];
    this.#writeRough(rough.numbers);
    this.#memory.doubles[PER_UNIT >> 3] = rough.scale;
    const found = kernel.nearest(count);
    out.length = 0;
    out.reserve(found);
    // In reverse: the farthest first, as `Hits.keepNearest` has it.
    for (let i = 0, from = (FOUND >> 3) + 2 * (found - 1); i < found; i++, from -= 2) {
      out.distances[i] = this.#memory.doubles[from];
      out.ids[i] = this.#memory.words[2 * from + 2];
    }
    out.length = found;
    if (found === count) interval[1] = out.distances[0];
    this.#countUp(counters);
    return true;
  }

  fill(rows: PackedRows, from: number, to: number): boolean {
    const kernel = this.#memory.kernelFor(rows);
    if (kernel === null) return false;
    this.#writeFrame(rows);
    kernel.fill(from, to);
    return true;
  }

  refit(rows: PackedRows, from: number, to: number): boolean {
    const kernel = this.#memory.kernelFor(rows);
    if (kernel === null) return false;
    this.#memory.floats[SLACK >> 2] = rows.slack;
    kernel.refit(from, to);
    return true;
  }

  move(rows: PackedRows, ids: ArrayLike<number>, refits: boolean, left: IdList): boolean {
    const kernel = this.#memory.kernelFor(rows);
    if (kernel === null) return false;
    this.#writeFrame(rows);
    // Ids, and those left, share the room for results.
    const { words, out, outEnd } = this.#memory;
    const most = (outEnd - out) >> 3;
    const leftAt = out + 4 * most;
    const isRun = countsUp(ids);
    for (let done = 0; done < ids.length; done += most) {
      const count = Math.min(most, ids.length - done);
      const first = isRun ? ids[done] : -1;
      if (!isRun) for (let i = 0; i < count; i++) words[(out >> 2) + i] = ids[done + i];
      this.#memory.append(kernel.move(first, count, out, leftAt, refits), leftAt, left);
    }
    return true;
  }

  release(rows: PackedRows): void {
    this.#memory.release(rows);
  }

  /** Writes the exact numbers of a volume, as kernels read them. */
  #writeVolume(volume: Volume): void {
    const { numbers } = this.#memory;
    if (volume.kind === BOX_VOLUME) copyBox((volume as BoxVolume).box, 0, numbers, 0);
    else if (volume.kind === SPHERE_VOLUME) {
      const { x, y, z, radius } = volume as SphereVolume;
      numbers[0] = x;
      numbers[1] = y;
      numbers[2] = z;
      numbers[3] = radius;
    } else {
      const { planes } = volume as PlanesVolume;
      const end = 4 * (32 - Math.clz32(volume.all));
      for (let i = 0; i < end; i++) numbers[i] = planes[i];
    }
  }

  /** Writes the exact numbers of a ray, and the rough ones. */
  #writeRay({ interval, inverse, first, last }: Ray, rough: RoughRay): void {
    const { numbers } = this.#memory;
    numbers[0] = interval[0];
    numbers[1] = interval[1];
    for (let c = 0; c < 3; c++) {
      numbers[2 + c] = inverse[c];
      numbers[5 + c] = first[c];
      numbers[8 + c] = last[c];
    }
    this.#writeRough(rough.numbers);
    this.#memory.doubles[PER_UNIT >> 3] = rough.perUnit;
  }

  #writeRough(numbers: Float32Array): void {
    const floats = this.#memory.floats;
    for (let i = 0, to = ROUGH >> 2; i < numbers.length; i++) floats[to + i] = numbers[i];
  }

  #writeFrame({ frame, slack }: PackedRows): void {
    for (let c = 0; c < 6; c++) this.#memory.doubles[(FRAME >> 3) + c] = frame.origin[c % 3];
    this.#memory.doubles[(FRAME >> 3) + 6] = frame.scale;
    this.#memory.floats[SLACK >> 2] = slack;
  }

  #countUp(counters: Counters): void {
    counters.nodesVisited = this.#memory.words[NODES_VISITED >> 2];
    counters.itemsTested = this.#memory.words[ITEMS_TESTED >> 2];
  }
}
