import { expect, test } from 'vitest';
import { OccluderMesh } from '../../src/occlusion/OccluderMesh.js';
import { OcclusionBuffer } from '../../src/occlusion/OcclusionBuffer.js';
import { awkwardPositions } from '../helpers/occlusion/geometries.js';
import { PlainOcclusion } from '../helpers/occlusion/plain/PlainOcclusion.js';
import { randomPass } from '../helpers/occlusion/RandomPass.js';
import { random as seeded } from '../helpers/random.js';

const WIDTH = 64;
const HEIGHT = 40;

test('the kernel answers as plain code does, to the last bit', () => {
  const random = seeded(1);
  const plain = new PlainOcclusion(WIDTH, HEIGHT);
  const simd = OcclusionBuffer.create(WIDTH, HEIGHT)!;
  let covered = 0;
  let hidden = 0;
  for (let scene = 0; scene < 120; scene++) {
    const pass = randomPass(random, WIDTH, HEIGHT);
    expect(simd.begin(pass.settings)).toBe(plain.begin(pass.settings));
    for (let part = 0; part < 3; part++) {
      const mesh = new OccluderMesh(awkwardPositions(random));
      const world = pass.camera.clone();
      const local = Array.from({ length: 3 }, () => (random() - 0.5) * 8);
      world.multiply(
        pass.camera
          .clone()
          .identity()
          .makeTranslation(local[0], local[1], 1 - 12 * random()),
      );
      const side = Math.floor(3 * random()) - 1;
      expect(simd.draw(mesh, world.elements, 0, side)).toBe(plain.draw(mesh, world.elements, 0, side));
    }
    expect(simd.near).toEqual(plain.near);
    covered += plain.near.reduce((sum, n) => sum + +(n > 0), 0);
    for (const isEnded of [false, true]) {
      if (isEnded) for (const buffer of [plain, simd]) buffer.end();
      for (let k = 0; k < 20; k++) {
        const p = pass.camera.clone().elements;
        const size = 3 * random() ** 4;
        const at = [0, 1, 2].map((c) => p[12 + c] - p[8 + c] * 20 * random() + (random() - 0.5) * 4);
        const box = Float64Array.of(...at, ...at.map((x) => x + size));
        expect(simd.isHidden(box, 0)).toBe(plain.isHidden(box, 0));
        hidden += +plain.isHidden(box, 0);
      }
    }
  }
  expect(covered).toBeGreaterThan(3000);
  expect(hidden).toBeGreaterThan(20);
});
