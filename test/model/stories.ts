import { random } from '../helpers/random.js';
import type { Edit } from './EditScript.js';
import type { Maintain } from './maintenance.js';

/** More items than there ever are. */
export const ALL = 4096;

/** Edits for a script to begin with: histories that random steps hardly ever come upon. */
export const STORIES: ((seed: number) => Edit[])[] = [exodus, endlessCrowds, outward];

/** Most go of what lies in many cells, and the others move. */
function exodus(seed: number): Edit[] {
  const next = random(seed);
  const probe = (): number => Math.floor(next() * 2 ** 31);
  const by = [0, 0, 0].map(() => (next() - 0.5) * 24);
  return [
    { do: 'crowd', count: 300 + Math.floor(next() * 450), seed: probe(), probe: probe() },
    { do: 'thin', item: probe(), of: next() < 0.7 ? 10 : 20, probe: probe() },
    { do: 'migrate', item: 0, count: ALL, by, atOnce: next() < 0.5, probe: probe(), ...sometimes(next) },
  ];
}

/** Items that have a place in the tree and items that have none come in turns. */
function endlessCrowds(seed: number): Edit[] {
  const next = random(seed);
  const probe = (): number => Math.floor(next() * 2 ** 31);
  return [1, 10, 60, 150 + Math.floor(next() * 600)].map((count, i) => ({
    do: 'crowd',
    count,
    endless: i % 2 === 1,
    oneByOne: true,
    seed: probe(),
    probe: probe(),
  }));
}

/** Far items drift further, one cell after the other, from many that each lie in a cell of another size. */
function outward(seed: number): Edit[] {
  const next = random(seed);
  const probe = (): number => Math.floor(next() * 2 ** 31);
  const count = 45 + Math.floor(next() * 15);
  const far = { item: count - 2, count: 2, by: 1.01 + next() / 3, atOnce: false };
  const steps = Array.from({ length: 30 }, (): Edit => ({ do: 'scale', ...far, probe: probe(), ...sometimes(next) }));
  return [{ do: 'ladder', count, by: 2.01, axis: Math.floor(next() * 3), probe: probe() }, ...steps];
}

function sometimes(next: () => number): { maintenance?: Maintain } {
  return next() < 0.5 ? { maintenance: 'maintain' } : {};
}
