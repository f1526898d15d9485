/** Bytes of geometries that one picture copies, so that no picture takes long; the last geometry may exceed them. */
const BYTES_A_PICTURE = 2e6;
/** Bytes of levels of detail to be copied in one picture: fewer, as levels come while a page is in use. */
const LEVELS_SHARE = 5e5;

/** The bytes that the batches of a scene take, and may take, for buffers and textures. */
export class BatchMemory {
  readonly limit: number;
  used = 0;
  /** The bytes left to be copied in this picture; at 0 or less every copy waits for the next picture. */
  share: number = BYTES_A_PICTURE;
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
    this.share = BYTES_A_PICTURE;
  }

  copyLevels(): void {
    this.share = Math.min(this.share, LEVELS_SHARE);
    for (const geometry of this.copying) geometry.copyLevels();
  }

  /** Allocates bytes; returns false, with one warning for the scene, when the limit leaves too few. */
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
