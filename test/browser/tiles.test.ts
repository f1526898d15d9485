import { Raycaster, Vector2, type WebGLRenderer } from 'three';
import { type AcceleratedScene, accelerate, explain } from 'three-scene-index';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadBatching } from '../helpers/loadBatching.js';
import { differences, makeRenderer, otherPixels } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { validateScene } from '../helpers/validateScene.js';
import { describeHit, TileFlight } from './TileFlight.js';

const SIZE = 160;
const STOPS = 5;
const FRAMES = 5;
const RAYS = 60;

let renderer: WebGLRenderer;
beforeAll(async () => {
  renderer = makeRenderer(SIZE);
  await loadBatching();
});
afterAll(() => renderer.dispose());

/** Hits of the same random rays in both scenes, in order. */
function expectSameHits(plain: TileFlight, fast: TileFlight, next: () => number): number {
  let count = 0;
  for (let ray = 0; ray < RAYS; ray++) {
    const point = new Vector2(2 * next() - 1, 2 * next() - 1);
    const [expected, found, among, first] = [plain, fast, fast, fast].map(({ scene, camera }, i) => {
      const raycaster = new Raycaster();
      raycaster.setFromCamera(point, camera);
      raycaster.firstHitOnly = i === 3;
      const hits = i === 2 ? raycaster.intersectObjects(scene.children) : raycaster.intersectObject(scene);
      return hits.map(describeHit);
    });
    expect(found).toEqual(expected);
    expect(among).toEqual(expected);
    // Of each mesh, where its own `raycast` knows of it.
    expect(first).toEqual(expected);
    count += expected.length;
  }
  return count;
}

function expectInOrder(index: AcceleratedScene, { meshes }: TileFlight): void {
  expect(validateScene(index)).toEqual([]);
  expect(index.size).toBe(meshes.length);
  for (const mesh of meshes) expect(index.has(mesh)).toBe(true);
}

describe.each([
  { culls: false, batch: false },
  { culls: true, batch: true },
])('3D Tiles, culled by the renderer: $culls, in batches: $batch', ({ culls, batch }) => {
  test('come and go while the camera flies, with the pictures and picks of plain three', async () => {
    const [plain, fast] = [new TileFlight(renderer, culls), new TileFlight(renderer, culls)];
    const index = accelerate(fast.scene, { batch: batch && { atLeast: 4 } });
    const next = random(11);
    const sets = new Set<string>();
    let batched = 0;
    for (let stop = 0; stop < STOPS; stop++) {
      for (let frame = 1; frame <= FRAMES; frame++) {
        for (const flight of [plain, fast]) {
          flight.moveTo((stop + frame / FRAMES - 1) / (STOPS - 1));
          flight.draw();
        }
        await new Promise(requestAnimationFrame);
        expectInOrder(index, fast);
      }
      await plain.settle();
      await fast.settle();
      expect(fast.shown()).toEqual(plain.shown());
      sets.add(fast.shown().join());
      const [expected, picture] = [plain.draw(), fast.draw()];
      expect(new Set(expected).size).toBeGreaterThan(20);
      if (batch) expect(otherPixels(picture, expected, 2)).toBeLessThan((SIZE * SIZE) / 1000);
      else expect(differences(picture, expected)).toBe(0);
      expect(expectSameHits(plain, fast, next)).toBeGreaterThan(RAYS / 3);
      expectInOrder(index, fast);
      for (const mesh of fast.meshes) {
        if (explain(index, mesh, fast.camera).join().includes('drawn in a batch')) batched++;
      }
    }
    expect(sets.size).toBeGreaterThan(STOPS / 2);
    expect(fast.loaded).toBeGreaterThan(10);
    expect(fast.unloaded).toBeGreaterThan(3);
    expect(batched > 0).toBe(batch);
    fast.dispose();
    fast.draw();
    expect(index.size).toBe(0);
    expect(validateScene(index)).toEqual([]);
    index.dispose();
    plain.dispose();
  });
});
