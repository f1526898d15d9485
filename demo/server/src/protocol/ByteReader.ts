/** Reads what a `ByteWriter` wrote. Whatever else comes throws a RangeError. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  /** @throws TypeError for what is not bytes. */
  constructor(bytes: Uint8Array) {
    if (!(bytes instanceof Uint8Array)) throw new TypeError('ByteReader.bytes: must be a Uint8Array');
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    if (this.#at >= this.#bytes.length) throw new RangeError(`message ends after ${this.#bytes.length} bytes`);
    return this.#bytes[this.#at++];
  }

  count(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) {
        if (value >= 2 ** 32) break;
        return value;
      }
    }
    throw new RangeError('message has a number of more than 32 bits');
  }

  difference(): number {
    const value = this.count();
    return (value >>> 1) ^ -(value & 1);
  }

  int16(): number {
    return ((this.byte() | (this.byte() << 8)) << 16) >> 16;
  }

  int32(): number {
    return this.byte() | (this.byte() << 8) | (this.byte() << 16) | (this.byte() << 24);
  }
}
