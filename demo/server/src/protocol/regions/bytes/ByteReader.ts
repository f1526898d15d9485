import { checksum, inWords } from '../checks.js';

/** Magic, version and checksum. */
const LEAST = 16;

/** Reads what a `ByteWriter` wrote, and throws a `RangeError` instead of reading beyond its end. */
export class ByteReader {
  /** Where the next number is. */
  at = 8;
  readonly where: string;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #end: number;

  /**
   * @throws TypeError unless given bytes; RangeError for those that are cut off or damaged, or were written by another
   * version or for something else.
   */
  constructor(bytes: Uint8Array, magic: number, version: number, what: string, where: string) {
    if (!(ArrayBuffer.isView(bytes) && bytes.BYTES_PER_ELEMENT === 1)) {
      throw new TypeError(`${where}: a Uint8Array is needed, got ${inWords(bytes)}`);
    }
    if (bytes.length < LEAST || bytes.length % 8 !== 0) {
      throw new RangeError(`${where}: ${bytes.length} bytes are no ${what}`);
    }
    // Words begin at multiples of four bytes, and so does a copy.
    const own = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
    const words = new Int32Array(own.buffer, own.byteOffset, own.length / 4);
    this.#bytes = own;
    this.#view = new DataView(own.buffer, own.byteOffset, own.length);
    this.#end = own.length - 8;
    this.where = where;
    if (this.#view.getUint32(0, true) !== magic) throw new RangeError(`${where}: these bytes are no ${what}`);
    const written = this.#view.getUint32(4, true);
    if (written !== version) throw new RangeError(`${where}: written in version ${written}, this is ${version}`);
    const [a, b] = checksum(words, 0, words.length - 2);
    if (words[words.length - 2] !== a || words[words.length - 1] !== b) {
      throw new RangeError(`${where}: the bytes are damaged, as their checksum tells`);
    }
  }

  get isAtEnd(): boolean {
    return this.at === this.#end;
  }

  u32(): number {
    this.#take(4);
    return this.#view.getUint32(this.at - 4, true);
  }

  i16(): number {
    this.#take(2);
    return this.#view.getInt16(this.at - 2, true);
  }

  f64(): number {
    this.#take(8);
    return this.#view.getFloat64(this.at - 8, true);
  }

  /** A double that counts something: whole, not negative, and exact. */
  count(what: string): number {
    const value = this.f64();
    if (!(Number.isSafeInteger(value) && value >= 0)) throw new RangeError(`${this.where}: ${what} ${value}`);
    return value;
  }

  /** Passes bytes, and the zeros up to a multiple of eight; returns where they begin. */
  skip(length: number): number {
    const at = this.at;
    this.#take(length);
    this.#take(-this.at & 7);
    return at;
  }

  /** A copy of bytes that were passed. */
  copy(at: number, length: number): Uint8Array {
    return new Uint8Array(this.#bytes.subarray(at, at + length));
  }

  /** Whether bytes that were passed are those. */
  isEqual(at: number, length: number, bytes: Uint8Array): boolean {
    if (bytes.length !== length) return false;
    for (let i = 0; i < length; i++) if (this.#bytes[at + i] !== bytes[i]) return false;
    return true;
  }

  #take(count: number): void {
    if (count > this.#end - this.at) throw new RangeError(`${this.where}: the bytes end too early`);
    this.at += count;
  }
}
