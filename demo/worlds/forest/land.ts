/** Half an edge of the square in which the island lies, in metres. */
export const HALF = 600;
/** Height of the sea. */
export const SEA = 0;

/** Waves of the ground: size, height, and where the pattern begins. */
const WAVES: [size: number, height: number, shift: number][] = [
  [210, 20, 3.1],
  [76, 7, 41.7],
  [19, 1.1, 8.9],
];

/** Height of the ground. Hills, a lake in their midst, and the sea all round. */
export function heightAt(x: number, z: number): number {
  let height = 10;
  for (const [size, wave, shift] of WAVES) height += wave * noise(x / size + shift, z / size - shift);
  height -= 19 * Math.exp(-((x - 90) ** 2 + (z + 40) ** 2) / 14_000);
  const shore = Math.hypot(x, z) / HALF;
  return height - 46 * smooth((shore - 0.62) / 0.4);
}

/** How much of the ground trees cover here, 0 to 1: woods and clearings, none on the shore. */
export function coverAt(x: number, z: number): number {
  const dry = smooth((heightAt(x, z) - SEA - 1.2) / 2);
  return dry * smooth((noise(x / 58 + 17.3, z / 58 + 5.9) + 0.62) / 0.5);
}

/** 0 to 1: broad-leaved trees, or conifers. */
export function coldAt(x: number, z: number): number {
  return smooth(0.5 + 0.9 * noise(x / 120 - 9.4, z / 120 + 2.2) + (heightAt(x, z) - 13) / 24);
}

/** Smooth noise from -1 to 1, about one hill per unit. */
function noise(x: number, z: number): number {
  const [column, row] = [Math.floor(x), Math.floor(z)];
  const [u, v] = [smooth(x - column), smooth(z - row)];
  const near = mix(chanceAt(column, row), chanceAt(column + 1, row), u);
  const far = mix(chanceAt(column, row + 1), chanceAt(column + 1, row + 1), u);
  return 2 * mix(near, far, v) - 1;
}

function chanceAt(column: number, row: number): number {
  let bits = Math.imul(column, 0x27d4eb2d) ^ Math.imul(row, 0x165667b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}

function smooth(t: number): number {
  const s = Math.min(1, Math.max(0, t));
  return s * s * (3 - 2 * s);
}

function mix(a: number, b: number, t: number): number {
  return a + (b - a) * t;
}
