import { describe, expect, it } from 'vitest';
import { Capsule, createIndex, enableSimd, Hits, IdList, OrientedBox, Sector } from '../../src/standalone.js';
import { BYTES_PER_CALL, bytesPerCall } from '../helpers/garbage.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';
import { VARIANTS } from '../helpers/variants.js';

// Kernels that come in the midst of a measure would have code compiled anew.
enableSimd();
const CALLS = 1500;

it('the measure sees an object per call', () => {
  let sink: unknown;
  expect(
    bytesPerCall(
      (i) => {
        sink = { i };
      },
      CALLS,
      4 * CALLS,
    ),
  ).toBeGreaterThan(BYTES_PER_CALL);
  expect(sink).toBeDefined();
});

const CHOSEN = VARIANTS.filter(({ label }) => /^(bruteForce|grid|octree|looseOctree|bvh)$/.test(label));

describe.each(CHOSEN)('$label allocates nothing', ({ name, options }) => {
  const next = random(1);
  const count = 300;
  const boxes = Array.from({ length: count }, () => {
    const [x, y, z] = [next() * 100, next() * 100, next() * 100];
    return [x, y, z, x + 1, y + 1, z + 1];
  });
  const index = createIndex(name, options);
  const ids = [...index.addAll(boxes.flat())];
  const planes = Float64Array.of(
    1,
    0,
    0,
    -20,
    -1,
    0,
    0,
    80,
    0,
    1,
    0,
    -10,
    0.6,
    0,
    0.8,
    -30,
    0,
    -0.8,
    0.6,
    40,
    0,
    0,
    1,
    0,
  );
  const list = new IdList();
  const other = new IdList();
  const hits = new Hits();
  const ray = { origin: [0, 0, 0], direction: [1, 1, 1], near: 0, far: 1000, margin: 2 };
  const box = new Float64Array(6);
  const point = [50, 50, 50];
  const half = [12, 14, 16];
  const axes = [0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6];
  const sector = { center: [50, 50], direction: [3, 4], radius: 30, angle: 2 };
  const vector = { x: 50, y: 50, z: 50 };
  const orientedBox = new OrientedBox(point, half, axes);
  const capsule = new Capsule(point, half, 8);
  const shownSector = new Sector(sector);
  // Whole numbers: others are objects on their way into a call that is not inlined.
  const places = Int32Array.from({ length: 64 }, () => next() * 100);
  const at = (i: number): number => places[i & 63];

  const CALLS_TO = Object.entries<(i: number) => unknown>({
    box: (i) => {
      for (let c = 0; c < 3; c++) {
        box[c] = at(i + c);
        box[c + 3] = box[c] + 20;
      }
      index.queryBox(box, list);
    },
    point: (i) => index.queryPoint(at(i), at(i + 1), at(i + 2), list),
    sphere: (i) => index.querySphere(at(i), at(i + 1), at(i + 2), 20, list),
    orientedBox: (i) => {
      point[0] = at(i);
      index.queryShape(orientedBox.set(point, half, axes), list);
    },
    capsule: (i) => {
      vector.x = at(i);
      index.queryShape(capsule.set(vector, half, 8), list);
    },
    sector: (i) => {
      sector.center[0] = at(i);
      index.queryShape(shownSector.set(sector), list);
    },
    frustum: () => index.queryPlanes(planes, list),
    classify: () => index.classify(planes, list, other),
    ray: (i) => {
      ray.origin[0] = at(i) - 50;
      index.raycast(ray, hits);
    },
    rayFirst: (i) => {
      ray.origin[1] = at(i) - 50;
      index.raycastFirst(ray, hits);
    },
    getBox: (i) => index.getBox(ids[i % count], box),
    getBounds: () => index.getBounds(box),
  });

  it.each(CALLS_TO)('in %s with lists that are used again', (_label, call) => {
    expect(bytesPerCall(call, CALLS, 4 * CALLS)).toBeLessThan(BYTES_PER_CALL);
  });

  it('in update of an item that stays in its node', () => {
    let i = 0;
    const update = (): void => {
      const k = i++ % 5;
      const b = boxes[k];
      const by = (i & 7) * 1e-4;
      for (let c = 0; c < 6; c++) box[c] = b[c] + by;
      index.update(ids[k], box);
    };
    // Boxes are made tight at every 64th move only, so it takes long until that is compiled as well.
    expect(bytesPerCall(update, CALLS, 60 * CALLS)).toBeLessThan(BYTES_PER_CALL);
    expect(validate(index)).toEqual([]);
  });

  // A grid keeps its cells in a Map, which allocates as they come and go.
  it.runIf(name === 'bvh')('in update of an item that goes elsewhere, or comes back', () => {
    let i = 0;
    const update = (): void => {
      const k = i++ % 5;
      const by = i % 2 === 0 ? 300 : 0;
      for (let c = 0; c < 6; c++) box[c] = boxes[k][c] + by;
      index.update(ids[k], box);
    };
    const { version } = index;
    expect(bytesPerCall(update, CALLS, 60 * CALLS)).toBeLessThan(BYTES_PER_CALL);
    // No rebuild hides among them.
    expect(index.version - version).toBe(i);
    expect(validate(index)).toEqual([]);
  });
});
