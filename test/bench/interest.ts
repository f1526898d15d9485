/**
 * Interest management: all items move in each tick, then each observer is told what has come into its view and gone out of
 * it; in turns with a loop over all pairs that tells the same.
 */
import { Interest } from '../../src/interest.js';
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
