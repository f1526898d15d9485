import type { Matrix4 } from 'three';
import { grow } from '../core/grow.js';
import type { Shape } from './BatchShapes.js';

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
