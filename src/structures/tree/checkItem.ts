import { inWords } from '../../core/inWords.js';
import type { Tree } from '../../core/storage/Tree.js';

/** The primary entry of an item; throws if no item has that id. */
export function checkItem({ rows }: Tree, id: number, where: string): number {
  // Every item has an entry. Beyond the array, and for numbers that are not whole, the value is undefined and fails the
  // test.
  const slot = typeof id === 'number' ? rows.firstSlot[id] : -1;
  if (!(slot >= 0)) throw new RangeError(`${where}: no item ${inWords(id)}`);
  return slot;
}

/**
 * Copies and checks ids of items. An Int32Array runs no code when it is read, so it is returned as it is, unchecked.
 */
export function readItems(tree: Tree, ids: ArrayLike<number>, where: string): ArrayLike<number> {
  if (ids === null || typeof ids !== 'object' || typeof ids.length !== 'number') {
    throw new TypeError(`${where}: ids are an array of numbers, got ${inWords(ids)}`);
  }
  if (ids instanceof Int32Array) return ids;
  const own: number[] = [];
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i];
    checkItem(tree, id, where);
    own.push(id);
  }
  return own;
}
