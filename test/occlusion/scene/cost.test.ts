import type { Scene } from 'three';
import { beforeAll, expect, it, vi } from 'vitest';
import { accelerate, loadOcclusion } from '../../../src/index.js';
import { type Counts, Payoff } from '../../../src/occlusion/scene/Payoff.js';
import { sceneOf } from '../../helpers/occlusion/WorldTruth.js';
import { WORLDS } from '../../helpers/occlusion/worlds.js';
import { drawn } from '../../helpers/occlusion.js';

beforeAll(loadOcclusion);

const FRAMES = 300;
/** What each costs next to a draw call by three: rounded up from `npm run bench -- occlusion` and `bench:frames`. */
const IN_DRAWS = { occluder: 5, triangle: 0.05, look: 0.1 };

/** Draws of all frames of a flight through a world, and what looking for what is hidden cost, in draws. */
function fly(name: keyof typeof WORLDS): { drawn: number; cost: number; looks: number } {
  const world = WORLDS[name]();
  const scene: Scene = sceneOf(world);
  const index = accelerate(scene, { occlusion: true });
  index.setStatic(scene);
  const counts: Counts[] = [];
  const { note } = Payoff.prototype;
  const spy = vi.spyOn(Payoff.prototype, 'note').mockImplementation(function (this: Payoff, given) {
    counts.push(given);
    note.call(this, given);
  });
  const camera = world.cameras[0].clone();
  const { cameras } = world;
  const sum = { drawn: 0, cost: 0, looks: 0 };
  for (let frame = 0; frame < FRAMES; frame++) {
    const at = (frame / FRAMES) * (cameras.length - 1);
    const [from, to] = [cameras[Math.floor(at)], cameras[Math.floor(at) + 1]];
    camera.position.lerpVectors(from.position, to.position, at % 1);
    camera.quaternion.slerpQuaternions(from.quaternion, to.quaternion, at % 1);
    sum.drawn += drawn(scene, camera).length;
  }
  for (const { inView, occluders, occluderTriangles } of counts)
    sum.cost += IN_DRAWS.occluder * occluders + IN_DRAWS.triangle * occluderTriangles + IN_DRAWS.look * inView;
  sum.looks = counts.length;
  spy.mockRestore();
  index.dispose();
  return sum;
}

it('a flight over a town, where next to nothing is hidden, costs at most 3 % of its draws, all frames together', () => {
  const { drawn: draws, cost, looks } = fly('above');
  expect(draws).toBeGreaterThan(1000 * FRAMES);
  expect(looks).toBeGreaterThan(4);
  expect(looks).toBeLessThan(0.06 * FRAMES);
  expect(cost).toBeLessThan(0.03 * draws);
});
