// Smooth noise in space, the same on each run.

/** From -1 to 1, about one bump per unit. */
export function noise(x, y, z) {
  const [i, j, k] = [Math.floor(x), Math.floor(y), Math.floor(z)];
  const [u, v, w] = [ease(x - i), ease(y - j), ease(z - k)];
  let sum = 0;
  for (let corner = 0; corner < 8; corner++) {
    const [a, b, c] = [corner & 1, (corner >> 1) & 1, corner >> 2];
    sum += (a ? u : 1 - u) * (b ? v : 1 - v) * (c ? w : 1 - w) * hash(i + a, j + b, k + c);
  }
  return 2 * sum - 1;
}

/** Noise of several sizes, each half as large and half as strong as the one before. */
export function rough(x, y, z, octaves) {
  let sum = 0;
  for (let n = 0, scale = 1; n < octaves; n++, scale *= 2) {
    sum += noise(x * scale + 17 * n, y * scale - 5 * n, z * scale + 31 * n) / scale;
  }
  return sum;
}

/** A number from 0 to 1 for three whole ones. */
export function hash(i, j, k) {
  let bits = Math.imul(i, 0x27d4eb2d) ^ Math.imul(j, 0x165667b1) ^ Math.imul(k, 0x5f356495);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}

export function ease(t) {
  const s = Math.min(1, Math.max(0, t));
  return s * s * (3 - 2 * s);
}

export function mix(a, b, t) {
  return a + (b - a) * t;
}
