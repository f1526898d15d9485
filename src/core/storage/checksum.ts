/** 64 bits that tell of the numbers from one place to another: a changed bit changes them for certain. */
export function checksum(words: Int32Array, from: number, to: number): [number, number] {
  let a = 0x811c9dc5 | 0;
  let b = 0x9e3779b9 | 0;
  for (let i = from; i < to; i++) {
    // Both steps can be undone if the word is known, so that what differs once goes on to differ.
    a = Math.imul(a ^ words[i], 0x01000193);
    b = Math.imul(((b << 13) | (b >>> 19)) ^ words[i], 0x85ebca6b);
  }
  return [a, b];
}
