import { BOX, isBounded } from '../core/box.js';

/** Items that a cell is to hold on average: about two rows. Fewer make more rows, that are not full. */
const WANTED = 24;
/** Items looked at, and those among them whose neighbourhood is measured. */
const SAMPLE = 512;
const PROBES = 32;

/**
 * An edge for the cells of a grid over boxes, for `WANTED` items to a cell in the mean over all cells that are not empty;
 * at least the median size of the boxes.
 *
 * With n(i) items in the cell of item i there are as many cells as the sum of 1 / n(i). That is estimated from a sample:
 * the cube (planar: square) around item i with room for `WANTED` items has some volume v(i), found from the distance to a
 * near neighbour. In cells of volume V then n(i) = WANTED * V / v(i), but 1 at least, and V is to be such that the mean
 * of 1 / n(i) is 1 / WANTED. It is the mean of v(i), but for a few items so far off that each has a cell to itself.
 */
export function chooseCellSize(boxes: Float64Array, planar: boolean): number {
  const sample = takeSample(boxes);
  const count = sample.length / BOX;
  if (count === 0) return 1;
  const axes = planar ? 2 : 3;
  // So many of the items in such a cube are in the sample; where that is none, the nearest of all has to do.
  const share = (WANTED * count * BOX) / boxes.length;
  const rank = Math.max(1, Math.min(count - 1, Math.round(share)));
  const volumes = new Float64Array(Math.min(PROBES, count));
  const sizes = new Float64Array(volumes.length);
  for (let p = 0; p < volumes.length; p++) {
    const o = BOX * Math.floor(((p + 0.5) * count) / volumes.length);
    volumes[p] = ((2 * distanceTo(rank, o, sample, planar)) ** axes * share) / rank;
    const height = planar ? 0 : sample[o + 4] - sample[o + 1];
    sizes[p] = Math.max(sample[o + 3] - sample[o], height, sample[o + 5] - sample[o + 2]);
  }
  const edge = meanVolume(volumes.sort()) ** (1 / axes);
  return Math.max(edge, sizes.sort()[sizes.length >> 1]) || 1;
}

/** Some of the bounded boxes, evenly spread over the list. */
function takeSample(boxes: Float64Array): Float64Array {
  const total = boxes.length / BOX;
  const most = Math.min(total, SAMPLE);
  const sample = new Float64Array(BOX * most);
  let end = 0;
  for (let i = 0; i < most; i++) {
    const o = BOX * Math.floor((i * total) / most);
    if (!isBounded(boxes, o)) continue;
    for (let c = 0; c < BOX; c++) sample[end + c] = boxes[o + c];
    end += BOX;
  }
  return sample.subarray(0, end);
}

const nearest = new Float64Array(WANTED);

/** Distance, along the farthest axis, from the centre of a box to the nearest, second nearest, ... of the other centres. */
function distanceTo(rank: number, o: number, boxes: Float64Array, planar: boolean): number {
  const x = boxes[o] + boxes[o + 3];
  const y = boxes[o + 1] + boxes[o + 4];
  const z = boxes[o + 2] + boxes[o + 5];
  const last = rank - 1;
  nearest.fill(Number.POSITIVE_INFINITY);
  for (let p = 0; p < boxes.length; p += BOX) {
    const dy = planar ? 0 : Math.abs(boxes[p + 1] + boxes[p + 4] - y);
    const d = Math.max(Math.abs(boxes[p] + boxes[p + 3] - x), dy, Math.abs(boxes[p + 2] + boxes[p + 5] - z)) / 2;
    if (d >= nearest[last] || p === o) continue;
    let k = last;
    for (; k > 0 && nearest[k - 1] > d; k--) nearest[k] = nearest[k - 1];
    nearest[k] = d;
  }
  // There may be no other.
  return Number.isFinite(nearest[last]) ? nearest[last] : 0;
}

/** Mean of ascending volumes; those of more than `WANTED` times the mean count as that much. */
function meanVolume(volumes: Float64Array): number {
  let sum = 0;
  for (const volume of volumes) sum += volume;
  let weight = volumes.length;
  // With k volumes cut to WANTED * mean: mean * count = sum of the others + k * WANTED * mean.
  for (let i = volumes.length - 1; weight > WANTED && volumes[i] * weight > WANTED * sum; i--) {
    sum -= volumes[i];
    weight -= WANTED;
  }
  return sum / weight;
}
