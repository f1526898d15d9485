/** FNV-1a of 64 bits over the bits of numbers, in two halves of 32. */
export class Digest {
  #high = 0xcbf29ce4;
  #low = 0x84222325;
  readonly #double = new DataView(new ArrayBuffer(8));

  /** Takes in a whole number of 32 bits. */
  integer(value: number): void {
    for (let shift = 0; shift < 32; shift += 8) this.#byte((value >>> shift) & 0xff);
  }

  /** Takes in all 64 bits of a number. */
  number(value: number): void {
    this.#double.setFloat64(0, value);
    for (let i = 0; i < 8; i++) this.#byte(this.#double.getUint8(i));
  }

  toString(): string {
    return [this.#high, this.#low].map((half) => half.toString(16).padStart(8, '0')).join('');
  }

  #byte(value: number): void {
    const low = (this.#low ^ value) >>> 0;
    // Times 2^40 + 0x1b3, the prime: what overflows the lower half goes to the upper one.
    const product = low * 0x1b3;
    const carry = Math.floor(product / 2 ** 32);
    this.#high = (Math.imul(this.#high, 0x1b3) + carry + (low << 8)) >>> 0;
    this.#low = product >>> 0;
  }
}
