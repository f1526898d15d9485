import { time } from '../../../test/bench/peers/time.mjs';
import { bars } from './bars.mjs';
import { keptResults } from './kept.mjs';
import { factor, table } from './svg.mjs';

const ROWS = {
  'list 1 %': '1 % in view',
  'list 10 %': '10 % in view',
  'list 50 %': '50 % in view',
  'sorted list 10 %': '10 %, sorted',
  'instances hit': 'hits of a ray',
};

/** The draw list of a BatchedMesh, and a ray at it: accelerated against three's own. */
export function instances() {
  const { results, machine, rounds } = keptResults('instances', 100_000);
  const rows = Object.entries(ROWS).map(([label, name]) => {
    const { accelerate, BatchedMesh } = results[label];
    return { name, us: accelerate.median, other: BatchedMesh.median };
  });
  return {
    svg: bars('How many times as fast draw lists of a batch are made', [{ name: '', rows }], ['accelerated', 'three']),
    caption: `100,000 instances in one BatchedMesh: its draw list, and a ray at it, against three's own. Medians of ${rounds} rounds on ${machine}.`,
    table: table(
      ['', 'three', 'accelerated', 'times as fast'],
      rows.map((row) => [row.name, time(row.other), time(row.us), factor(row.other / row.us)]),
    ),
  };
}
