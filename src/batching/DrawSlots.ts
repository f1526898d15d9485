import type { DataTexture, Matrix4 } from 'three';
import { grow } from '../core/arrays.js';
import type { Shape } from './BatchGeometry.js';

/** Numbers that a draw takes of a geometry: of its index, or its vertices without one. */
export interface DrawRange {
  readonly start: number;
  readonly count: number;
}

/** So many materials more than slots may be listed. */
const FEW = 64;

/** What is known of the draws of a batch, by slot; slots are used anew. */
export class DrawSlots {
  readonly #shapeOf: (Shape | null)[] = [];
  #firsts: Int32Array;
  #counts: Int32Array;
  /** Centres in the world, three numbers each. */
  centers: Float64Array;
  /** Radii of spheres around them. */
  radii: Float64Array;
  /** Where world matrices put what they move, three numbers each: all that depends on the origin of a batch. */
  places: Float64Array;
  /** Of draws of one material at one depth that with the lowest rank comes first. */
  ranks: Int32Array;
  /** By slot the place of its material in `materialIds`; draws of that with the lowest id come first. */
  materials: Int32Array;
  materialIds: number[] = [];
  readonly #places = new Map<number, number>();
  readonly #free: number[] = [];

  /** @param capacity Slots that there is room for. */
  constructor(capacity: number) {
    this.#firsts = new Int32Array(capacity);
    this.#counts = new Int32Array(capacity);
    this.centers = new Float64Array(3 * capacity);
    this.radii = new Float64Array(capacity);
    this.places = new Float64Array(3 * capacity);
    this.ranks = new Int32Array(capacity);
    this.materials = new Int32Array(capacity);
  }

  /** Number of slots in use. */
  get size(): number {
    return this.#shapeOf.length - this.#free.length;
  }

  /** No slot that was ever in use has this number, or a higher one. */
  get end(): number {
    return this.#shapeOf.length;
  }

  /** True when there is no slot left. */
  get isFull(): boolean {
    return this.#free.length === 0 && this.#shapeOf.length === this.ranks.length;
  }

  take(shape: Shape, range: DrawRange, rank: number, material: number): number {
    const place = this.#placeOf(material);
    const slot = this.#free.pop() ?? this.#shapeOf.length;
    this.#shapeOf[slot] = shape;
    this.ranks[slot] = rank;
    this.materials[slot] = place;
    this.setRange(slot, range);
    return slot;
  }

  /** The place of a material in the list of them. */
  #placeOf(material: number): number {
    if (this.materialIds.length > 2 * this.size + FEW) this.#forgetMaterials();
    let place = this.#places.get(material);
    if (place === undefined) {
      place = this.materialIds.push(material) - 1;
      this.#places.set(material, place);
    }
    return place;
  }

  /** Lists only the materials that are in use, as others come for as long as the batch lives. */
  #forgetMaterials(): void {
    const before = this.materialIds;
    this.materialIds = [];
    this.#places.clear();
    for (let slot = 0; slot < this.#shapeOf.length; slot++) {
      if (this.#shapeOf[slot] !== null) this.materials[slot] = this.#placeOf(before[this.materials[slot]]);
    }
  }

  /** Frees a slot; whoever has it in a list draws nothing there. */
  release(slot: number): void {
    this.#shapeOf[slot] = null;
    this.#counts[slot] = 0;
    this.#free.push(slot);
  }

  shapeAt(slot: number): Shape {
    return this.#shapeOf[slot] as Shape;
  }

  setRange(slot: number, { start, count }: DrawRange): void {
    this.#firsts[slot] = start;
    this.#counts[slot] = count;
  }

  /** Notes where a world matrix puts a shape; its centre in the order of operations in which three carries it. */
  place(slot: number, world: Matrix4): void {
    const { elements: e } = world;
    const { center, geometry } = this.shapeAt(slot);
    for (let row = 0; row < 3; row++) {
      this.centers[3 * slot + row] = e[row] * center.x + e[row + 4] * center.y + e[row + 8] * center.z + e[row + 12];
      this.places[3 * slot + row] = e[row + 12];
    }
    this.radii[slot] = (geometry.boundingSphere?.radius ?? 0) * world.getMaxScaleOnAxis();
  }

  /** Where in the buffers a draw begins, and how many numbers it has. */
  startOf(slot: number): number {
    return (this.#shapeOf[slot]?.start ?? 0) + this.#firsts[slot];
  }

  countOf(slot: number): number {
    return this.#counts[slot];
  }

  /** Makes room for so many slots. */
  reserve(capacity: number): void {
    this.#firsts = grow(this.#firsts, capacity);
    this.#counts = grow(this.#counts, capacity);
    this.ranks = grow(this.ranks, capacity);
    this.materials = grow(this.materials, capacity);
    this.centers = grow(this.centers, 3 * capacity);
    this.places = grow(this.places, 3 * capacity);
    this.radii = grow(this.radii, capacity);
  }
}

/**
 * With more changes than this, or than this share of all, a texture is uploaded as a whole: a range costs three calls of WebGL,
 * which take as long as a copy of some sixty matrices.
 */
const FEW_MATRIX_UPLOADS = 32;
const SHARE = 1 / 64;
const MATRIX = 16;

export type MatricesTexture = DataTexture & { image: { data: Float32Array } };

/** What is asked of renderers; `properties` is WebGLRenderer's. */
interface Uploader {
  readonly isWebGPURenderer?: boolean;
  readonly properties?: { has(texture: DataTexture): boolean };
}

/**
 * Has a renderer upload, of a texture of matrices, those that changed, where these are few. What one renderer has uploaded
 * another has not; so ranges are given to one that uploaded the texture last, and still has it.
 */
export class MatrixUploads {
  /** Changes since the last upload; infinite where they are not known. */
  #changes = Number.POSITIVE_INFINITY;
  #uploader: WeakRef<Uploader> | null = null;
  /** Several renderers have uploaded it. */
  isShared = false;

  /** Notes that the matrix at an offset changed. */
  note(texture: MatricesTexture, offset: number): void {
    texture.needsUpdate = true;
    this.#changes++;
    if (this.#changes <= Math.max(FEW_MATRIX_UPLOADS, SHARE * (texture.image.data.length / MATRIX))) {
      texture.addUpdateRange(offset, MATRIX);
    } else this.noteAll(texture);
  }

  /** Notes that all matrices changed. */
  noteAll(texture: MatricesTexture): void {
    texture.needsUpdate = true;
    texture.clearUpdateRanges();
    this.#changes = Number.POSITIVE_INFINITY;
  }

  /** To be called before a renderer uploads the texture. */
  prepare(texture: DataTexture, renderer: Uploader): void {
    const isOther = this.#uploader?.deref() !== renderer;
    if (isOther || renderer.properties?.has(texture) !== true) texture.clearUpdateRanges();
    if (isOther) {
      // It may have missed ranges that another was given.
      if (this.#uploader !== null) texture.needsUpdate = true;
      this.isShared ||= this.#uploader !== null;
      this.#uploader = new WeakRef(renderer);
    }
    // Which uploads the whole, and leaves the ranges.
    this.#changes = isWebGPU(renderer) ? Number.POSITIVE_INFINITY : 0;
  }

  /** The texture is another. */
  forget(): void {
    this.#changes = Number.POSITIVE_INFINITY;
  }
}

export function isWebGPU(renderer: Uploader): boolean {
  return renderer.isWebGPURenderer === true;
}
