/**
 * Interest management: all items move in each tick, then each observer is told what has come into its view and gone out of
 * it; in turns with a grid of typed arrays that tells the same. CPU time.
 */
import { Interest, type ObserverOptions } from '../../src/interest.js';
import { enableSimd, Packed } from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { median, time } from './figures.mjs';
import { flatGrid } from './flatGrid.js';
import { print } from './turns.js';

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
const MANY: Load = { ...LIGHT, observers: 2_000, items: 50_000, ticks: 40 };
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
  const { boxes, edge, move } = crowd(load);
  const grid = flatGrid(observers, items, edge, radius, hysteresis);
  const contestants = [{}, ...variants].map((options) => enter(load, boxes, options));
  const ofGrid: number[] = [];
  let plain: number[] = [];
  const tickGrid = (): void => {
    const start = cpu();
    plain = grid(boxes);
    ofGrid.push(cpu() - start);
  };
  const turns = [...contestants.map(({ tick }) => tick), tickGrid];
  for (let round = 0; round < WARM_UP + ticks; round++) {
    move();
    // Whoever comes after another finds its data in the caches, or not.
    for (let i = 0; i < turns.length; i++) turns[(i + round) % turns.length]();
    const own = [contestants[0].seen[round], contestants[0].told[round]];
    if (String(own) !== String(plain)) throw new Error(`${own} in view and told, not ${plain}`);
  }
  const mean = (all: number[]): number => all.slice(WARM_UP).reduce((sum, one) => sum + one, 0) / ticks;
  const usual = (all: number[]): number => median(all.slice(WARM_UP));
  return contestants.map(({ name, all, moves, seen, told }) => {
    const times = [all, moves, ofGrid].map(usual);
    const sums = [mean(seen) / observers, mean(told)].map((sum) => sum.toFixed(0));
    return [name, ...sums, ...times.map(time), (times[0] / times[2]).toFixed(2)];
  });
}

/** Points that wander on a square, as boxes without extent in flat arrays. */
function crowd({ items, area, speed }: Load): { boxes: Float64Array; edge: number; move: () => void } {
  const next = random(5);
  const edge = Math.sqrt(area * items);
  const boxes = new Float64Array(6 * items);
  const way = Float64Array.from({ length: 2 * items }, () => 2 * speed * (next() - 0.5));
  for (let i = 0; i < items; i++) {
    const [x, z] = [next() * edge, next() * edge];
    boxes.set([x, 0, z, x, 0, z], 6 * i);
  }
  const move = (): void => {
    for (let i = 0; i < way.length; i++) {
      const o = 6 * (i >> 1) + 2 * (i & 1);
      if (boxes[o] + way[i] < 0 || boxes[o] + way[i] > edge) way[i] *= -1;
      boxes[o] += way[i];
      boxes[o + 3] = boxes[o];
    }
  };
  return { boxes, edge, move };
}

/** An index and observers of it; with the microseconds of each tick and of its moves, and how many are in view and told. */
function enter({ observers, items, radius, hysteresis }: Load, boxes: Float64Array, options: Partial<ObserverOptions>) {
  const words = Object.entries(options).map(([name, value]) => `${name} ${value}`);
  const name = [`${observers.toLocaleString('en')}, ${items.toLocaleString('en')}`, ...words].join(', ');
  const index = new Packed({ planar: true });
  const interest = new Interest(index);
  const ids = index.addAll(boxes);
  for (let i = 0; i < observers; i++) {
    interest.observe({ item: ids[i * Math.floor(items / observers)], radius, hysteresis, ...options });
  }
  const [all, moves, seen, told]: number[][] = [[], [], [], []];
  const tick = (): void => {
    const start = cpu();
    index.updateAll(ids, boxes);
    const moved = cpu();
    interest.tick();
    all.push(cpu() - start);
    moves.push(moved - start);
    const views = [...interest.observers];
    seen.push(views.reduce((sum, { inView }) => sum + inView.length, 0));
    told.push(views.reduce((sum, { entered, left }) => sum + entered.length + left.length, 0));
  };
  return { name, tick, all, moves, seen, told };
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
  [...compare(LIGHT, []), ...compare(DENSE, SAVING), ...compare(MANY, [])],
);
