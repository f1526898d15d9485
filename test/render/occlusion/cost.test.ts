import type { Scene } from 'three';
import { beforeAll, expect, it, vi } from 'vitest';
import { accelerate } from '../../../src/index.js';
import { Payoff } from '../../../src/passes/Payoff.js';
import { sceneOf } from '../../helpers/occlusion/WorldTruth.js';
import { WORLDS } from '../../helpers/occlusion/worlds.js';
import { drawn, loadOcclusion } from '../../helpers/occlusion.js';

beforeAll(loadOcclusion);

const FRAMES = 300;
/** Draws of all frames of a flight through a world, and what looking for what is hidden cost, in draws. */
function fly(name: keyof typeof WORLDS): { drawn: number; cost: number; looks: number } {
  const world = WORLDS[name]();
  const scene: Scene = sceneOf(world);
  const index = accelerate(scene, { occlusion: true });
  index.setStatic(scene);
  const costs: number[] = [];
  const { note } = Payoff.prototype;
  const spy = vi.spyOn(Payoff.prototype, 'note').mockImplementation(function (this: Payoff, gain, cost) {
    // The gate notes what lists cost.
    if (new Error().stack?.includes('SceneOcclusion')) costs.push(cost);
    return note.call(this, gain, cost);
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
  for (const cost of costs) sum.cost += cost;
  sum.looks = costs.length;
  spy.mockRestore();
  index.dispose();
  return sum;
}

it('a flight over a town, where next to nothing is hidden, costs at most 3 % of its draws, all frames together', () => {
  const { drawn: draws, cost, looks } = fly('above');
  expect(draws).toBeGreaterThan(1000 * FRAMES);
  expect(looks).toBeGreaterThan(4);
  expect(looks).toBeLessThan(0.13 * FRAMES);
  expect(cost).toBeLessThan(0.03 * draws);
});
