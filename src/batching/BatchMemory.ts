/** Bytes of geometries that may be copied in one picture, so that none takes long; only vertices of the last exceed it. */
const SHARE = 2e6;
/** Bytes of levels of detail that may be, as these come while a page is in use. */
const LEVELS_SHARE = 5e5;

/** The bytes that the batches of a scene take, and may take, for buffers and textures. */
export class BatchMemory {
  readonly limit: number;
  used = 0;
  /** The bytes left to be copied in this picture; at 0 or less everything waits for the next. */
  share: number = SHARE;
  /** Batches with levels of detail that have yet to be copied. */
  readonly copying: Set<{ copyLevels(): void }> = new Set();
  #hasWarned = false;

  constructor(limit: number) {
    this.limit = limit;
  }

  has(bytes: number): boolean {
    return this.used + bytes <= this.limit;
  }

  beginPicture(): void {
    this.share = SHARE;
  }

  copyLevels(): void {
    this.share = Math.min(this.share, LEVELS_SHARE);
    for (const geometry of this.copying) geometry.copyLevels();
  }

  /** Allocates bytes; false, with one warning for the scene, when they are not left. */
  allocate(bytes: number): boolean {
    if (this.has(bytes)) {
      this.used += bytes;
      return true;
    }
    if (!this.#hasWarned)
      console.warn(
        `accelerate: batches have reached their limit of ${this.limit} bytes (batch.maxBytes); further meshes are drawn one by one`,
      );
    this.#hasWarned = true;
    return false;
  }
}
