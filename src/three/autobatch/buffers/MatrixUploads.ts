import type { DataTexture } from 'three';

/** With more changes than this a texture is uploaded as a whole. */
const MOST = 64;
const MATRIX = 16;

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
  /** Changes since the last upload; more than `MOST` where they are not known. */
  #changes = MOST + 1;
  #uploader: WeakRef<Uploader> | null = null;

  /** Notes that the matrix at an offset changed. */
  note(texture: DataTexture, offset: number): void {
    texture.needsUpdate = true;
    if (++this.#changes <= MOST) texture.addUpdateRange(offset, MATRIX);
    else texture.clearUpdateRanges();
  }

  /** To be called before a renderer uploads the texture. */
  prepare(texture: DataTexture, renderer: Uploader): void {
    const isKnown = this.#uploader?.deref() === renderer && renderer.properties?.has(texture) === true;
    if (!isKnown) {
      texture.clearUpdateRanges();
      // It may have missed ranges that another was given.
      if (this.#uploader !== null) texture.needsUpdate = true;
      this.#uploader = new WeakRef(renderer);
    }
    this.#changes = isWebGPU(renderer) ? MOST + 1 : 0;
  }

  /** The texture is another. */
  forget(): void {
    this.#changes = MOST + 1;
  }
}

export function isWebGPU(renderer: Uploader): boolean {
  return renderer.isWebGPURenderer === true;
}
