import { BOX } from '../core/box.js';
import { Hits } from '../core/Hits.js';
import { IdList } from '../core/IdList.js';
import { IdPairs } from '../core/IdPairs.js';
import { inWords } from '../core/inWords.js';

// One function for each class, because `instanceof` is fast where it always tests for the same one.

export function checkIdList(list: unknown, where: string): void {
  if (!(list instanceof IdList)) fail(where, 'an IdList', list);
}

export function checkHits(list: unknown, where: string): void {
  if (!(list instanceof Hits)) fail(where, 'a Hits', list);
}

export function checkIdPairs(list: unknown, where: string): void {
  if (!(list instanceof IdPairs)) fail(where, 'an IdPairs', list);
}

/** Throws unless a box can be written to it. */
export function checkTarget(out: unknown, where: string): void {
  if (!(out instanceof Float64Array))
    throw new TypeError(`${where}: must write to a Float64Array, got ${inWords(out)}`);
  if (out.length < BOX) throw new RangeError(`${where}: must write six numbers, got room for ${out.length}`);
}

function fail(where: string, kind: string, got: unknown): never {
  throw new TypeError(`${where}: the list to be filled must be ${kind}, got ${inWords(got)}`);
}
