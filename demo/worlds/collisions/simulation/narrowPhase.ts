import { type IdPairs, polygonsOverlap } from '../../../../src/standalone.js';
import { type Bodies, CORNERS } from './Bodies.js';

const first = new Float64Array(CORNERS);
const second = new Float64Array(CORNERS);

/** Drops the pairs of which only the bounds overlap, by separating axes. `bodyOf`: the body of each id. */
export function keepOverlapping(pairs: IdPairs, { corners }: Bodies, bodyOf: ArrayLike<number>): void {
  const { ids } = pairs;
  let kept = 0;
  for (let i = 0; i < 2 * pairs.length; i += 2) {
    copyCorners(corners, bodyOf[ids[i]], first);
    copyCorners(corners, bodyOf[ids[i + 1]], second);
    if (!polygonsOverlap(first, second)) continue;
    ids[kept] = ids[i];
    ids[kept + 1] = ids[i + 1];
    kept += 2;
  }
  pairs.length = kept / 2;
}

function copyCorners(corners: Float64Array, body: number, out: Float64Array): void {
  for (let i = 0, o = CORNERS * body; i < CORNERS; i++) out[i] = corners[o + i];
}
