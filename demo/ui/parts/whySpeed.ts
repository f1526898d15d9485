import { number } from './format.js';

/** What a way to draw had to do, beside plain three. */
export interface Counts {
  /** What is counted, in the plural: "objects". */
  things: string;
  total: number;
  inView: number;
  /** Draw calls with the index, and in batches. */
  calls: number;
  batchedCalls: number;
}

/** With fewer objects a query costs about as much as a test of each. */
const FEW = 300;
/** With a larger share in view there is little to leave out. */
const MUCH = 1 / 3;

/** Why an index makes a frame faster, or why it does not: by counts. */
export function whyIndex(isFaster: boolean, { things, total, inView, calls }: Counts): string {
  if (isFaster) return `${number(total - inView)} of ${number(total)} ${things} are out of view, and not even visited.`;
  if (total < FEW) return `Only ${number(total)} ${things}: to test each one costs no more than a query.`;
  if (inView > MUCH * total) return `${number(inView)} of ${number(total)} ${things} are in view: little to leave out.`;
  return `Most of the time goes into ${number(calls)} draw calls, which plain three makes as well.`;
}

/** Why batches make a frame faster, or why they do not: by counts. */
export function whyBatched(isFaster: boolean, { calls, batchedCalls }: Counts): string {
  const places = `${number(batchedCalls)} draw calls in place of ${number(calls)}`;
  if (batchedCalls > 0.8 * calls) return `Few meshes are alike: ${places}.`;
  return isFaster ? `${places}.` : `${places}, but here they cost less than keeping batches does.`;
}

/** Why culling by the index is faster than a test of each object, or why it is not. */
export function whyCulling(isFaster: boolean, tested: number, { things, total, inView }: Counts): string {
  if (!isFaster && total < FEW) return `Only ${number(total)} ${things} to test.`;
  if (!isFaster && inView > MUCH * total) return `${number(inView)} of ${number(total)} ${things} are in view.`;
  return `${number(tested)} boxes tested in place of ${number(total)}.`;
}
