import { BOX } from '../core/box.js';

/** Items looked at to find the longest axis, and to guess where along it the middle lies. */
const SAMPLE = 64;
/** Below this number of items the guess costs more than it saves. */
const FEW = 256;

/**
 * Rearranges `order[from]` to `order[to - 1]`, which name boxes, so that those before `middle` come no later than the
 * others along the axis on which their centres spread most. Y does not count in a planar world.
 */
export function halve(
  boxes: Float64Array,
  order: Int32Array,
  from: number,
  to: number,
  middle: number,
  planar: boolean,
): void {
  select(boxes, longestAxis(boxes, order, from, to, planar), order, from, to - 1, middle);
}

function longestAxis(boxes: Float64Array, order: Int32Array, from: number, to: number, planar: boolean): number {
  let minX = Number.POSITIVE_INFINITY;
  let minY = minX;
  let minZ = minX;
  let maxX = Number.NEGATIVE_INFINITY;
  let maxY = maxX;
  let maxZ = maxX;
  const step = Math.ceil((to - from) / SAMPLE);
  for (let i = from; i < to; i += step) {
    const o = BOX * order[i];
    const x = boxes[o] + boxes[o + 3];
    const y = boxes[o + 1] + boxes[o + 4];
    const z = boxes[o + 2] + boxes[o + 5];
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
    if (z < minZ) minZ = z;
    if (z > maxZ) maxZ = z;
  }
  const x = maxX - minX;
  const y = planar ? -1 : maxY - minY;
  const z = maxZ - minZ;
  if (x >= y && x >= z) return 0;
  return y >= z ? 1 : 2;
}

/**
 * Rearranges order[left..right] so that the items before position k come no later along the axis than those from k on
 * (Hoare's quickselect). Items with unbounded boxes have no place along it and stay where they are.
 */
function select(boxes: Float64Array, axis: number, order: Int32Array, start: number, end: number, k: number): void {
  let left = start;
  let right = end;
  while (left < right) {
    const pivot = guess(boxes, axis, order, left, right, k);
    let i = left;
    let j = right;
    // Invariant: nothing before i lies beyond the pivot, nothing behind j lies before it.
    while (i <= j) {
      while (boxes[BOX * order[i] + axis] + boxes[BOX * order[i] + axis + 3] < pivot) i++;
      while (boxes[BOX * order[j] + axis] + boxes[BOX * order[j] + axis + 3] > pivot) j--;
      if (i > j) break;
      const swap = order[i];
      order[i++] = order[j];
      order[j--] = swap;
    }
    if (k <= j) right = j;
    else if (k >= i) left = i;
    else return;
  }
}

/** The coordinate of some item, likely one near position k: with it one pass does most of the work. */
function guess(boxes: Float64Array, axis: number, order: Int32Array, left: number, right: number, k: number): number {
  const count = right - left + 1;
  if (count < FEW) {
    const o = BOX * order[(left + right) >> 1] + axis;
    return boxes[o] + boxes[o + 3];
  }
  const step = count / SAMPLE;
  for (let n = 0; n < SAMPLE; n++) {
    const o = BOX * order[left + Math.floor(n * step)] + axis;
    const value = boxes[o] + boxes[o + 3];
    let i = n;
    for (; i > 0 && sample[i - 1] > value; i--) sample[i] = sample[i - 1];
    sample[i] = value;
  }
  return sample[Math.floor((k - left) / step)];
}

const sample = new Float64Array(SAMPLE);
