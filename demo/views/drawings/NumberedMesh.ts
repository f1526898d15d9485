import { type BufferGeometry, type Material, Mesh } from 'three';

/** The kind of an object, its class, or a mark that the world sets. */
export const NONE = 0;
export const INTERSECTING = 1;
export const INSIDE = 2;
/** The first mark; a world has up to three. */
export const MARKED = 3;

/** Kinds by number, from MARKED on, or 0. */
export type Marks = Uint8Array | null;

/** One of many similar objects. It is indexed, culled and picked; a drawing draws all of them at once, by number. */
export class NumberedMesh extends Mesh {
  readonly number: number;

  constructor(geometry: BufferGeometry, material: Material, number: number) {
    super(geometry, material);
    this.number = number;
  }
}
