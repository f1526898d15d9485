import { describe, expect, it } from 'vitest';
import { Interest, type Observer, type ObserverOptions } from '../../src/interest.js';
import { createIndex, type StructureName } from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { atWidth } from '../helpers/width.js';
import { type TrueItem, TrueView } from './TrueViews.js';

const EVENTS = atWidth(12_000, 2_000);
/** Coordinates are multiples of a quarter, so that distances are equal, and borders touched, often. */
const WORLD = 48;

const sorted = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b);

/** Where a world lies, and of what size its items are: the numbers of quarters that they may have along each axis. */
interface World {
  middle: number;
  sizes: readonly number[];
  isFlat: boolean;
}
const WORLDS: Record<string, World> = {
  boxes: { middle: 0, sizes: [12, 12, 12], isFlat: false },
  'small boxes': { middle: -WORLD / 2, sizes: [2, 2, 2], isFlat: false },
  points: { middle: -WORLD / 2, sizes: [1, 1, 1], isFlat: false },
  'points on a plane': { middle: -WORLD / 2, sizes: [1, 1, 1], isFlat: true },
  'points far away': { middle: -(2 ** 40), sizes: [1, 1, 1], isFlat: false },
};

/** Random events, with all views compared after each tick; returns how many views changed. */
function play(structure: StructureName, name: string, seed: number, events: number): number {
  const { middle, sizes, isFlat } = WORLDS[name];
  const next = random(seed);
  const upTo = (n: number): number => Math.floor(next() * n);
  const place = (): number => middle + upTo(4 * WORLD) / 4;
  const height = (): number => (isFlat ? 1 : upTo(4 * WORLD) / 32);
  const box = (): number[] => {
    const min = [place(), height(), place()];
    return [...min, ...min.map((c, i) => c + upTo(sizes[i]) / 4)];
  };
  const index = createIndex(structure);
  const items = new Set<TrueItem>();
  const add = (own = box()): unknown => items.add({ id: index.add(own), box: own, mask: -1, range: null });
  for (let i = 0; i < 20; i++) add();
  const interest = new Interest(index);
  const views = new Map<Observer, TrueView>();
  const pick = <T>(of: Iterable<T>): T | undefined => {
    const all = [...of];
    return all[upTo(all.length)];
  };
  let made = 0;
  let changes = 0;

  const observe = (): void => {
    const own = next() < 0.5 ? (pick(items) ?? null) : null;
    const options: ObserverOptions = next() < 0.7 ? { radius: upTo(60) / 4 } : { halfSize: [upTo(12), 4, upTo(12)] };
    if (own !== null) options.item = own.id;
    else options.position = [place(), height(), place()];
    if (next() < 0.5) options.hysteresis = upTo(4) / 8;
    if (next() < 0.4) Object.assign(options, { every: 1 + upTo(4), nearRadius: upTo(24) / 4 });
    if (next() < 0.3) options.most = 1 + upTo(16);
    if (next() < 0.3) options.mask = upTo(8);
    views.set(interest.observe(options), new TrueView(options, own, made++ % (options.every ?? 1)));
  };
  const tick = (): void => {
    interest.tick();
    for (const [observer, view] of views) {
      view.look(items, interest.ticks - 1);
      const told = {
        entered: sorted(observer.entered),
        left: sorted(observer.left),
        inView: sorted(observer.inView),
        due: sorted(observer.due),
        replaced: sorted(observer.replaced),
        item: observer.item,
      };
      const truth = {
        entered: sorted(view.entered),
        left: sorted(view.left),
        inView: sorted([...view.seen].map(({ id }) => id)),
        due: sorted([...view.due].map(({ id }) => id)),
        replaced: sorted(view.replaced),
        item: view.own !== null && items.has(view.own) ? view.own.id : -1,
      };
      // As text first, which takes a tenth of the time.
      if (JSON.stringify(told) !== JSON.stringify(truth)) {
        expect(told, `${structure}, ${name}, seed ${seed}, tick ${interest.ticks}`).toEqual(truth);
      }
      const isChanged = view.entered.length + view.left.length > 0;
      if (interest.changed.includes(observer) !== isChanged) expect.fail(`tick ${interest.ticks}: changed or not`);
      if (isChanged) changes++;
    }
    for (const item of items) {
      if (next() > 0.1) continue;
      const told = interest.observersOf(item.id);
      const truth = [...views].filter(([, view]) => view.seen.has(item)).map(([observer]) => observer);
      if (told.length !== truth.length || !truth.every((observer, i) => observer === told[i])) {
        expect.fail(`${structure}, ${name}, seed ${seed}, tick ${interest.ticks}: observers of ${item.id}`);
      }
    }
  };

  for (let event = 0; event < events; event++) {
    const what = next();
    const item = pick(items);
    if (item === undefined || (what < 0.06 && items.size < 60)) add();
    else if (what < 0.1) {
      index.remove(item.id);
      items.delete(item);
    } else if (what < 0.6) {
      const [dx, , dz] = [upTo(9) - 4, 0, upTo(9) - 4];
      item.box = next() < 0.1 ? box() : item.box.map((c, i) => c + [dx, 0, dz][i % 3] / 4);
      index.update(item.id, item.box);
    } else if (what < 0.63) {
      item.mask = upTo(8);
      interest.setMask(item.id, item.mask);
    } else if (what < 0.64) {
      item.range = next() < 0.3 ? null : next() < 0.3 ? Number.POSITIVE_INFINITY : upTo(100) / 4;
      interest.setRange(item.id, item.range);
    } else if (what < 0.67 && views.size < 10) observe();
    else if (what < 0.68) {
      const observer = pick(views.keys());
      if (observer === undefined) continue;
      expect(interest.unobserve(observer)).toBe(true);
      views.delete(observer);
    } else if (what < 0.8) {
      const [observer, view] = pick(views) ?? [];
      if (observer === undefined || view === undefined || view.options.item !== undefined) continue;
      view.position = view.position.map((p, c) => (c === 1 ? p : p + (upTo(9) - 4) / 4));
      observer.moveTo(view.position[0], view.position[1], view.position[2]);
    } else if (what < 0.801) {
      index.clear();
      items.clear();
    } else if (what < 0.86) tick();
  }
  return changes;
}

describe('views are those of a test of each item', () => {
  it.each(
    (['packed', 'grid', 'looseOctree', 'bvh'] as const).flatMap((structure) =>
      Object.keys(WORLDS).map((name, i) => [structure, name, i + 1] as const),
    ),
  )('in a %s with %s, seed %i', (structure, name, seed) => {
    expect(play(structure, name, seed, EVENTS)).toBeGreaterThan(EVENTS / 60);
  });
});
