import { type ItemIds, LIVE } from './ItemIds.js';

/**
 * Restores ids from the saved `next`, with an element for each id ever allocated, and the first free id, or throws:
 * each id must be in use, or occur once in the list of free ids.
 */
export function restoreIds(ids: ItemIds, next: Int32Array, free: number, where: string): void {
  let live = 0;
  for (const entry of next) if (entry === LIVE) live++;
  let listed = 0;
  for (let id = free; id !== -1; id = next[id]) {
    // A cyclic list would be longer than the number of free ids.
    if (!(id >= 0 && id < next.length) || next[id] === LIVE || ++listed > next.length - live) {
      throw new RangeError(`${where}: the list of free ids is broken at ${id}`);
    }
  }
  if (listed !== next.length - live) {
    throw new RangeError(`${where}: ${next.length - live} ids are free, but ${listed} are in their list`);
  }
  ids.next = new Int32Array(Math.max(16, next.length));
  ids.next.set(next);
  ids.born = new Int32Array(ids.next.length);
  ids.firstFree = free;
  ids.limit = next.length;
  ids.size = live;
}
