import { type ItemIds, LIVE } from '../core/ItemIds.js';
import { inWords } from '../core/inWords.js';

/** Throws unless there is an item with that id. */
export function checkItem(ids: ItemIds, id: number, where: string): void {
  // Beyond the array, and for numbers that are not whole, the value is undefined and fails the test.
  if (typeof id !== 'number' || ids.next[id] !== LIVE) throw new RangeError(`${where}: no item ${inWords(id)}`);
}

/**
 * Copies and checks ids of items. An Int32Array runs no code when it is read, so it is returned as it is, unchecked.
 */
export function readItems(items: ItemIds, ids: ArrayLike<number>, where: string): ArrayLike<number> {
  if (ids === null || typeof ids !== 'object' || typeof ids.length !== 'number') {
    throw new TypeError(`${where}: ids are an array of numbers, got ${inWords(ids)}`);
  }
  if (ids instanceof Int32Array) return ids;
  const own: number[] = [];
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i];
    checkItem(items, id, where);
    own.push(id);
  }
  return own;
}
