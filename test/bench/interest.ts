/**
 * Interest management: all items move in each tick, then each observer is told what has come into its view and gone out of
 * it; in turns with a grid of typed arrays and a loop over all pairs that tell the same. CPU time.
 */
import { Interest, type ObserverOptions } from '../../src/interest.js';
import { enableSimd, Packed } from '../../src/standalone.js';
import { Crowd } from './interest/Crowd.js';
import { FlatGrid } from './interest/FlatGrid.js';
import { PairLoop } from './interest/PairLoop.js';
import { microseconds, Timings } from './Timings.js';

interface Load {
  observers: number;
  items: number;
  /** World units for each item. */
  area: number;
  /** How far an item goes in a tick along an axis, at most. */
  speed: number;
  radius: number;
  hysteresis: number;
  ticks: number;
}

const LIGHT: Load = { observers: 500, items: 10_000, area: 256, speed: 1, radius: 50, hysteresis: 0, ticks: 200 };
const DENSE: Load = { ...LIGHT, area: 100, speed: 0.3, radius: 60, hysteresis: 0.1 };
/** Options that save; with them views are others than those of the grid, or are told later. */
const SAVING: Partial<ObserverOptions>[] = [
  { every: 3, nearRadius: 30, most: 255 },
  { every: 3, nearRadius: 30 },
  { most: 50 },
];
const WARM_UP = 40;
/** The loop over all pairs takes its time, and the same one in each round. */
const LOOPS = 5;

function compare(load: Load, variants: Partial<ObserverOptions>[]): void {
  const { observers, items, area, speed, radius, hysteresis, ticks } = load;
  const crowd = new Crowd(items, area, speed);
  const grid = new FlatGrid(observers, items, crowd.edge, radius, hysteresis);
  const loop = new PairLoop(observers, items, radius, hysteresis);
  const contestants = [{}, ...variants].map((options) => new Contestant(load, crowd, options));
  const timings = new Timings();
  let gridEvents = 0;
  let loopEvents = 0;
  for (let round = -WARM_UP; round < ticks; round++) {
    crowd.move();
    const turns = [
      ...contestants.map((contestant, i) => () => contestant.tick(timings, round, i)),
      () => {
        const start = cpu();
        gridEvents = grid.tick(crowd.boxes);
        timings.note(round, 'grid', cpu() - start);
      },
    ];
    // Whoever comes after another finds its data in the caches, or not.
    for (let i = 0; i < turns.length; i++) turns[(i + round + WARM_UP) % turns.length]();
    const [own] = contestants;
    own.note(round);
    if (own.seen !== grid.inView || own.events !== gridEvents) {
      throw new Error(`${own.seen} in view and ${own.events} events, not ${grid.inView} and ${gridEvents}`);
    }
    if (round >= LOOPS - WARM_UP) continue;
    const start = cpu();
    loopEvents = loop.tick(crowd.boxes);
    timings.note(0, 'loop', cpu() - start);
    if (own.seen !== loop.inView || own.events !== loopEvents) throw new Error('other views than those of the loop');
  }
  const [ofGrid, ofLoop] = [timings.median('grid'), timings.median('loop')];
  contestants.forEach((contestant, i) => {
    const all = timings.median(`all ${i}`);
    const cells = [
      contestant.name,
      (contestant.seenSum / ticks / observers).toFixed(0),
      (contestant.eventSum / ticks).toFixed(0),
      ...[microseconds(all), microseconds(timings.median(`moves ${i}`))],
      ...[microseconds(ofGrid), (all / ofGrid).toFixed(2), microseconds(ofLoop), `1/${(ofLoop / all).toFixed(0)}`],
    ];
    console.log(`| ${cells.join(' | ')} |`);
  });
}

class Contestant {
  readonly name: string;
  seenSum = 0;
  eventSum = 0;
  readonly #crowd: Crowd;
  readonly #index = new Packed({ planar: true });
  readonly #ids: Int32Array;
  readonly #interest = new Interest(this.#index);

  constructor({ observers, items, radius, hysteresis }: Load, crowd: Crowd, options: Partial<ObserverOptions>) {
    const words = Object.entries(options).map(([name, value]) => `${name} ${value}`);
    this.name = [`${observers.toLocaleString('en')}, ${items.toLocaleString('en')}`, ...words].join(', ');
    this.#crowd = crowd;
    this.#ids = this.#index.addAll(crowd.boxes);
    const every = Math.floor(items / observers);
    for (let i = 0; i < observers; i++) {
      this.#interest.observe({ item: this.#ids[i * every], radius, hysteresis, ...options });
    }
  }

  tick(timings: Timings, round: number, number: number): void {
    const start = cpu();
    this.#index.updateAll(this.#ids, this.#crowd.boxes);
    const moved = cpu();
    this.#interest.tick();
    timings.note(round, `all ${number}`, cpu() - start);
    timings.note(round, `moves ${number}`, moved - start);
    if (number > 0) this.note(round);
  }

  note(round: number): void {
    if (round < 0) return;
    this.seenSum += this.seen;
    this.eventSum += this.events;
  }

  get seen(): number {
    return [...this.#interest.observers].reduce((sum, { inView }) => sum + inView.length, 0);
  }

  get events(): number {
    return [...this.#interest.observers].reduce((sum, { entered, left }) => sum + entered.length + left.length, 0);
  }
}

/** Microseconds of this process so far. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

enableSimd();

console.log('\n### Interest: all items move, then all observers are told what entered and left their views\n');
console.log(
  '| observers, items | in view | events a tick | moves and tick | of these the moves | flat grid | ratio | loop over all pairs | ratio |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
compare(LIGHT, []);
compare(DENSE, SAVING);
compare({ ...LIGHT, observers: 2_000, items: 50_000, ticks: 40 }, []);
