/** A checksum of 64 bits over words[from] to words[to - 1]: changing a single bit is certain to change it. */
export function checksum(words: Int32Array, from: number, to: number): [number, number] {
  let a = 0x811c9dc5 | 0;
  let b = 0x9e3779b9 | 0;
  for (let i = from; i < to; i++) {
    // For a known word both steps can be inverted, so states that differ once remain different.
    a = Math.imul(a ^ words[i], 0x01000193);
    b = Math.imul(((b << 13) | (b >>> 19)) ^ words[i], 0x85ebca6b);
  }
  return [a, b];
}
