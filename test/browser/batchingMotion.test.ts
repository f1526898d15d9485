import * as THREE from 'three';
import { traa } from 'three/addons/tsl/display/TRAANode.js';
import { abs, mrt, output, pass, vec4, velocity } from 'three/tsl';
import { RenderPipeline, RenderTarget, WebGPURenderer } from 'three/webgpu';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accelerate } from '../../src/index.js';

import { loadBatching } from '../helpers/loadBatching.js';
import { random } from '../helpers/random.js';
import { eyeAt } from './batching.js';
import { BACKENDS } from './webgpuPictures.js';

vi.setConfig({ testTimeout: 60_000 });
const SIZE = 96;

interface Made {
  readonly scene: THREE.Scene;
  readonly camera: THREE.PerspectiveCamera;
  readonly meshes: THREE.Mesh[];
  readonly next: () => number;
  /** What the camera looks at. */
  readonly middle: THREE.Vector3;
}

function make(seed: number): Made {
  const next = random(seed);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x334455);
  scene.add(new THREE.HemisphereLight(), new THREE.DirectionalLight());
  const made = { scene, camera: eyeAt(14, 10, 18), meshes: [], next, middle: new THREE.Vector3() };
  for (let i = 0; i < 90; i++) add(made);
  return made;
}

const box = new THREE.BoxGeometry();
const materials = [0xcc8844, 0x4488cc].map((color) => new THREE.MeshLambertMaterial({ color }));

function add({ scene, meshes, next }: Made): void {
  const mesh = new THREE.Mesh(box, materials[meshes.length % 2]);
  mesh.position.set(next() * 16 - 8, next() * 8 - 4, next() * 16 - 8);
  mesh.rotation.set(next() * 6, next() * 6, next() * 6);
  meshes.push(mesh);
  scene.add(mesh);
}

/** Some meshes move, and the camera. */
function move({ meshes, camera, middle }: Made): void {
  for (let i = 0; i < 10; i++) {
    meshes[i].position.x += 0.2;
    meshes[i].rotation.y += 0.1;
  }
  camera.position.x -= 0.1;
  camera.lookAt(middle);
}

/** Takes everything to another place, where batches have another origin. */
function shift({ scene, camera, middle }: Made, x: number): void {
  for (const object of [...scene.children, camera]) object.position.x += x;
  middle.x += x;
  camera.lookAt(middle);
}

/** What comes before some frames. */
const EVENTS: { [frame: number]: (made: Made) => void } = {
  10: ({ meshes }) => {
    for (const mesh of meshes.splice(20, 12)) mesh.removeFromParent();
  },
  // Some places are taken anew.
  20: (made) => {
    for (let i = 0; i < 9; i++) add(made);
  },
  // Batches grow.
  30: (made) => {
    for (let i = 0; i < 60; i++) add(made);
  },
  40: (made) => shift(made, 1_000),
  50: (made) => shift(made, -1_000),
};
const FRAMES = 60;
/** Frames in which meshes go over to batches, or to larger ones, which know nothing of the last frame. */
const HAND_OVERS = [0, 1, 2, 30, 31, 32];

describe.each(BACKENDS)('what moves in batches, by WebGPURenderer with $backend', ({ forceWebGL, isMissing }) => {
  let renderer: WebGPURenderer;
  const target = new RenderTarget(SIZE, SIZE);
  beforeAll(async () => {
    renderer = new WebGPURenderer({ antialias: false, forceWebGL });
    renderer.setSize(SIZE, SIZE);
    await renderer.init();
    await loadBatching();
  });
  afterAll(() => renderer.dispose());

  /** Frames of a scene, what is seen or how it moves, and the draw calls of the last of them. */
  async function tell(isBatched: boolean, hasVelocities: boolean): Promise<[pictures: Uint8Array[], calls: number]> {
    const made = make(3);
    const { scene, camera } = made;
    const scenePass = pass(scene, camera);
    scenePass.setMRT(mrt({ output, velocity }));
    const motion = scenePass.getTextureNode('velocity');
    const smooth = traa(scenePass.getTextureNode('output'), scenePass.getTextureNode('depth'), motion, camera);
    const shown = hasVelocities ? vec4(abs(motion.xy).mul(8), 0, 1) : smooth;
    const pipeline = new RenderPipeline(renderer, shown as never);
    const index = isBatched ? accelerate(scene, { batch: { atLeast: 4 } }) : null;
    const taken: Uint8Array[] = [];
    let calls = 0;
    for (let frame = 0; frame < FRAMES; frame++) {
      EVENTS[frame]?.(made);
      move(made);
      await new Promise(requestAnimationFrame);
      renderer.setRenderTarget(target);
      renderer.info.reset();
      pipeline.render();
      calls = renderer.info.render.drawCalls;
      taken.push((await renderer.readRenderTargetPixelsAsync(target, 0, 0, SIZE, SIZE)) as Uint8Array);
    }
    renderer.setRenderTarget(null);
    index?.dispose();
    pipeline.dispose();
    return [taken, calls];
  }

  const looks: [string, boolean][] = [['has the velocities', true]];
  // What it makes of velocities is the same on both.
  if (!forceWebGL) looks.push(['looks, smoothed by TRAA, as', false]);
  test.skipIf(isMissing).each(looks)('%s of plain three, once it has settled', async (_label, hasVelocities) => {
    const [plain, plainCalls] = await tell(false, hasVelocities);
    const [fast, calls] = await tell(true, hasVelocities);
    for (const [frame, pixels] of plain.entries()) {
      // Smooth pictures go on to show what was smoothed before.
      if (hasVelocities ? HAND_OVERS.includes(frame) : frame % 10 < 9) continue;
      let count = 0;
      for (let i = 0; i < pixels.length; i++) if (Math.abs(pixels[i] - fast[frame][i]) > 2) count++;
      expect(count, `frame ${frame}`).toBeLessThan(hasVelocities ? 4 : 16);
    }
    expect(new Set(plain.map(String)).size).toBeGreaterThan(20);
    expect(calls).toBeLessThan(plainCalls / 20);
  });
});
