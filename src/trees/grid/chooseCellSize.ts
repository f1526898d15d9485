import { BOX, isBounded } from '../../core/box.js';

/** Items that a cell should hold on average: about two rows. */
const WANTED = 24;
/** Size of the sample, and the number of items in it whose neighbourhood is measured. */
const SAMPLED_SHARE = 1 / 16;
const FEWEST_SAMPLED = 256;
const MOST_SAMPLED = 2048;
const PROBES = 64;
/** An item alone in a cell counts as this part of a cell; counted in full, a handful would make cells vast. */
const LONE = 1 / 3;

/**
 * Chooses the edge of the cells of a grid over boxes: for a mean of `WANTED` items in a cell, over all cells that are
 * not empty, and at least the median size of the boxes.
 *
 * With n(i) items in the cell of item i, the number of cells is the sum of 1 / n(i). This is estimated from a sample:
 * the cube (planar: square) around item i with room for `WANTED` items has some volume v(i), found from the distance to
 * a near neighbour. In cells of volume V then n(i) = WANTED * V / v(i), and V must make the mean of 1 / n(i) equal to 1
 * / WANTED: V is the mean of v(i). Only items so remote that each has a cell to itself count for less.
 */
export function chooseCellSize(boxes: Float64Array, planar: boolean): number {
  const total = boxes.length / BOX;
  const taken = Math.min(total, Math.max(FEWEST_SAMPLED, Math.min(MOST_SAMPLED, Math.floor(total * SAMPLED_SHARE))));
  const { centers, sizes } = takeSample(taken, boxes, planar);
  const count = sizes.length;
  if (count === 0) return 1;
  const axes = planar ? 2 : 3;
  // The number of items of such a cube that are in the sample; if that is none, the nearest one of all is used.
  const share = (WANTED * taken) / total;
  const rank = Math.max(1, Math.min(count - 1, Math.round(share)));
  const lengths = new Float64Array(Math.min(PROBES, count));
  for (let p = 0; p < lengths.length; p++) {
    lengths[p] = distanceTo(rank, Math.floor(((p + 0.5) * count) / lengths.length), centers);
  }
  // In units of about the longest: the cubes of very small numbers would all be zero.
  const unit = 2 ** Math.floor(Math.log2(Math.max(...lengths) || 1));
  const volumes = lengths.map((length) => (((2 * length) / unit) ** axes * share) / rank);
  const edge = unit * meanVolume(volumes.sort()) ** (1 / axes);
  return Math.max(edge, sizes.sort()[count >> 1]) || 1;
}

/** Centres and sizes of `taken` boxes, evenly spread over the list; unbounded ones are left out. */
function takeSample(
  taken: number,
  boxes: Float64Array,
  planar: boolean,
): { centers: Float64Array; sizes: Float64Array } {
  const step = boxes.length / BOX / taken;
  const centers = new Float64Array(3 * taken);
  const sizes = new Float64Array(taken);
  let count = 0;
  for (let i = 0; i < taken; i++) {
    const o = BOX * Math.floor(i * step);
    if (!isBounded(boxes, o)) continue;
    for (let c = 0; c < 3; c++) {
      if (c === 1 && planar) continue;
      centers[3 * count + c] = (boxes[o + c] + boxes[o + c + 3]) / 2;
      sizes[count] = Math.max(sizes[count], boxes[o + c + 3] - boxes[o + c]);
    }
    count++;
  }
  return { centers: centers.subarray(0, 3 * count), sizes: sizes.subarray(0, count) };
}

const nearest = new Float64Array(WANTED);

/** Distance, along the farthest axis, from point i to the other point with this rank: 1 for the nearest. 0 for none. */
function distanceTo(rank: number, i: number, points: Float64Array): number {
  const x = points[3 * i];
  const y = points[3 * i + 1];
  const z = points[3 * i + 2];
  const last = rank - 1;
  let farthest = Number.POSITIVE_INFINITY;
  nearest.fill(farthest);
  for (let j = 0; j < points.length; j += 3) {
    const dx = Math.abs(points[j] - x);
    if (dx >= farthest) continue;
    const dz = Math.abs(points[j + 2] - z);
    if (dz >= farthest) continue;
    const d = Math.max(dx, dz, Math.abs(points[j + 1] - y));
    if (d >= farthest || j === 3 * i) continue;
    let k = last;
    for (; k > 0 && nearest[k - 1] > d; k--) nearest[k] = nearest[k - 1];
    nearest[k] = d;
    farthest = nearest[last];
  }
  return farthest === Number.POSITIVE_INFINITY ? 0 : farthest;
}

/** Mean of ascending volumes; those of more than `LONE * WANTED` times the mean count as that much. */
function meanVolume(volumes: Float64Array): number {
  const most = LONE * WANTED;
  let sum = 0;
  for (const volume of volumes) sum += volume;
  let weight = volumes.length;
  // With k volumes cut to most * mean: mean * count = sum of the others + k * most * mean.
  for (let i = volumes.length - 1; weight > most && volumes[i] * weight > most * sum; i--) {
    sum -= volumes[i];
    weight -= most;
  }
  return sum / weight;
}
