import { type BufferGeometry, DataTexture, FloatType, type Material, Mesh, RGBAFormat } from 'three';

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

/** Fours of numbers in a row of the texture. */
export const COLUMNS = 512;

/** A texture for four numbers of each of so many things, which a shader reads by their number. */
export function numberTexture(count: number): DataTexture & { image: { data: Float32Array } } {
  const rows = Math.ceil(count / COLUMNS);
  const texture = new DataTexture(new Float32Array(4 * COLUMNS * rows), COLUMNS, rows, RGBAFormat, FloatType);
  texture.needsUpdate = true;
  return texture as ReturnType<typeof numberTexture>;
}
