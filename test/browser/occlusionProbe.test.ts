import * as THREE from 'three';
import { WebGPURenderer } from 'three/webgpu';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type AccelerateOptions, explain } from '../../src/index.js';
import { sampleDepthsOf } from '../../src/render/occlusion/probe.js';
import { areShadersSeen } from '../../src/three/shaders.js';
import { accelerated } from '../helpers/indexed.js';
import { loadOcclusion, wallScene } from '../helpers/occlusion.js';
import { endRenderer, renewContext } from '../helpers/pictures.js';
import { BACKENDS } from './webgpuPictures.js';

beforeAll(loadOcclusion);

/** A scene with much behind a wall, which a renderer draws with several samples a pixel. */
function open<R extends THREE.WebGLRenderer | WebGPURenderer>(renderer: R, options: AccelerateOptions = {}) {
  renderer.setSize(256, 144, false);
  onTestFinished(() => (renderer instanceof THREE.WebGLRenderer ? endRenderer(renderer) : renderer.dispose()));
  const { scene, camera } = wallScene(400);
  const index = accelerated(scene, { occlusion: true, ...options });
  const far = scene.getObjectByName('far 1') as THREE.Object3D;
  const draw = () => renderer.render(scene, camera);
  const depths = () => sampleDepthsOf(renderer as never).depths;
  // A busy machine is no reason to fail.
  const known = () => vi.waitFor(() => expect(depths()).not.toBe('unknown'), { timeout: 60_000 });
  return { renderer, index, draw, depths, known, say: () => explain(index, far, camera).join() };
}
const multisampled = () => new THREE.WebGLRenderer({ antialias: true });

it.skipIf(!areShadersSeen)(
  'multisampled pictures hide what is behind only where a probe finds depths at the samples, also after a lost context',
  async () => {
    const { renderer, draw, say, depths, known } = open(multisampled());
    const { render } = renderer.info;
    draw();
    const { calls } = render;
    expect(say()).toContain('has not been tested yet');
    await known();
    expect(render.calls).toBe(calls);
    expect(renderer.getRenderTarget()).toBeNull();
    draw();
    if (depths() === 'right') expect(render.calls).toBeLessThan(calls);
    else expect(say()).toContain('does not compute depth at each sample');
    await renewContext(renderer, () => {});
    expect(depths()).toBe('unknown');
    await known();
  },
);

it.skipIf(!areShadersSeen)(
  'a page that draws on demand is told when the probe has answered, at most three times, and index.ready waits for it',
  async () => {
    let told = 0;
    const onChange = (): void => {
      told++;
      requestAnimationFrame(() => draw());
    };
    const { renderer, index, draw, depths } = open(multisampled(), { batch: true, onChange });
    draw();
    await index.ready;
    expect(depths()).not.toBe('unknown');
    await new Promise((done) => setTimeout(done, 500));
    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThanOrEqual(3);
    const { calls, frame } = renderer.info.render;
    const before = told;
    draw();
    expect(renderer.info.render).toMatchObject({ calls, frame: frame + 1 });
    await new Promise((done) => setTimeout(done, 200));
    expect(told).toBe(before);
  },
);

describe.each(BACKENDS)('WebGPURenderer with $backend', ({ forceWebGL, isMissing }) => {
  it.skipIf(isMissing)('is tested too, and hides what is behind where its depths are right', async () => {
    const { renderer, index, draw, depths, say } = open(new WebGPURenderer({ antialias: true, forceWebGL }));
    await renderer.init();
    draw();
    const { drawCalls } = renderer.info.render;
    await index.ready;
    expect(depths()).not.toBe('unknown');
    draw();
    if (depths() === 'right') expect(renderer.info.render.drawCalls).toBeLessThan(drawCalls);
    else expect(say()).toContain('does not compute depth at each sample');
  });
});

it.skipIf(!areShadersSeen)('what a probe throws is said by explain', async () => {
  const { renderer, index, draw, say } = open(multisampled());
  renderer.readRenderTargetPixelsAsync = () => Promise.reject(new Error('no pixels'));
  draw();
  await index.ready;
  draw();
  expect(say()).toContain('testing this renderer failed (Error: no pixels)');
});
