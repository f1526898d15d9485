import * as THREE from 'three';
import { WebGPURenderer } from 'three/webgpu';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { accelerate, explain } from '../../src/index.js';
import { sampleDepthsOf } from '../../src/render/occlusion/probe.js';
import { loadOcclusion, wallScene } from '../helpers/occlusion.js';
import { BACKENDS } from './webgpuPictures.js';

beforeAll(loadOcclusion);

/** A busy machine is no reason to fail. */
const SOON = { timeout: 60_000 };

it('multisampled pictures hide what is behind only where a probe finds depths at the samples, also after a lost context', async () => {
  const renderer = new THREE.WebGLRenderer({ antialias: true });
  renderer.setSize(256, 144, false);
  const { scene, camera } = wallScene(400);
  const index = accelerate(scene, { occlusion: true });
  renderer.render(scene, camera);
  const { calls } = renderer.info.render;
  const far = scene.getObjectByName('far 1') as THREE.Object3D;
  expect(explain(index, far, camera).join()).toContain('has not been tested yet');
  await vi.waitFor(() => expect(sampleDepthsOf(renderer)).not.toBe('unknown'), SOON);
  expect(renderer.info.render.calls).toBe(calls);
  expect(renderer.getRenderTarget()).toBeNull();
  renderer.render(scene, camera);
  if (sampleDepthsOf(renderer) === 'right') expect(renderer.info.render.calls).toBeLessThan(calls);
  else expect(explain(index, far, camera).join()).toContain('does not compute depth at each sample');
  const restored = new Promise((done) => renderer.domElement.addEventListener('webglcontextrestored', done));
  renderer.forceContextLoss();
  await new Promise((done) => setTimeout(done, 50));
  renderer.forceContextRestore();
  await restored;
  expect(sampleDepthsOf(renderer)).toBe('unknown');
  await vi.waitFor(() => expect(sampleDepthsOf(renderer)).not.toBe('unknown'), SOON);
  index.dispose();
  renderer.dispose();
});

it('a page that draws on demand is told when the probe has answered, at most three times, and index.ready waits for it', async () => {
  const renderer = new THREE.WebGLRenderer({ antialias: true });
  renderer.setSize(256, 144, false);
  const { scene, camera } = wallScene(400);
  let told = 0;
  const index = accelerate(scene, {
    occlusion: true,
    batch: true,
    onChange: () => {
      told++;
      requestAnimationFrame(() => renderer.render(scene, camera));
    },
  });
  renderer.render(scene, camera);
  await index.ready;
  expect(sampleDepthsOf(renderer)).not.toBe('unknown');
  await new Promise((done) => setTimeout(done, 500));
  expect(told).toBeGreaterThan(0);
  expect(told).toBeLessThanOrEqual(3);
  const { calls, frame } = renderer.info.render;
  const before = told;
  renderer.render(scene, camera);
  expect(renderer.info.render).toMatchObject({ calls, frame: frame + 1 });
  await new Promise((done) => setTimeout(done, 200));
  expect(told).toBe(before);
  index.dispose();
  renderer.dispose();
});

describe.each(BACKENDS)('WebGPURenderer with $backend', ({ forceWebGL, isMissing }) => {
  it.skipIf(isMissing)('is tested too, and hides what is behind where its depths are right', async () => {
    const renderer = new WebGPURenderer({ antialias: true, forceWebGL });
    renderer.setSize(256, 144, false);
    await renderer.init();
    const { scene, camera } = wallScene(400);
    const index = accelerate(scene, { occlusion: true });
    renderer.render(scene, camera);
    const { drawCalls } = renderer.info.render;
    await index.ready;
    expect(sampleDepthsOf(renderer)).not.toBe('unknown');
    renderer.render(scene, camera);
    const far = scene.getObjectByName('far 1') as THREE.Object3D;
    if (sampleDepthsOf(renderer) === 'right') expect(renderer.info.render.drawCalls).toBeLessThan(drawCalls);
    else expect(explain(index, far, camera).join()).toContain('does not compute depth at each sample');
    index.dispose();
    renderer.dispose();
  });
});

it('what a probe throws is said by explain', async () => {
  const renderer = new THREE.WebGLRenderer({ antialias: true });
  renderer.setSize(256, 144, false);
  renderer.readRenderTargetPixelsAsync = () => Promise.reject(new Error('no pixels'));
  const { scene, camera } = wallScene(400);
  const index = accelerate(scene, { occlusion: true });
  renderer.render(scene, camera);
  await index.ready;
  renderer.render(scene, camera);
  const far = scene.getObjectByName('far 1') as THREE.Object3D;
  expect(explain(index, far, camera).join()).toContain('testing this renderer failed (Error: no pixels)');
  index.dispose();
  renderer.dispose();
});
