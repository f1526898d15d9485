/** How much memory the batches of a scene take, and may take: that of their buffers and textures. */
export class BatchMemory {
  readonly limit: number;
  used = 0;
  #hasWarned = false;

  /** @param limit In bytes. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** True when there are so many bytes left. */
  has(bytes: number): boolean {
    return this.used + bytes <= this.limit;
  }

  /** Takes some bytes; false, with a warning once, when there are not so many left. */
  take(bytes: number): boolean {
    if (this.has(bytes)) {
      this.used += bytes;
      return true;
    }
    if (!this.#hasWarned) {
      console.warn(`accelerate: batches may take no more than ${this.limit} bytes (maxBytes)`);
    }
    this.#hasWarned = true;
    return false;
  }

  give(bytes: number): void {
    this.used -= bytes;
  }
}
