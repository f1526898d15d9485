import { type ItemIds, LIVE } from './ItemIds.js';

/**
 * Makes ids what they were when `next`, as far as ids were handed out, and the first free one were saved, or throws: each
 * id must be in use, or come once in the list of free ones.
 */
export function restoreIds(ids: ItemIds, next: Int32Array, free: number, where: string): void {
  let live = 0;
  for (const entry of next) if (entry === LIVE) live++;
  let listed = 0;
  for (let id = free; id !== -1; id = next[id]) {
    // A list that goes in circles would be longer than there are ids.
    if (!(id >= 0 && id < next.length) || next[id] === LIVE || ++listed > next.length - live) {
      throw new RangeError(`${where}: the list of free ids is broken at ${id}`);
    }
  }
  if (listed !== next.length - live) {
    throw new RangeError(`${where}: ${next.length - live} ids are free, but ${listed} are in their list`);
  }
  ids.next = new Int32Array(Math.max(16, next.length));
  ids.next.set(next);
  ids.firstFree = free;
  ids.limit = next.length;
  ids.size = live;
}
