import { ENTRIES } from './layout';

/** Bytes of a box on the stack of boxes to visit: tier, number within the tier, `RoughDistance.entry`; least on top. */
export const WAITING_BYTES: usize = 12;

/**
 * Puts boxes of a quad on the stack, sorted by the numbers in ENTRIES: below boxes with a lesser number, down to
 * `lowest` and past `shifts` boxes at most. Returns the new top.
 */
@inline
export function pushBoxes(h: i32, quad: i32, lanes: i32, start: usize, lowest: usize, shifts: usize): usize {
  let top = start;
  for (let left = lanes; left !== 0; left &= left - 1) {
    const lane = ctz(left);
    const entry = load<f32>(ENTRIES + (<usize>lane << 2));
    const last = top - min<usize>(top - lowest, shifts * WAITING_BYTES);
    let i = top;
    top += WAITING_BYTES;
    for (; i > last && load<f32>(i - WAITING_BYTES, 8) < entry; i -= WAITING_BYTES) {
      store<i64>(i, load<i64>(i - WAITING_BYTES));
      store<f32>(i, load<f32>(i - WAITING_BYTES, 8), 8);
    }
    store<i32>(i, h);
    store<i32>(i, (quad << 2) + lane, 4);
    store<f32>(i, entry, 8);
  }
  return top;
}
