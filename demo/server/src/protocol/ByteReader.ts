/** Reads little-endian numbers. Whatever else comes throws a RangeError. */
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

  /** 16 bits without a sign. */
  word(): number {
    return this.byte() | (this.byte() << 8);
  }

  int32(): number {
    return this.byte() | (this.byte() << 8) | (this.byte() << 16) | (this.byte() << 24);
  }
}
