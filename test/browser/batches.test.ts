import { AmbientLight, BatchedMesh, BoxGeometry, ConeGeometry, Matrix4, MeshLambertMaterial } from 'three';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { InstanceIndex } from '../../src/index.js';
import { stopClock } from '../helpers/clock.js';
import { isDrawnByIndex, loadBatchCode } from '../helpers/drawnByIndex.js';
import { random } from '../helpers/random.js';
import { addGround, addSun, anyPlace, colour, expectSameStory, eye, renderer } from './stories.js';
import { BACKENDS, expectSamePixels, WebGPUPictures } from './webgpuPictures.js';

stopClock();

// Shadow maps in software take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
beforeAll(loadBatchCode);
afterAll(() => renderer.dispose());

/** A batch of boxes and cones, with colours, all casting and receiving. */
function heap(seed: number, isTransparent: boolean): BatchedMesh {
  const next = random(seed);
  const material = new MeshLambertMaterial({ transparent: isTransparent, opacity: isTransparent ? 0.5 : 1 });
  const mesh = new BatchedMesh(400, 200, 600, material);
  const shapes = [mesh.addGeometry(new BoxGeometry()), mesh.addGeometry(new ConeGeometry(0.6, 1.5, 6))];
  for (let i = 0; i < 400; i++) {
    const id = mesh.addInstance(shapes[i % 2]);
    mesh.setMatrixAt(id, anyPlace(next));
    mesh.setColorAt(id, colour(next));
  }
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

/** Draws the boxes by levels of detail that look alike, so that the picture stays the same. */
function level(mesh: BatchedMesh): InstanceIndex {
  const copies = [0, 1].map(() => mesh.addGeometry(new BoxGeometry()));
  const index = new InstanceIndex(mesh);
  index.setLevels([0, ...copies].map((geometryId, i) => ({ geometryId, pixels: 20 - 8 * i })));
  return index;
}

/** How many geometries the last pass drew instances with. */
function shapesDrawn(mesh: BatchedMesh): number {
  const { _multiDrawStarts: starts, _multiDrawCount: count } = mesh as unknown as {
    _multiDrawStarts: Int32Array;
    _multiDrawCount: number;
  };
  return new Set(starts.subarray(0, count)).size;
}

/** Moves, hides and replaces some instances. */
function stir(mesh: BatchedMesh, frame: number): void {
  const matrix = new Matrix4();
  for (let id = frame; id < 400; id += 9) {
    mesh.getMatrixAt(id, matrix);
    mesh.setMatrixAt(id, matrix.premultiply(new Matrix4().makeTranslation(3, 1, -2)));
    mesh.setVisibleAt(id, frame % 2 === 0);
  }
  mesh.setGeometryIdAt(frame, frame % 2);
}

describe('an accelerated scene with batches looks as without', () => {
  test.each([false, true])('in WebGLRenderer with shadows, transparent: %s', (isTransparent) => {
    expectSameStory((scene, snap, index) => {
      scene.add(new AmbientLight(0xffffff, 0.5));
      addGround(scene);
      const mesh = heap(1, isTransparent);
      mesh.rotation.y = 0.3;
      scene.add(mesh);
      const levels = index === null || !isTransparent ? null : level(mesh);
      const sun = addSun(scene);
      for (let frame = 0; frame < 6; frame++) {
        snap(() => renderer.render(scene, eye(20 - 7 * frame, 6, 16, 60)));
        expect(isDrawnByIndex(mesh)).toBe(index !== null);
        if (levels !== null) expect(shapesDrawn(mesh)).toBeGreaterThan(3);
        stir(mesh, frame);
        if (frame === 3) Object.assign(mesh.material, { wireframe: true });
        if (frame === 4) mesh.sortObjects = false;
      }
      levels?.dispose();
      sun.shadow.dispose();
      renderer.shadowMap.enabled = false;
      mesh.dispose();
    });
  });

  for (const { backend, forceWebGL, isMissing } of BACKENDS) {
    test.skipIf(isMissing)(`in WebGPURenderer, ${backend}, with shadows`, async () => {
      const pictures = await WebGPUPictures.make(forceWebGL);
      const take = async (isFast: boolean, hasLevels = false): Promise<Uint8Array[]> => {
        const mesh = heap(2, false);
        const levels = hasLevels ? level(mesh) : null;
        const taken = await pictures.takeInSun(mesh, 40, isFast, 4, (frame) => {
          expect(isDrawnByIndex(mesh)).toBe(isFast);
          stir(mesh, frame);
        });
        levels?.dispose();
        mesh.dispose();
        return taken;
      };
      const plain = await take(false);
      expect(plain.some((pixels, i) => i > 0 && pixels.some((value, k) => value !== plain[0][k]))).toBe(true);
      for (const hasLevels of [false, true]) {
        const taken = await take(true, hasLevels);
        for (const [i, pixels] of taken.entries()) expectSamePixels(pixels, plain[i], `picture ${i}, ${hasLevels}`);
      }
      pictures.dispose();
    });
  }
});
