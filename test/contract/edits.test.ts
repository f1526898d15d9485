import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIndex, type SpatialIndex } from '../../src/standalone.js';
import { expectSameAnswers, expectSamePairs } from '../helpers/expectSame.js';
import { Oracle } from '../helpers/oracle.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';
import { VARIANTS } from '../helpers/variants.js';
import { atWidth, seeds } from '../helpers/width.js';

/** FRESH_SEEDS=5 adds five seeds that no run before has seen; a failure prints its seed. */
const FRESH = Number(process.env.FRESH_SEEDS ?? 0);
const SEEDS = [...seeds(2, 1), ...Array.from({ length: FRESH }, () => Math.floor(Math.random() * 0x7fffffff))];
const RUNS = atWidth(6, 3);

type Box = number[];
/** What the index should hold, and where it was changed last. */
interface Model {
  oracle: Oracle;
}
interface Real {
  index: SpatialIndex;
}

// Half of all coordinates on a grid of 1/64, so that boxes touch each other and the borders of cells.
const place = fc.oneof(
  fc.integer({ min: -64 * 40, max: 64 * 40 }).map((n) => n / 64),
  fc.nat(2 ** 30).map((n) => (n / 2 ** 30) * 80 - 40.1),
);
const extent = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 64 * 4 }).map((n) => n / 64),
  fc.nat(2 ** 30).map((n) => (n / 2 ** 30) * 4.1),
);
const common = fc
  .tuple(place, place, place, extent, extent, extent)
  .map(([x, y, z, w, h, d]): Box => [x, y, z, x + w, y + h, z + d]);
const special: fc.Arbitrary<Box> = fc.oneof(
  fc.tuple(place, place, place).map(([x, y, z]): Box => [x, y, z, x, y, z]),
  fc.tuple(common, fc.constantFrom(50, 1000, 1e6)).map(([b, s]): Box => b.map((c, i) => (i < 3 ? c - s : c + s))),
  fc.tuple(common, fc.integer({ min: 1, max: 63 })).map(([b, sides]): Box => {
    const far = [-1, -1, -1, 1, 1, 1];
    return b.map((c, i) => (sides & (1 << i) ? far[i] * Number.POSITIVE_INFINITY : c));
  }),
  fc.constant<Box>([1, 2, 3, 4, 5, 6]),
  fc.constant<Box>([7, 7, 7, 7, 7, 7]),
  fc.constantFrom<Box>([0, 0, 0, 1e200, 1, 1], [-1e100, 0, 0, 1, 1, 1], [1e80, 0, 0, 1e80, 0, 0]),
  fc
    .tuple(common, fc.constantFrom(1e3, 1e7, -1e7, 1e12, -1e12))
    .map(([b, by]): Box => b.map((c, i) => (i % 3 === 1 ? c : c + by))),
  fc
    .tuple(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -5, max: 5 }), fc.constantFrom(0, 8, 16))
    .map(([x, z, s]): Box => [8 * x, 0, 8 * z, 8 * x + s, s, 8 * z + s]),
  fc.integer({ min: -60, max: 35 }).map((n): Box => [2 ** n, 0, 2 ** n, 2 ** n * 1.5, 2 ** n, 2 ** n * 1.25]),
);
const box = fc.oneof({ weight: 3, arbitrary: common }, { weight: 1, arbitrary: special });
const nth = fc.nat(1000);
const probe = fc.nat(1e6);

abstract class Edit implements fc.Command<Model, Real> {
  readonly label: string;
  readonly probe: number;

  constructor(label: string, probe: number) {
    this.label = label;
    this.probe = probe;
  }

  check(model: Model): boolean {
    return !this.needsItem || model.oracle.boxes.size > 0;
  }

  /** Edits the index and the model alike; returns a box near which something changed. */
  abstract apply(index: SpatialIndex, boxes: Map<number, Box>): Box;
  abstract readonly needsItem: boolean;

