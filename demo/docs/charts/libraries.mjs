import { GROUPS } from '../../../test/bench/peers/chartGroups.mjs';
import { rivals } from '../../../test/bench/peers/rivals.mjs';
import { time } from '../../../test/bench/peers/time.mjs';
import { bars } from './bars.mjs';
import { keptResults } from './kept.mjs';
import { factor, table } from './svg.mjs';

/** Our fastest structure against the fastest other library, for each workload of a world of 100,000 boxes. */
export function libraries(part) {
  const { results, rounds, machine } = keptResults(part, 100_000);
  const groups = Object.entries(GROUPS).map(([name, names]) => ({ name, rows: rowsOf(names, results) }));
  return {
    svg: bars(`How many times as fast as the fastest other library, 100,000 ${part} boxes`, groups, ['ours', 'other']),
    caption: `Our fastest structure against the fastest other library; logarithmic. Medians of ${rounds} rounds on ${machine}.`,
    table: table(
      ['', 'ours', 'fastest other', 'times as fast'],
      groups.flatMap(({ name, rows }) =>
        rows.map((row) => [
          `${name}: ${row.name}`,
          `${time(row.us)} (${row.ours})`,
          `${time(row.other)} (${row.peer})`,
          factor(row.other / row.us),
        ]),
      ),
    ),
  };
}

function rowsOf(names, results) {
  return Object.entries(names).flatMap(([label, name]) => {
    const { us, peer } = rivals(results[label] ?? {});
    if (us === undefined || peer === undefined) return [];
    return [{ name, us: us.median, other: peer.median, ours: us.library, peer: peer.library }];
  });
}
