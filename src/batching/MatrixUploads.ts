import type { DataTexture } from 'three';

/**
 * With more changes than this, or than this share of all, a texture is uploaded as a whole: a range costs three calls of WebGL,
 * which take as long as a copy of some sixty matrices.
 */
const FEW = 32;
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
    if (this.#changes <= Math.max(FEW, SHARE * (texture.image.data.length / MATRIX))) {
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
