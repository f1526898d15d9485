import { Matrix4, Sphere } from 'three';
import { grow, MATRIX } from '../../core/arrays.js';
import { isBox, makeEmpty } from '../../core/box.js';
import { type IdList, IdSet } from '../../core/ids.js';
import { transformBox } from '../../scene/bounds/transformBox.js';
import { takeStamp } from '../../scene/facts/looks.js';
import { isFaithfulMatrix, isProjective, largestStretch } from '../../scene/objects/distortion.js';
import { InstanceShape, type InstanceSource } from './InstanceSource.js';

/** Boxes are widened by this share of coordinates: more than rounding may put a sphere beyond a plane. */
const SPHERE_ROUNDING = 2 ** -44;
/** Numbers of a sphere: its centre and radius. */
export const SPHERE = 4;

/** Matrices, shapes and spheres of the instances of a mesh, by id, as of the last comparison. */
export class InstanceTable {
  limit = 0;
  matrices: Float32Array = new Float32Array(MATRIX * 16);
  /** The number of each instance's shape; -1 for ids that no instance has, and for hidden instances. */
  shapeOf: Int32Array = new Int32Array(16).fill(-1);
  /** The stamp of the last change that was found. */
  stamp = 0;
  readonly shapes: InstanceShape[] = [];
  /** Centre and radius of each instance's sphere, as three computes them. */
  spheres: Float64Array = new Float64Array(SPHERE * 16);
  /** The most by which each matrix stretches its shape; NaN if unknown. */
  scales: Float64Array = new Float64Array(16);
  /** Instances with matrices so distorted that a ray may hit them beyond their boxes. */
  readonly distorted: Set<number> = new Set();
  /** Distorted instances that may also be drawn beyond their boxes. */
  readonly projective: Set<number> = new Set();
  /** The largest finite coordinate of any box so far. */
  farthest = 0;
  /** The largest radius of a ball around the box of an instance so far. */
  largestRadius = 0;
  /** The next `shapeOf`; equal to it except during a comparison. */
  #next = new Int32Array(16).fill(-1);
  readonly #marks = new IdSet();
  /** The stamp of the source's matrices at the last comparison. */
  #written = Number.NaN;
  #changes = Number.NaN;
  #array: Float32Array | null = null;
  #holder: object | null = null;
  /** Whether changes were found but possibly not measured. */
  #isBroken = false;

