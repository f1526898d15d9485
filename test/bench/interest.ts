/**
 * Interest management: all items move in each tick, then each observer is told what has come into its view and gone out of
 * it; in turns with a grid of typed arrays that tells the same. CPU time.
 */
import { Interest, type ObserverOptions } from '../../src/interest.js';
import { enableSimd, Packed } from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { FlatGrid } from './FlatGrid.js';
import { microseconds, print, Timings } from './Timings.js';

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

const TICKS = process.env.ROUNDS ? Number(process.env.ROUNDS) : null;
const LIGHT: Load = { observers: 500, items: 10_000, area: 256, speed: 1, radius: 50, hysteresis: 0, ticks: 200 };
const DENSE: Load = { ...LIGHT, area: 100, speed: 0.3, radius: 60, hysteresis: 0.1 };
/** Options that save; with them views are others than those of the grid, or are told later. */
const SAVING: Partial<ObserverOptions>[] = [
  { every: 3, nearRadius: 30, most: 255 },
  { every: 3, nearRadius: 30 },
  { most: 50 },
];
const WARM_UP = 40;

function compare(load: Load, variants: Partial<ObserverOptions>[]): string[][] {
  const { observers, items, radius, hysteresis } = load;
  const ticks = TICKS ?? load.ticks;
  const crowd = new Crowd(load);
  const grid = new FlatGrid(observers, items, crowd.edge, radius, hysteresis);
  const contestants = [{}, ...variants].map((options) => new Contestant(load, crowd.boxes, options));
  const timings = new Timings();
  let gridEvents = 0;
  for (let round = -WARM_UP; round < ticks; round++) {
    crowd.move();
    const turns = contestants.map((contestant, i) => () => contestant.tick(timings, round, i));
    turns.push(() => {
      const start = cpu();
      gridEvents = grid.tick(crowd.boxes);
      timings.note(round, 'grid', cpu() - start);
    });
    // Whoever comes after another finds its data in the caches, or not.
    for (let i = 0; i < turns.length; i++) turns[(i + round + WARM_UP) % turns.length]();
    const [{ seen, events }] = contestants;
    if (seen !== grid.inView || events !== gridEvents) {
      throw new Error(`${seen} in view and ${events} events, not ${grid.inView} and ${gridEvents}`);
    }
  }
  const ofGrid = timings.median('grid');
  return contestants.map((contestant, i) => {
    const all = timings.median(`all ${i}`);
    return [
      contestant.name,
      (contestant.seenSum / ticks / observers).toFixed(0),
      (contestant.eventSum / ticks).toFixed(0),
      ...[microseconds(all), microseconds(timings.median(`moves ${i}`))],
      ...[microseconds(ofGrid), (all / ofGrid).toFixed(2)],
    ];
  });
}

/** Points that wander on a square, as boxes without extent in flat arrays. */
class Crowd {
  readonly edge: number;
  readonly boxes: Float64Array;
  readonly #way: Float64Array;

  constructor({ items, area, speed }: Load) {
    const next = random(5);
    this.edge = Math.sqrt(area * items);
    this.boxes = new Float64Array(6 * items);
    this.#way = Float64Array.from({ length: 2 * items }, () => 2 * speed * (next() - 0.5));
    for (let i = 0; i < items; i++) {
      const [x, z] = [next() * this.edge, next() * this.edge];
      this.boxes.set([x, 0, z, x, 0, z], 6 * i);
    }
  }

  move(): void {
    for (let i = 0; i < this.#way.length; i++) {
      const o = 6 * (i >> 1) + 2 * (i & 1);
      if (this.boxes[o] + this.#way[i] < 0 || this.boxes[o] + this.#way[i] > this.edge) this.#way[i] *= -1;
      this.boxes[o] += this.#way[i];
      this.boxes[o + 3] = this.boxes[o];
    }
  }
}

class Contestant {
  readonly name: string;
  seenSum = 0;
  eventSum = 0;
  readonly #boxes: Float64Array;
  readonly #index = new Packed({ planar: true });
  readonly #ids: Int32Array;
  readonly #interest = new Interest(this.#index);

  constructor({ observers, items, radius, hysteresis }: Load, boxes: Float64Array, options: Partial<ObserverOptions>) {
    const words = Object.entries(options).map(([name, value]) => `${name} ${value}`);
    this.name = [`${observers.toLocaleString('en')}, ${items.toLocaleString('en')}`, ...words].join(', ');
    this.#boxes = boxes;
    this.#ids = this.#index.addAll(boxes);
    const every = Math.floor(items / observers);
    for (let i = 0; i < observers; i++) {
      this.#interest.observe({ item: this.#ids[i * every], radius, hysteresis, ...options });
    }
  }

  tick(timings: Timings, round: number, number: number): void {
    const start = cpu();
    this.#index.updateAll(this.#ids, this.#boxes);
    const moved = cpu();
    this.#interest.tick();
    timings.note(round, `all ${number}`, cpu() - start);
    timings.note(round, `moves ${number}`, moved - start);
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
print(
  'Interest: all items move, then all observers are told what entered and left their views',
  ['observers, items', 'in view', 'events a tick', 'moves and tick', 'of these the moves', 'flat grid', 'ratio'],
  [
    ...compare(LIGHT, []),
    ...compare(DENSE, SAVING),
    ...compare({ ...LIGHT, observers: 2_000, items: 50_000, ticks: 40 }, []),
  ],
);
