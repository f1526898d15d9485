import { checksum, grow } from '../checks.js';

const NO_BYTES = new Uint8Array(0);

/** Writes numbers, little-endian, into memory that it keeps. */
export class ByteWriter {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** Begins anew. */
  begin(magic: number, version: number): void {
    this.#length = 0;
    this.u32(magic);
    this.u32(version);
  }

  u32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
  }

  f64(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /** Six doubles. */
  box(box: Float64Array): void {
    this.#reserve(48);
    for (let c = 0; c < 6; c++) this.#view.setFloat64(this.#length + 8 * c, box[c], true);
    this.#length += 48;
  }

  /** A number, and three of 16 bits. */
  ghost(slot: number, steps: Int16Array, at: number): void {
    this.#reserve(10);
    this.#view.setUint32(this.#length, slot, true);
    for (let c = 0; c < 3; c++) this.#view.setInt16(this.#length + 4 + 2 * c, steps[at + c], true);
    this.#length += 10;
  }

  /** Bytes, and zeros up to a multiple of eight. */
  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length + 8);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    while (this.#length % 8 !== 0) this.#bytes[this.#length++] = 0;
  }

  /** Where the next number goes, to be written later by `put`. */
  skip(): number {
    this.u32(0);
    return this.#length - 4;
  }

  put(at: number, value: number): void {
    this.#view.setUint32(at, value, true);
  }

  /** A copy of all that was written, and its checksum. */
  finish(): Uint8Array {
    this.bytes(NO_BYTES);
    const words = new Int32Array(this.#bytes.buffer, 0, this.#length / 4);
    const [a, b] = checksum(words, 0, words.length);
    this.u32(a);
    this.u32(b);
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    this.#bytes = grow(this.#bytes, 8 * Math.ceil((this.#length + count) / 8));
    this.#view = new DataView(this.#bytes.buffer);
  }
}
