import { expect, test } from 'vitest';
import { BOX } from '../../src/core/box.js';
import { OccluderMesh } from '../../src/occlusion/OccluderMesh.js';
import { OcclusionBuffer } from '../../src/occlusion/OcclusionBuffer.js';
import { queryVisible } from '../../src/occlusion/queryVisible.js';
import { enableSimd, IdList, LooseOctree, Packed } from '../../src/standalone.js';
import { awkwardPositions } from '../helpers/occlusion/geometries.js';
import { randomPass } from '../helpers/occlusion/RandomPass.js';
import { random as seeded } from '../helpers/random.js';
import { seeds } from '../helpers/width.js';

enableSimd();

const WIDTH = 64;
const HEIGHT = 40;

/** Rows of the kernel, and items one by one, as of other structures, against a question for each item. */
test.each(seeds(12))('rows that moved, of items near, far and unbounded, seed %i', (seed) => {
  const random = seeded(seed);
  const buffer = OcclusionBuffer.create(WIDTH, HEIGHT)!;
  const oneByOne = { guest: null, isHidden: (boxes: Float64Array, o: number) => buffer.isHidden(boxes, o) };
  let hidden = 0;
  for (let scene = 0; scene < 40; scene++) {
    const pass = randomPass(random, WIDTH, HEIGHT);
    if (!buffer.beginPass(pass.settings)) continue;
    const p = pass.camera.elements;
    for (let part = 0; part < 4; part++) {
      const world = pass.camera.clone();
      const [x, y] = [(random() - 0.5) * 4, (random() - 0.5) * 4];
      world.multiply(pass.camera.clone().makeTranslation(x, y, -1 - 4 * random()));
      const mesh = new OccluderMesh(awkwardPositions(random));
      buffer.draw(mesh, world.elements, 0, 0);
    }
    buffer.end();
    const planar = random() < 0.3;
    const index = scene % 8 === 7 ? new LooseOctree({ planar }) : new Packed({ planar });
    const near = (): number[] => {
      const far = 40 * random();
      const size = random() < 0.02 ? 30 : random() ** 3;
      const at = [0, 1, 2].map((c) => p[12 + c] - p[8 + c] * far + (random() - 0.5) * far);
      return [...at, ...at.map((v) => v + size)];
    };
    // One of rows in many levels.
    const count = Math.floor(2 ** (scene === 0 ? 15 : 10 * random()));
    const boxes = Array.from({ length: count }, near);
    // What lies far away makes the numbers of rows coarse.
    const away = 10 ** (5 * random());
    if (random() < 0.5) boxes.push([12, 13, 14, 12, 13, 14].map((k) => p[k] + away));
    if (random() < 0.5) index.addAll(boxes.flat());
    else for (const box of boxes) index.add(box);
    if (random() < 0.5) index.add([-Infinity, -1, -1, Infinity, 1, 1]);
    if (random() < 0.2) index.add([1e9, 0, 0, 1e9, 1, 1]);
    for (let k = 0; k < 3; k++) {
      for (let i = 0; i < count; i += 3) if (index.has(i) && random() < 0.4) index.update(i, near());
      if (k === 1) for (let i = 1; i < count; i += 7) if (index.has(i)) index.remove(i);
      // What is in any half-space, wherever the camera looks.
      const planes = random() < 0.5 ? [] : [-p[8], -p[9], -p[10], p[8] * p[12] + p[9] * p[13] + p[10] * p[14]];
      const found = [...index.queryPlanes(planes, new IdList())];
      const box = new Float64Array(BOX);
      const expected = found.filter((id) => !buffer.isHidden(index.getBox(id, box), 0));
      expect([...queryVisible(index, planes, buffer)]).toEqual(expected);
      expect([...queryVisible(index, planes, oneByOne)]).toEqual(expected);
      hidden += found.length - expected.length;
    }
  }
  expect(hidden).toBeGreaterThan(200);
});