  run(model: Model, { index }: Real): void {
    const { version } = index;
    const { oracle } = model;
    const at = this.apply(index, oracle.boxes).map((c) => Math.max(-1e13, Math.min(1e13, c)));
    expect(index.version).toBeGreaterThan(version);
    expect(index.size).toBe(oracle.boxes.size);
    expect(validate(index)).toEqual([]);
    expect(plain(index.getBounds())).toEqual(boundsOf(oracle.boxes.values()));
    const next = random(this.probe);
    const corner = next() < 0.5 ? 0 : 3;
    expectSameAnswers(index, oracle, next, at.slice(corner, corner + 3), [0.3, 2, 10][this.probe % 3]);
    expectSamePairs(index, oracle);
    for (const id of [...oracle.boxes.keys()].slice(-2))
      expect(plain(index.getBox(id))).toEqual(plain(oracle.boxes.get(id) as Box));
  }

  toString(): string {
    return this.label;
  }
}

const edit = (
  label: string,
  seed: number,
  needs: boolean,
  apply: (index: SpatialIndex, boxes: Map<number, Box>) => Box,
): Edit =>
  new (class extends Edit {
    readonly needsItem = needs;
    apply = apply;
  })(label, seed);

/** Items by position, modulo their number, so that every script is legal while it shrinks. */
const pick = (boxes: Map<number, Box>, n: number): number => [...boxes.keys()][n % boxes.size];

const add = fc.tuple(box, probe).map(([b, p]) =>
  edit(`add [${b}]`, p, false, (index, boxes) => {
    const id = index.add(b);
    expect(boxes.has(id)).toBe(false);
    boxes.set(id, b);
    return b;
  }),
);
const addAll = fc
  .tuple(fc.array(box, { minLength: 1, maxLength: 20, size: 'max' }), fc.boolean(), probe)
  .map(([list, same, p]) =>
    edit(`addAll [${list.join('; ')}]${same ? ' all the first' : ''}`, p, false, (index, boxes) => {
      const all = same ? list.map(() => list[0]) : list;
      index.addAll(all.flat()).forEach((id, i) => {
        expect(boxes.has(id)).toBe(false);
        boxes.set(id, all[i]);
      });
      return all[0];
    }),
  );
const nudge = fc
  .tuple(nth, fc.tuple(extent, extent, extent), fc.constantFrom(-1, 0.01, 0.5), probe)
  .map(([n, by, s, p]) =>
    edit(`nudge item ${n} by ${by.map((c) => c * s)}`, p, true, (index, boxes) => {
      const id = pick(boxes, n);
      const to = (boxes.get(id) as Box).map((c, i) => c + by[i % 3] * s);
      index.update(id, to);
      boxes.set(id, to);
      return to;
    }),
  );
const teleport = fc.tuple(nth, box, fc.boolean(), probe).map(([n, b, lookBehind, p]) =>
  edit(`move item ${n} to [${b}]`, p, true, (index, boxes) => {
    const id = pick(boxes, n);
    const from = boxes.get(id) as Box;
    index.update(id, b);
    boxes.set(id, b);
    return lookBehind ? from : b;
  }),
);
const moveMany = fc.tuple(fc.array(box, { minLength: 1, maxLength: 12, size: 'max' }), nth, probe).map(([list, n, p]) =>
  edit(`move ${list.length} items from ${n} on to [${list.join('; ')}]`, p, true, (index, boxes) => {
    const ids = list.map((_, i) => pick(boxes, n + i));
    index.updateAll(ids, list.flat());
    ids.forEach((id, i) => {
      boxes.set(id, list[i]);
    });
    return list[0];
  }),
);
const remove = fc.tuple(nth, probe).map(([n, p]) =>
  edit(`remove item ${n}`, p, true, (index, boxes) => {
    const id = pick(boxes, n);
    const from = boxes.get(id) as Box;
    index.remove(id);
    boxes.delete(id);
    expect(index.has(id)).toBe(false);
    return from;
  }),
);
const removeMany = fc.tuple(fc.integer({ min: 2, max: 12 }), nth, probe).map(([count, n, p]) =>
  edit(`remove ${count} items from ${n} on`, p, true, (index, boxes) => {
    let from: Box = [];
    for (let i = 0; i < count && boxes.size > 0; i++) {
      const id = pick(boxes, n);
      from = boxes.get(id) as Box;
      index.remove(id);
      boxes.delete(id);
    }
    return from;
  }),
);
const rebuild = fc.tuple(nth, probe).map(([n, p]) =>
  edit('rebuild', p, true, (index, boxes) => {
    index.rebuild();
    return boxes.get(pick(boxes, n)) as Box;
  }),
);
const translate = fc.tuple(place, place, place, nth, probe).map(([x, y, z, n, p]) =>
  edit(`translate by ${x} ${y} ${z}`, p, true, (index, boxes) => {
    index.translate(x, y, z);
    for (const [id, box] of boxes)
      boxes.set(
        id,
        box.map((c, i) => c + [x, y, z][i % 3]),
      );
    return boxes.get(pick(boxes, n)) as Box;
  }),
);
const clear = probe.map((p) =>
  edit('clear', p, true, (index, boxes) => {
    index.clear();
    boxes.clear();
    return [0, 0, 0, 1, 1, 1];
  }),
);
/** Rare, or nothing would ever grow. */
const rarely = fc.tuple(fc.nat(4), clear, translate, rebuild).map(([n, c, t, r]) => [c, t, t, r, r][n]);

