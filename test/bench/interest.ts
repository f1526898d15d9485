/**
 * Interest management: all items move in each tick, then each observer is told what has come into its view and gone out of
 * it; in turns with a loop over all pairs that tells the same. Then the same world in four regions: what a tick costs more.
 */
import { Interest, Region, RegionMap } from '../../src/interest.js';
import { enableSimd, Packed } from '../../src/standalone.js';
import { Crowd } from './interest/Crowd.js';
import { PairLoop } from './interest/PairLoop.js';
import { microseconds, Timings } from './Timings.js';

enableSimd();

const RADIUS = 50;
const TICKS = 60;
const WARM_UP = 10;

console.log('\n### Interest: all items move, then all observers are told what entered and left their views\n');
console.log(
  '| observers, items | in view | events a tick | moves and tick | of these the moves | loop over all pairs | ratio |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- |');
console.log(views(500, 10_000, TICKS));
console.log(views(2_000, 50_000, 20));
console.log('\n### Regions: 10,000 items in 4 regions that see 50 beyond their borders, for each region and tick\n');
console.log(
  '| own | ghosts | bytes sent | moves | tick | export to 3 | import from 3 | snapshot | restore | undivided: moves of all |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
console.log(regions(10_000));

function views(observers: number, items: number, ticks: number): string {
  const crowd = new Crowd(items);
  const index = new Packed({ planar: true });
  const ids = index.addAll(crowd.boxes);
  const interest = new Interest(index);
  const own = Array.from({ length: observers }, (_, i) => {
    return interest.observe({ item: ids[i * Math.floor(items / observers)], radius: RADIUS });
  });
  const timings = new Timings();
  const pairs = new PairLoop(observers, items, RADIUS);
  let inView = 0;
  let events = 0;
  for (let round = -WARM_UP; round < ticks; round++) {
    crowd.move();
    let moved = 0;
    timings.add(round, 'all', 1, () => {
      const start = process.hrtime.bigint();
      index.updateAll(ids, crowd.boxes);
      moved = Number(process.hrtime.bigint() - start) / 1e3;
      interest.tick();
      return 0;
    });
    timings.note(round, 'moves', moved);
    // The loop takes its time, and the same one in each round.
    if (round >= -2 && round < 5) timings.add(round, 'loop', 1, () => pairs.tick(crowd.boxes));
    const seen = own.reduce((sum, observer) => sum + observer.inView.length, 0);
    if (round >= -2 && round < 5 && seen !== pairs.inView) throw new Error(`${seen} in view, not ${pairs.inView}`);
    if (round < 0) continue;
    inView += seen / observers;
    events += own.reduce((sum, { entered, left }) => sum + entered.length + left.length, 0);
  }
  const [all, moves, loop] = ['all', 'moves', 'loop'].map((label) => timings.median(label));
  const cells = [
    `${observers.toLocaleString('en')}, ${items.toLocaleString('en')}`,
    (inView / ticks).toFixed(0),
    (events / ticks).toFixed(0),
    microseconds(all),
    microseconds(moves),
    microseconds(loop),
    `1/${(loop / all).toFixed(0)}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function regions(items: number): string {
  const crowd = new Crowd(items);
  const { edge, boxes } = crowd;
  const map = new RegionMap({ bounds: [0, 0, edge, edge], columns: 2, rows: 2 });
  const all = Array.from({ length: 4 }, (_, n) => new Region(map, n, { margin: RADIUS, incarnation: 1 }));
  for (let i = 0; i < items; i++) {
    const box = boxes.subarray(6 * i, 6 * i + 6);
    all[map.regionAt((box[0] + box[3]) / 2, (box[2] + box[5]) / 2)].add(i, box);
  }
  const undivided = new Packed({ planar: true });
  const ids = undivided.addAll(boxes);
  const timings = new Timings();
  let bytes = 0;
  for (let round = -WARM_UP; round < TICKS; round++) {
    crowd.move();
    const entities = all.map((region) => Float64Array.from(region.entities()));
    const moved = entities.map((own) => {
      const to = new Float64Array(6 * own.length);
      for (const [i, entity] of own.entries()) to.set(boxes.subarray(6 * entity, 6 * entity + 6), 6 * i);
      return to;
    });
    const each = (label: string, what: (region: Region, n: number) => unknown): void => {
      timings.add(round, label, 4, () => {
        for (const [n, region] of all.entries()) what(region, n);
        return 0;
      });
    };
    const sent: { to: number; message: Uint8Array }[] = [];
    each('moves', (region, n) => region.moveAll(entities[n], moved[n]));
    each('tick', (region) => region.tick());
    each('export', (region) => {
      for (const to of region.recipients) sent.push({ to, message: region.export(to) });
    });
    timings.add(round, 'import', 4, () => {
      for (const { to, message } of sent) all[to].import(message);
      return 0;
    });
    timings.add(round, 'undivided', 1, () => {
      undivided.updateAll(ids, boxes);
      return 0;
    });
    if (round >= 0) bytes += sent.reduce((sum, { message }) => sum + message.length, 0) / 4;
    if (round % 20 !== 0) continue;
    const kept: Uint8Array[] = [];
    each('snapshot', (region) => kept.push(region.snapshot()));
    each('restore', (_, n) => Region.restore(kept[n], 2));
  }
  const owned = all.reduce((sum, { size }) => sum + size, 0);
  const known = all.reduce((sum, { index }) => sum + index.size, 0);
  if (owned !== items) throw new Error(`${owned} owned of ${items}`);
  const labels = ['moves', 'tick', 'export', 'import', 'snapshot', 'restore', 'undivided'];
  const cells = [
    (owned / 4).toFixed(0),
    ((known - owned) / 4).toFixed(0),
    `${(bytes / TICKS / 1000).toFixed(0)} kB`,
    ...labels.map((label) => microseconds(timings.median(label))),
  ];
  return `| ${cells.join(' | ')} |`;
}
