import { time } from '../../../test/bench/peers/time.mjs';
import { bars } from './bars.mjs';
import { keptTable, microseconds } from './kept.mjs';
import { factor, table } from './svg.mjs';

const GROUPS = {
  'Find what to draw': /^finding what to draw, (.*)$/,
  'Whole frame, on the CPU': /^whole frame, (.*)$/,
  'Whole frame of a small scene, all in view': /^whole frame of (.* meshes), none static, all seen$/,
};

/** An accelerated scene against plain three, in Chromium. */
export function browser() {
  const { head, rows: kept } = keptTable('results-browser.md');
  const column = (name, cells) => cells[head.indexOf(name)];
  const rowOf = (name, cells) => ({
    name,
    us: microseconds(column('accelerated', cells)),
    other: microseconds(column('three', cells)),
    // That of turns which follow each other: the times by themselves are of a machine that was busier now and then.
    times: 1 / Number(column('ratio', cells)),
  });
  const groups = Object.entries(GROUPS).map(([name, pattern]) => ({
    name,
    rows: kept.flatMap((cells) => {
      const [, rest] = pattern.exec(cells[0]) ?? [];
      return rest === undefined ? [] : [rowOf(shortened(rest), cells)];
    }),
  }));
  return {
    svg: bars('How many times as fast accelerated frames are', groups, ['accelerated', 'three']),
    caption:
      'accelerate(scene) against plain three: 100,000 meshes and a shadow, WebGLRenderer, CPU time; logarithmic.',
    table: table(
      ['', 'three', 'accelerated', 'times as fast'],
      groups.flatMap(({ name, rows: some }) =>
        some.map((row) => [`${name}: ${row.name}`, time(row.other), time(row.us), factor(row.times)]),
      ),
    ),
  };
}

function shortened(name) {
  return name
    .replace(/^all static, /, '')
    .replace('none static, 1 % seen, 1 % moving', '1 % seen, 1 % moving')
    .replace('10 % seen, trees of ten meshes', '10 %, trees of ten')
    .replace('10 % seen, chains of ten meshes', '10 %, chains of ten')
    .replace('10 % seen, all below one mesh in view', '10 %, below one mesh');
}
