import { afterEach, describe, expect, it } from 'vitest';
import { createIndex, enableSimd, IdList, type SpatialIndex } from '../../../src/standalone.js';
import { random } from '../../helpers/random.js';
import { VARIANTS } from '../../helpers/variants.js';

afterEach(() => {
  enableSimd(true);
});

/** A region of two slabs and a slope. */
const PLANES = [1, 0, 0, 30, -1, 0, 0, 20, 0, 0, 1, 40, 0.6, -0.8, 0, 25];

describe.each(VARIANTS)('$label', ({ name, options }) => {
  it.each([true, false])('takes no condition from a plane with NaN in it, with SIMD allowed: %s', (isAllowed) => {
    enableSimd(isAllowed);
    const index = filled(createIndex(name, options));
    const expected = ask(index, PLANES);
    expect(expected.inside.length).toBeGreaterThan(100);
    expect(expected.intersecting.length).toBeGreaterThan(50);
    for (let at = 0; at <= PLANES.length; at += 4) {
      for (let place = 0; place < 4; place++) {
        const broken = [0, 1, 0, -1000];
        broken[place] = Number.NaN;
        expect(ask(index, [...PLANES.slice(0, at), ...broken, ...PLANES.slice(at)])).toEqual(expected);
      }
    }
  });

  it('gives all without a plane, and as inside', () => {
    const index = filled(createIndex(name, options));
    for (const planes of [[], [Number.NaN, 0, 0, 0]]) {
      const { found, inside, intersecting } = ask(index, planes);
      expect(found.length).toBe(index.size);
      expect(inside).toEqual(found);
      expect(intersecting).toEqual([]);
    }
  });

  it('takes 30 planes, each of which counts, and not one more', () => {
    const index = filled(createIndex(name, options));
    const everywhere = [0, 1, 0, 1000];
    for (let at = 0; at < 30; at++) {
      const planes = Array.from({ length: 30 }, (_, i) => (i === at ? [1, 0, 0, 0] : everywhere)).flat();
      expect(ask(index, planes)).toEqual(ask(index, [1, 0, 0, 0]));
    }
    expect(() => index.queryPlanes(Array.from({ length: 31 }, () => everywhere).flat())).toThrow(RangeError);
  });
});

function filled(index: SpatialIndex): SpatialIndex {
  const next = random(3);
  for (let i = 0; i < 2000; i++) {
    const low = [next() * 100 - 50, next() * 100 - 50, next() * 100 - 50];
    index.add([...low, ...low.map((c) => c + 4 * next())]);
  }
  return index;
}

function ask(index: SpatialIndex, planes: number[]): { found: number[]; inside: number[]; intersecting: number[] } {
  const inside = new IdList();
  const intersecting = new IdList();
  index.classify(planes, inside, intersecting);
  return {
    found: index.queryPlanes(planes).sort().toArray(),
    inside: inside.sort().toArray(),
    intersecting: intersecting.sort().toArray(),
  };
}
