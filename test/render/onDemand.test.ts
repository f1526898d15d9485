import * as THREE from 'three';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type AccelerateOptions, accelerate } from '../../src/index.js';
import { Redraws } from '../../src/render/RenderSession.js';
import { cameraAt, loadAllBatching } from '../batching/Stage.js';
import { drawnTriangles } from '../helpers/drawnTriangles.js';

const camera = cameraAt(20);
const plane = new THREE.PlaneGeometry();
const paint = new THREE.MeshBasicMaterial();
/** Waits until nothing more comes by itself. */
const settled = async (turns = 20): Promise<void> => {
  for (let i = 0; i < turns; i++) await new Promise((done) => setTimeout(done));
};

function sceneOf(count: number): THREE.Scene {
  const scene = new THREE.Scene();
  for (let i = 0; i < count; i++) scene.add(new THREE.Mesh(plane, paint));
  return scene;
}

/** A page that draws when it has changed something, and when it is told to. */
class Page {
  told = 0;
  /** The draw calls of each picture. */
  readonly calls: number[] = [];
  readonly scene: THREE.Scene;
  readonly index: ReturnType<typeof accelerate>;

  constructor(scene: THREE.Scene, options: AccelerateOptions) {
    this.scene = scene;
    this.index = accelerate(scene, {
      ...options,
      onChange: () => {
        this.told++;
        this.draw();
      },
    });
  }

  draw(): void {
    this.scene.updateMatrixWorld();
    this.calls.push(drawnTriangles(this.scene, camera, camera).calls);
  }

  /** Edits, draws, and waits until the page rests; returns how often it was told to draw. */
  async edit(change: () => void): Promise<number> {
    const before = this.told;
    change();
    this.draw();
    await settled();
    return this.told - before;
  }
}

beforeAll(loadAllBatching);

describe('a page that draws on demand', () => {
  it.each([20, 100, 300, 733])('%d meshes: gets to one draw call, told at most three times', async (count) => {
    const page = new Page(sceneOf(count), { batch: true });
    page.draw();
    await page.index.ready;
    await settled();
    expect(page.calls.at(-1)).toBe(1);
    expect(page.told).toBeGreaterThan(0);
    expect(page.told).toBeLessThanOrEqual(3);
    page.index.dispose();
  });

  it('with a texture of the same pixels each: gets to one draw call, told three times more at most', async () => {
    const scene = sceneOf(8);
    for (const mesh of scene.children as THREE.Mesh[]) {
      const map = new THREE.DataTexture(new Uint8Array(4).fill(7), 1, 1);
      map.needsUpdate = true;
      mesh.material = new THREE.MeshBasicMaterial({ map });
    }
    const page = new Page(scene, { batch: true });
    page.draw();
    await vi.waitUntil(() => page.calls.at(-1) === 1, { timeout: 20_000 });
    await settled();
    expect(page.calls.at(-1)).toBe(1);
    expect(page.told).toBeLessThanOrEqual(6);
    page.index.dispose();
  });

  it('is told of what waits after each edit, and of nothing when it draws the same again', async () => {
    const page = new Page(sceneOf(40), { batch: true });
    await page.edit(() => {});
    expect(await page.edit(() => {})).toBe(0);
    expect(await page.edit(() => page.scene.add(...sceneOf(5).children))).toBe(1);
    expect(page.calls.at(-1)).toBe(1);
    const [first] = page.scene.children as THREE.Mesh[];
    first.material = new THREE.MeshBasicMaterial({ color: 'red' });
    expect(await page.edit(() => {})).toBeLessThanOrEqual(3);
    expect(await page.edit(() => {})).toBe(0);
    page.index.dispose();
  });

  it.each<[string, AccelerateOptions, isDisposed: boolean]>([
    ['and nothing else', {}, false],
    ['once the index is disposed', { batch: true }, true],
  ])('is told nothing %s', async (_label, options, isDisposed) => {
    const page = new Page(sceneOf(40), options);
    if (isDisposed) page.index.dispose();
    for (let i = 0; i < 5; i++) expect(await page.edit(() => {})).toBe(0);
    page.index.dispose();
  });

  it.each([
    ['one picture', [true]],
    ['several, the last of which is never done', [false, false, true]],
  ])('does not loop while it draws %s, and is told again after an edit', async (_label, pictures) => {
    let told = 0;
    const draw = (): void => {
      for (const isPending of pictures) redraws.afterPicture(isPending);
    };
    const redraws = new Redraws(() => {
      told++;
      draw();
    });
    for (const count of [3, 3, 6]) {
      if (count === 6) redraws.renew();
      draw();
      await settled();
      expect(told).toBe(count);
    }
  });
});

it('index.ready is resolved when nothing was asked for, when the code is there, and after dispose', async () => {
  const index = accelerate(sceneOf(3));
  await index.ready;
  index.batch(index.root, true);
  await index.ready;
  drawnTriangles(index.root as THREE.Scene, camera, camera);
  index.dispose();
  await index.ready;
});

it('an onChange that throws is reported, and nothing else is broken', async () => {
  const report = vi.spyOn(console, 'error').mockReturnValue();
  const error = new Error('mine');
  const index = accelerate(sceneOf(20), {
    batch: true,
    onChange: () => {
      throw error;
    },
  });
  await index.ready;
  drawnTriangles(index.root as THREE.Scene, camera, camera);
  await settled(1);
  expect(report).toHaveBeenCalledWith('accelerate.onChange:', error);
  index.dispose();
});
