/** Corners of a tower: 0 to 3 round the foot, 4 to 7 above them. Corner 1 is the edge towards the eye. */
const PATTERN = [
  // The side from 0 to 1 and the side from 1 to 2; each triangle ends on the first lower corner of its side...
  1, 5, 0, 5, 4, 0, 2, 6, 1, 6, 5, 1,
  // ...and those of the roof on 4: so three corners tell three faces apart.
  5, 6, 4, 6, 7, 4,
];

export const INDICES_PER_TOWER = PATTERN.length;

/** Triangles of this many towers. Two sides and a roof are all that is ever visible; the shader places the corners. */
export function towerIndex(towers: number): Uint32Array {
  const index = new Uint32Array(INDICES_PER_TOWER * towers);
  for (let i = 0; i < index.length; i++) {
    index[i] = 8 * Math.floor(i / INDICES_PER_TOWER) + PATTERN[i % INDICES_PER_TOWER]!;
  }
  return index;
}
