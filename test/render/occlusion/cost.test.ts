import { beforeAll, expect, it, vi } from 'vitest';
import { Payoff } from '../../../src/passes/Payoff.js';
import { accelerated } from '../../helpers/indexed.js';
import { sceneOf } from '../../helpers/occlusion/WorldTruth.js';
import { WORLDS } from '../../helpers/occlusion/worlds.js';
import { drawn, loadOcclusion } from '../../helpers/occlusion.js';

beforeAll(loadOcclusion);

const FRAMES = 300;

it('a flight over a town, where next to nothing is hidden, costs at most 3 % of its draws, all frames together', () => {
  const world = WORLDS.above();
  const scene = sceneOf(world);
  accelerated(scene, { occlusion: true }).setStatic(scene);
  /** What each look for what is hidden cost, in draws. */
  const costs: number[] = [];
  const { note } = Payoff.prototype;
  const spy = vi.spyOn(Payoff.prototype, 'note').mockImplementation(function (this: Payoff, gain, cost) {
    // The gate notes what lists cost.
    if (new Error().stack?.includes('SceneOcclusion')) costs.push(cost);
    return note.call(this, gain, cost);
  });
  const { cameras } = world;
  const camera = cameras[0].clone();
  let draws = 0;
  for (let frame = 0; frame < FRAMES; frame++) {
    const at = (frame / FRAMES) * (cameras.length - 1);
    const [from, to] = [cameras[Math.floor(at)], cameras[Math.floor(at) + 1]];
    camera.position.lerpVectors(from.position, to.position, at % 1);
    camera.quaternion.slerpQuaternions(from.quaternion, to.quaternion, at % 1);
    draws += drawn(scene, camera).length;
  }
  spy.mockRestore();
  expect(draws).toBeGreaterThan(1000 * FRAMES);
  expect(costs.length).toBeGreaterThan(4);
  expect(costs.length).toBeLessThan(0.13 * FRAMES);
  expect(costs.reduce((sum, cost) => sum + cost, 0)).toBeLessThan(0.03 * draws);
});