  /** Writes the ids of changed instances to `changed` and copies their data from the source; measure them then. */
  findChanged(source: InstanceSource, changed: IdList): void {
    const { limit, matrices, stamp, holder, changes } = source;
    const all = Math.max(limit, this.limit);
    const isOther = changes !== this.#changes || limit !== this.limit || holder !== this.#holder || this.#isBroken;
    this.#reserve(limit);
    const reshaped = this.#readShapes(source);
    const areWritten = stamp !== this.#written || matrices !== this.#array || holder !== this.#holder;
    changed.length = 0;
    if (!areWritten && !isOther && reshaped === null) return;
    if (isOther || reshaped !== null) {
      source.readShapes(this.#next);
      this.#next.fill(-1, limit, all);
      this.#compareShapes(all, reshaped);
      if (this.#isBroken) for (let id = 0; id < all; id++) this.#marks.add(id);
    }
    if (areWritten) this.#compareMatrices(limit, matrices);
    this.#marks.drain(changed);
    if (changed.length > 0) this.stamp = takeStamp();
    for (let i = 0; i < changed.length; i++) this.#copy(changed.ids[i], matrices);
    this.limit = limit;
    this.#written = stamp;
    this.#changes = changes;
    this.#array = matrices;
    this.#holder = holder;
    this.#isBroken = false;
  }

  /** Counts all instances as changed next time, after an error before they were measured. */
  invalidate(): void {
    this.#isBroken = true;
    this.#marks.clear();
  }

  /**
   * Computes the sphere of an instance, and writes to `out` a box around the sphere and the shape's box.
   * @returns false when there is no box, as some number is NaN, or the sphere is empty.
   */
  measure(id: number, out: Float64Array): boolean {
    const shape = this.shapes[this.shapeOf[id]];
    matrix.fromArray(this.matrices, MATRIX * id);
    if (!isFaithfulMatrix(matrix)) {
      if (isProjective(matrix)) this.projective.add(id);
      // A scale of 0 hides an instance: its inverse is 0 in three, so rays in its frame are NaN and hit nothing.
      if (isProjective(matrix) || matrix.getMaxScaleOnAxis() !== 0) this.distorted.add(id);
    }
    this.scales[id] = largestStretch(matrix);
    const { center, radius } = sphere.copy(shape.sphere).applyMatrix4(matrix);
    const s = SPHERE * id;
    this.spheres[s] = center.x;
    this.spheres[s + 1] = center.y;
    this.spheres[s + 2] = center.z;
    this.spheres[s + 3] = radius;
    if (!(radius >= 0)) return false;
    const reach = radius + SPHERE_ROUNDING * (Math.abs(center.x) + Math.abs(center.y) + Math.abs(center.z) + radius);
    if (shape.box.isEmpty()) makeEmpty(out, 0);
    else transformBox(shape.box, matrix, out);
    let square = 0;
    for (let c = 0; c < 3; c++) {
      out[c] = Math.min(out[c], this.spheres[s + c] - reach);
      out[c + 3] = Math.max(out[c + 3], this.spheres[s + c] + reach);
      square += (out[c + 3] - out[c]) ** 2;
    }
    if (!isBox(out, 0)) return false;
    this.largestRadius = Math.max(this.largestRadius, Math.sqrt(square) / 2);
    for (const side of out) if (Number.isFinite(side)) this.farthest = Math.max(this.farthest, Math.abs(side));
    return true;
  }

  #reserve(limit: number): void {
    const { length } = this.shapeOf;
    if (limit <= length) return;
    this.shapeOf = grow(this.shapeOf, limit).fill(-1, length);
    this.#next = this.shapeOf.slice();
    this.spheres = grow(this.spheres, SPHERE * this.shapeOf.length);
    this.scales = grow(this.scales, this.shapeOf.length);
    this.matrices = grow(this.matrices, MATRIX * this.shapeOf.length);
  }

  /** Reads the bounds of all shapes; returns for each shape whether it has changed, or null if none has. */
  #readShapes(source: InstanceSource): boolean[] | null {
    let reshaped: boolean[] | null = null;
    for (let k = 0; k < source.shapeCount; k++) {
      source.readShape(k, read);
      const shape = this.shapes[k];
      if (shape?.box.equals(read.box) && shape.sphere.equals(read.sphere)) continue;
      this.shapes[k] = new InstanceShape();
      this.shapes[k].box.copy(read.box);
      this.shapes[k].sphere.copy(read.sphere);
      reshaped ??= [];
      reshaped[k] = true;
    }
    return reshaped;
  }

  #compareShapes(limit: number, reshaped: boolean[] | null): void {
    const next = this.#next;
    const { shapeOf } = this;
    for (let id = 0; id < limit; id++) {
      if (next[id] !== shapeOf[id] || reshaped?.[shapeOf[id]] === true) this.#marks.add(id);
    }
  }

  /** Compares two numbers at a time, as one double, if they are aligned: pairs that read as NaN count as changed. */
  #compareMatrices(limit: number, matrices: Float32Array): void {
    const isAligned = matrices.byteOffset % 8 === 0;
    const a = isAligned ? new Float64Array(matrices.buffer, matrices.byteOffset, matrices.length >> 1) : matrices;
    const b = isAligned ? new Float64Array(this.matrices.buffer) : this.matrices;
    const size = isAligned ? MATRIX / 2 : MATRIX;
    for (let id = 0; id < limit; id++) {
      if (differs(a, b, size * id, size * id + size) && this.#next[id] >= 0) this.#marks.add(id);
    }
  }

  #copy(id: number, matrices: Float32Array): void {
    this.shapeOf[id] = this.#next[id];
    this.distorted.delete(id);
    this.projective.delete(id);
    if (this.shapeOf[id] < 0) return;
    for (let m = MATRIX * id; m < MATRIX * (id + 1); m++) this.matrices[m] = matrices[m];
  }
}

const read = new InstanceShape();
const matrix = new Matrix4();
const sphere = new Sphere();

/** True when two arrays differ within a range of eight or sixteen numbers; written out for speed. */
function differs(a: Float32Array | Float64Array, b: Float32Array | Float64Array, from: number, to: number): boolean {
  for (let o = from; o < to; o += 8) {
    // biome-ignore format: aligned lines show the symmetry
    if (a[o] !== b[o] || a[o + 1] !== b[o + 1] || a[o + 2] !== b[o + 2] || a[o + 3] !== b[o + 3]
     || a[o + 4] !== b[o + 4] || a[o + 5] !== b[o + 5] || a[o + 6] !== b[o + 6] || a[o + 7] !== b[o + 7]) return true;
  }
  return false;
}