const COMMANDS = [
  add,
  add,
  addAll,
  addAll,
  nudge,
  nudge,
  nudge,
  teleport,
  teleport,
  moveMany,
  remove,
  removeMany,
  rarely,
];

describe.each(VARIANTS)('edits of $label', ({ name, options }) => {
  it.each(SEEDS)('leave what a plain map holds, after each step of a script, seed %i', (seed) => {
    let longest = 0;
    const scripts = fc.commands(COMMANDS, { maxCommands: 60, size: 'max' });
    fc.assert(
      fc.property(scripts, (script) => {
        longest = Math.max(longest, [...script].length);
        fc.modelRun(() => ({ model: { oracle: new Oracle() }, real: { index: createIndex(name, options) } }), script);
      }),
      // A failure shrinks for a while, not for good.
      { seed, numRuns: RUNS, interruptAfterTimeLimit: 60_000 },
    );
    // Scripts of five commands would prove little.
    expect(longest).toBeGreaterThan(30);
  });

  it('keep the bounds tight when an outlier goes, among many', () => {
    const index = createIndex(name, options);
    const far = [1000, 1000, 1000, 1001, 1001, 1001];
    const boxes = Array.from({ length: 3000 }, (_, i) => [i % 50, 0, i % 60, (i % 50) + 1, 1, (i % 60) + 1]);
    index.addAll(boxes.flat());
    const outlier = index.add(far);
    expect([...index.getBounds()]).toEqual([0, 0, 0, ...far.slice(3)]);
    index.update(outlier, [-7, -7, -7, -6, -6, -6]);
    expect([...index.getBounds()]).toEqual([-7, -7, -7, 50, 1, 60]);
    index.remove(outlier);
    expect([...index.getBounds()]).toEqual([0, 0, 0, 50, 1, 60]);
    expect(validate(index)).toEqual([]);
  });

  it('keep the bounds tight when an infinite or equal one of many goes', () => {
    const index = createIndex(name, options);
    const everywhere = [-1, -1, -1, 1, 1, 1].map((c) => c * Number.POSITIVE_INFINITY);
    const same = Array.from({ length: 2000 }, () => [1, 2, 3, 4, 5, 6]);
    index.addAll([...same, everywhere, [0, 0, 0, 1, 1, 1]].flat());
    index.remove(2000);
    expect([...index.getBounds()]).toEqual([0, 0, 0, 4, 5, 6]);
    index.remove(2001);
    expect([...index.getBounds()]).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

function boundsOf(boxes: Iterable<Box>): Box {
  const bounds = [1, 1, 1, -1, -1, -1].map((c) => c * Number.POSITIVE_INFINITY);
  for (const b of boxes)
    for (let i = 0; i < 6; i++) bounds[i] = i < 3 ? Math.min(bounds[i], b[i]) : Math.max(bounds[i], b[i]);
  return plain(bounds);
}

/** Numbers without negative zeros, which are equal to the others for all but `toEqual`. */
function plain(numbers: Iterable<number>): Box {
  return Array.from(numbers, (value) => value + 0);
}
