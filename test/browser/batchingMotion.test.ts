import * as THREE from 'three';
import { abs, mrt, output, pass, vec4, velocity } from 'three/tsl';
import { RenderPipeline, RenderTarget, WebGPURenderer } from 'three/webgpu';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accelerate } from '../../src/index.js';
import { loadBatching } from '../helpers/loadBatching.js';
import { otherPixels } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { eyeAt, two, world } from './batching.js';
import { BACKENDS } from './webgpuPictures.js';

const SIZE = 96;
const FRAMES = 60;
/** Frames in which meshes go over to batches, or to larger ones, which know nothing of the last frame. */
const HAND_OVERS = [0, 1, 2, 30, 31, 32];

/** Boxes and a camera that move. */
class Swarm {
  readonly scene: THREE.Scene = new THREE.Scene();
  readonly camera = eyeAt(14, 10, 18);
  readonly #meshes: THREE.Mesh[] = [];
  readonly #materials = two();
  readonly #next = random(3);
  /** What the camera looks at. */
  readonly #middle = new THREE.Vector3();

  add(count: number): void {
    const next = this.#next;
    const { meshes } = world(this.#materials, undefined, count);
    for (const mesh of meshes) {
      mesh.position.set(next() * 16 - 8, next() * 8 - 4, next() * 16 - 8);
      mesh.rotation.set(next() * 6, next() * 6, next() * 6);
    }
    this.#meshes.push(...meshes);
    this.scene.add(...meshes);
  }

  remove(): void {
    for (const mesh of this.#meshes.splice(20, 12)) mesh.removeFromParent();
  }

  move(): void {
    for (const mesh of this.#meshes.slice(0, 10)) {
      mesh.position.x += 0.2;
      mesh.rotation.y += 0.1;
    }
    this.camera.position.x -= 0.1;
    this.camera.lookAt(this.#middle);
  }

  /** Takes everything to another place, where batches have another origin. */
  shift(x: number): void {
    for (const object of [...this.scene.children, this.camera]) object.position.x += x;
    this.#middle.x += x;
  }
}

/** What comes before some frames. */
const EVENTS: { [frame: number]: (swarm: Swarm) => void } = {
  0: (swarm) => swarm.add(90),
  10: (swarm) => swarm.remove(),
  // Some places are taken anew.
  20: (swarm) => swarm.add(9),
  // Batches grow.
  30: (swarm) => swarm.add(60),
  40: (swarm) => swarm.shift(1_000),
  50: (swarm) => swarm.shift(-1_000),
};

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

  /** How a scene moves from frame to frame, and the draw calls of the last of them. */
  async function tell(isBatched: boolean): Promise<[pictures: Uint8Array[], calls: number]> {
    const swarm = new Swarm();
    const scenePass = pass(swarm.scene, swarm.camera);
    scenePass.setMRT(mrt({ output, velocity }));
    const motion = scenePass.getTextureNode('velocity');
    const pipeline = new RenderPipeline(renderer, vec4(abs(motion.xy).mul(8), 0, 1) as never);
    const index = isBatched ? accelerate(swarm.scene, { batch: { atLeast: 4 } }) : null;
    const taken: Uint8Array[] = [];
    let calls = 0;
    for (let frame = 0; frame < FRAMES; frame++) {
      EVENTS[frame]?.(swarm);
      swarm.move();
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

  test.skipIf(isMissing)('has the velocities of plain three, once it has settled', async () => {
    const [[plain, plainCalls], [fast, calls]] = [await tell(false), await tell(true)];
    for (const [frame, pixels] of plain.entries()) {
      if (!HAND_OVERS.includes(frame)) expect(otherPixels(pixels, fast[frame], 2), `frame ${frame}`).toBeLessThan(2);
    }
    expect(new Set(plain.map(String)).size).toBeGreaterThan(20);
    expect(calls).toBeLessThan(plainCalls / 20);
  });
});
