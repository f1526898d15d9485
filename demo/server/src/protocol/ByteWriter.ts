/** Writes into a buffer that is used again and again; its user proves that it is large enough. Little endian. */
export class ByteWriter {
  readonly bytes: Uint8Array;
  length = 0;
  readonly #view: DataView;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.bytes.buffer);
  }

  /** What was written; the same memory. */
  get written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  byte(value: number): void {
    this.bytes[this.length++] = value;
  }

  /** A whole number of up to 32 bits without a sign, seven bits a byte. */
  count(value: number): void {
    let rest = value >>> 0;
    while (rest > 127) {
      this.bytes[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  /** One of 32 bits with a sign; those near zero are short. */
  difference(value: number): void {
    this.count((value << 1) ^ (value >> 31));
  }

  int16(value: number): void {
    this.bytes[this.length++] = value;
    this.bytes[this.length++] = value >> 8;
  }

  int32(value: number): void {
    this.#view.setInt32(this.length, value, true);
    this.length += 4;
  }
}
