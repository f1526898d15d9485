import { Box3, Frustum, Plane, Sphere, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { DISTRIBUTIONS } from '../helpers/distributions.js';
import { random } from '../helpers/random.js';
import { byDistance, type Hit, Truth } from './Truth.js';

const toBox3 = ([x, y, z, ...max]: number[]): Box3 => new Box3(new Vector3(x, y, z), new Vector3().fromArray(max));

/** Hits of a moving box, by the slab test in its usual form: three has none with ends, margins and touching. */
function slabHits(
  boxes: Map<number, number[]>,
  low: number[],
  high: number[],
  way: number[],
  near: number,
  far: number,
) {
  const hits: Hit[] = [];
  for (const [id, b] of boxes) {
    let [enter, leave] = [near, far];
    for (let c = 0; c < 3; c++) {
      const apart = low[c] > b[c + 3] || high[c] < b[c];
      const times = way[c] === 0 ? [] : [(b[c] - high[c]) * (1 / way[c]), (b[c + 3] - low[c]) * (1 / way[c])];
      enter = way[c] === 0 ? enter : Math.max(enter, Math.min(...times));
      leave = way[c] === 0 ? (apart ? Number.NEGATIVE_INFINITY : leave) : Math.min(leave, Math.max(...times));
    }
    if (enter <= leave) hits.push([enter, id]);
  }
  return hits.sort(byDistance);
}

// The truth is quick because it does without three; here three tells whether it is right.
describe.each(DISTRIBUTIONS)('the truth about boxes $label', ({ make }) => {
  it.each([1, 2])('is what three says, seed %i', (seed) => {
    const next = random(seed);
    const truth = new Truth();
    make(seed, 120).forEach((box, id) => {
      truth.boxes.set(id, box);
    });
    const boxes = [...truth.boxes].map(([id, box]): [number, Box3] => [id, toBox3(box)]);
    const those = (belongs: (box: Box3) => boolean): Set<number> =>
      new Set(boxes.flatMap(([id, box]) => (belongs(box) ? [id] : [])));
    for (let round = 0; round < 20; round++) {
      const box = (truth.boxes.get(truth.pick(Math.floor(next() * 1000))) as number[]).map((c) =>
        Math.max(-1e9, Math.min(1e9, c)),
      );
      const at = [0, 1, 2].map((c) => box[c] + (next() < 0.5 ? 0 : next() * 4));
      const place = new Vector3().fromArray(at);
      const radius = next() < 0.5 ? 1 : next() * 10;
      expect(truth.box(box)).toEqual(those((b) => b.intersectsBox(toBox3(box))));
      expect(truth.box([...at, ...at])).toEqual(those((b) => b.containsPoint(place)));
      expect(truth.sphere(at, radius)).toEqual(those((b) => b.intersectsSphere(new Sphere(place, radius))));

      const planes = Array.from({ length: 6 }, () => {
        const normal = new Vector3(next() - 0.5, next() < 0.5 ? 0 : next() - 0.5, next() - 0.5);
        return new Plane(normal, radius * next() - (normal.x * at[0] + normal.y * at[1] + normal.z * at[2]));
      });
      const numbers = planes.flatMap(({ normal, constant }) => [...normal.toArray(), constant]);
      const seen = those((b) => new Frustum(...planes).intersectsBox(b));
      expect(truth.frustum(numbers)).toEqual(seen);
      const inside = those(({ min: a, max: b }) =>
        [a.x, b.x].every((x) =>
          [a.y, b.y].every((y) =>
            [a.z, b.z].every((z) => planes.every((plane) => plane.distanceToPoint(new Vector3(x, y, z)) >= 0)),
          ),
        ),
      );
      expect([...truth.inside(numbers)].filter((id) => seen.has(id))).toEqual([...inside].filter((id) => seen.has(id)));

      const direction = [1, next() - 0.5, next() < 0.5 ? 0 : next() - 0.5];
      const unit = direction.map((c) => c / Math.sqrt(1 + direction[1] ** 2 + direction[2] ** 2));
      const [low, high] = [-0.5, 0.5].map((by) => at.map((c) => c + by));
      expect(truth.ray(at, direction, 0, 50, 0.5)).toEqual(slabHits(truth.boxes, low, high, unit, 0, 50));
      const ends = [box.slice(0, 3), box.slice(3)];
      expect(truth.sweep(box, direction)).toEqual(slabHits(truth.boxes, ends[0], ends[1], direction, 0, 1));
      const near = boxes.map(([id, b]): Hit => [b.distanceToPoint(place), id]).filter(([distance]) => distance <= 100);
      expect(truth.nearest(at, 7, 100)).toEqual(near.sort(byDistance).slice(0, 7));
    }
    const touching = boxes.flatMap(([, a], i) => boxes.slice(0, i).filter(([, b]) => a.intersectsBox(b)));
    expect(truth.pairs().size).toBe(touching.length);
  });
});
