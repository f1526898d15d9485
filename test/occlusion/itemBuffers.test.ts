import { expect, test } from 'vitest';
import { OcclusionBuffer } from '../../src/occlusion/OcclusionBuffer.js';
import { WorldCull } from '../helpers/occlusion/cullWorld.js';
import { WORLDS } from '../helpers/occlusion/worlds.js';

/** With those of three worlds these are 25 million samples; `npm run soak occlusionSamples` takes forty times as many. */
const CAMERA = 14;

const checkViews = async (name: 'street' | 'rooms' | 'hills'): Promise<WorldCull> => {
  const world = WORLDS[name]();
  const views = await WorldCull.create(world);
  const { inView, seen, kept, wrong } = views.look(world.cameras[CAMERA]);
  expect(wrong).toEqual([]);
  // From the top of a hill little of what others hide is found.
  expect(inView - kept).toBeGreaterThan((name === 'hills' ? 0.3 : 0.9) * (inView - seen));
  expect(views.truth.samples).toBeGreaterThan(8e6);
  return views;
};

test.each(['street', 'hills'] as const)(
  'no sample of %s shows what pictures leave out, and most of what is hidden is left out',
  async (name) => {
    await checkViews(name);
  },
);

test('nor does one of rooms, and some do where occluders are drawn larger than they are', async () => {
  const views = await checkViews('rooms');
  const { prototype } = OcclusionBuffer;
  const { draw } = prototype;
  prototype.draw = function (this: OcclusionBuffer, mesh, matrix, o = 0, side = 1) {
    const larger = Array.from({ length: 16 }, (_, k) => matrix[o + k] * (k < 12 ? 1.2 : 1));
    return draw.call(this, mesh, larger, 0, side);
  };
  // What was found for the last picture would hold for this one.
  const camera = WORLDS.rooms().cameras[CAMERA];
  camera.near *= 1.01;
  camera.updateProjectionMatrix();
  try {
    expect(views.look(camera).wrong.length).toBeGreaterThan(0);
  } finally {
    prototype.draw = draw;
  }
});
