/** How two pictures differ. */
export interface PictureDifference {
  /** Pixels that are not the same. */
  readonly pixels: number;
  /** Those among other different pixels on all four sides, by more than a few levels: no rounding at an edge makes these. */
  readonly patches: number;
  readonly mostLevels: number;
}

/** More than rounding in shaders makes of a colour. */
const ROUNDING = 6;

/** @param width Of both pictures, which have four bytes a pixel. */
export function comparePictures(a: Uint8Array, b: Uint8Array, width: number): PictureDifference {
  const count = a.length / 4;
  const isOther = new Uint8Array(count);
  let pixels = 0;
  let mostLevels = 0;
  for (let i = 0; i < count; i++) {
    let levels = 0;
    for (let c = 4 * i; c < 4 * i + 3; c++) levels = Math.max(levels, Math.abs(a[c] - b[c]));
    if (levels > 0) pixels++;
    if (levels > ROUNDING) isOther[i] = 1;
    mostLevels = Math.max(mostLevels, levels);
  }
  let patches = 0;
  for (let i = width; i < count - width; i++) {
    patches += isOther[i] & isOther[i - 1] & isOther[i + 1] & isOther[i - width] & isOther[i + width];
  }
  return { pixels, patches, mostLevels };
}
