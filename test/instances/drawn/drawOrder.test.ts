import { PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { DepthOrder, DrawOrder, depthCoefficients } from '../../../src/instances/drawn/drawLists.js';
import { IdList } from '../../../src/standalone.js';
import { random } from '../../helpers/random.js';
import { seeds } from '../../helpers/width.js';

/** Depths of many kinds: ties, zeros of both signs, those that single precision cannot tell apart, extremes. */
const KINDS: ((next: () => number) => number)[] = [
  (next) => 1000 * next() - 500,
  (next) => Math.floor(5 * next()),
  (next) => (next() < 0.5 ? 0 : -0),
  (next) => 1e6 + 1e-6 * Math.floor(40 * next()),
  (next) => (next() < 0.5 ? 1 : -1) * 10 ** (600 * next() - 300),
  (next) =>
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.MAX_VALUE, Number.MIN_VALUE][Math.floor(4 * next())],
];

describe('DepthOrder', () => {
  const order = new DepthOrder();
  const cases = KINDS.flatMap((_, kind) => [0, 1, 2, 30, 128, 129, 1000].map((count) => [kind, count]));

  it.each(cases)('sorts depths of kind %i, %i of them, as Array.sort does', (kind, count) => {
    const next = random(kind + count);
    for (const isFarthestFirst of [false, true]) {
      const list = new IdList();
      const depths = order.reserve(count);
      const items = Array.from({ length: count }, (_, i) => {
        const depth = KINDS[next() < 0.9 ? kind : 0](next);
        depths[i] = depth;
        list.reserve(1)[list.length++] = 3 * i;
        return { id: 3 * i, depth };
      });
      items.sort((a, b) => (isFarthestFirst ? b.depth - a.depth : a.depth - b.depth));
      expect(order.sort(list, isFarthestFirst)).toBe(true);
      expect(list.toArray()).toEqual(items.map(({ id }) => id));
    }
  });

  it('leaves a list as it was when a depth is NaN', () => {
    const list = new IdList();
    for (const id of [7, 3, 5]) list.reserve(1)[list.length++] = id;
    order.reserve(3).set([2, Number.NaN, 1]);
    expect(order.sort(list, true)).toBe(false);
    expect(list.toArray()).toEqual([7, 3, 5]);
    expect([...order.depths.subarray(0, 3)]).toEqual([2, Number.NaN, 1]);
  });
});

it.each(seeds(12, 3))('draws are sorted by material, depth and rank, seed %i', (seed) => {
  const next = random(seed);
  const order = new DrawOrder();
  const camera = new PerspectiveCamera();
  const most = 300;
  const [ranks, materials, centers] = [new Int32Array(most), new Int32Array(most), new Float64Array(3 * most)];
  for (let picture = 0; picture < 6; picture++) {
    const materialIds = Array.from({ length: 1 + Math.floor(4 * next()) }, () => Math.floor(1e6 * next()));
    // Short lists are sorted in another way.
    const share = next();
    const ids = Array.from({ length: most }, (_, i) => i).filter(() => next() < share);
    const list = new IdList();
    for (const id of ids) {
      list.reserve(1)[list.length++] = id;
      ranks[id] = Math.floor(1e6 * next());
      materials[id] = materialIds[Math.floor(materialIds.length * next())];
      for (let i = 0; i < 3; i++) centers[3 * id + i] = Math.floor(8 * next()) - 20;
    }
    const depths = ids.map((id) => new Vector3().fromArray(centers, 3 * id).applyMatrix4(camera.matrixWorldInverse).z);
    const depthOf = new Map(ids.map((id, i) => [id, -depths[i]]));
    order.sort(list, { ranks, materials, centers }, depthCoefficients(camera));
    const keyOf = (id: number) => [materials[id], depthOf.get(id) ?? 0, ranks[id]];
    const sorted = ids.sort((a, b) => {
      const [x, y] = [keyOf(a), keyOf(b)];
      return x[0] - y[0] || x[1] - y[1] || x[2] - y[2];
    });
    expect(list.toArray()).toEqual(sorted);
  }
});
