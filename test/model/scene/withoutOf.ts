import { ACT_NAMES } from './acts.js';
import { KINDS } from './makeObject.js';

/** Checks that can be left out; without `spheres`, three has computed no bounds that acts did not ask for. And occlusion. */
export const CHECKS = ['occlusion', 'lightOrder', 'passes', 'shadows', 'picks', 'indexPick', 'spheres'];

/** What is to be left out of scripts, from names with commas between them: acts, kinds of objects, checks. */
export function withoutOf(names = ''): ReadonlySet<string> {
  const without = new Set(names.split(',').filter((name) => name !== ''));
  const known = new Set<string>([...ACT_NAMES, ...KINDS, ...CHECKS]);
  for (const name of without) if (!known.has(name)) throw new RangeError(`no act, kind or check is called ${name}`);
  return without;
}
