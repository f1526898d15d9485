import { DataTexture, FloatType, RGBAFormat } from 'three';

/** Fours of numbers in a row of the texture. */
export const COLUMNS = 512;

/** A texture for four numbers of each of so many things, which a shader reads by their number. */
export function numberTexture(count: number): DataTexture & { image: { data: Float32Array } } {
  const rows = Math.ceil(count / COLUMNS);
  const texture = new DataTexture(new Float32Array(4 * COLUMNS * rows), COLUMNS, rows, RGBAFormat, FloatType);
  texture.needsUpdate = true;
  return texture as ReturnType<typeof numberTexture>;
}
