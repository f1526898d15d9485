import * as THREE from 'three';
import { beforeAll, describe, expect, it, test, vi } from 'vitest';
import { explain, report } from '../../src/index.js';
import { loadAllBatching } from '../batching/Stage.js';
import { eye } from '../helpers/cameras.js';
import { accelerated } from '../helpers/indexed.js';
import { cameraPass, withinRender } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { boxMesh, instancedMesh } from '../helpers/scene.js';

/** As three's: it extends nothing, and others extend it. */
class Standard {}
class Other extends Standard {}

const renderer = (drawingPipeline: object) => ({ sortObjects: true, drawingPipeline });
const STANDARD = renderer(new Standard());
const OTHER = renderer(new Other());

beforeAll(loadAllBatching);

/** The meshes that a renderer asks whether they are in view. */
function asked(scene: THREE.Scene, camera: THREE.Camera, by: object): THREE.Object3D[] {
  scene.updateMatrixWorld();
  camera.updateMatrixWorld();
  const { intersectsFrustum } = THREE.Mesh.prototype;
  const met: THREE.Object3D[] = [];
  THREE.Mesh.prototype.intersectsFrustum = function (frustum) {
    met.push(this);
    return intersectsFrustum.call(this, frustum);
  };
  try {
    withinRender(by, scene, camera, () => cameraPass(scene, camera, new THREE.Frustum()));
  } finally {
    THREE.Mesh.prototype.intersectsFrustum = intersectsFrustum;
  }
  return met;
}

/** 200 boxes along x, two apart. */
const row = () => new THREE.Scene().add(...Array.from({ length: 200 }, (_, i) => boxMesh(2 * i)));

/** Sees some 30 boxes around a place in the row. */
const at = (x: number) => eye(x, 0, 30, { fov: 90, lookAt: [x, 0, 0] });

describe('a renderer with a drawing pipeline of its own', () => {
  it('finds the scene as it is', () => {
    const scene = row();
    accelerated(scene, { minPixels: 1, maxDistance: 40, occlusion: true });
    const camera = at(30);
    for (const x of [30, 50]) {
      camera.position.x = x;
      expect(asked(scene, camera, OTHER)).toEqual(scene.children);
      expect(asked(scene, camera, STANDARD).length).toBeLessThan(60);
    }
  });

  it('has nothing drawn in batches or by instances in view, which is said of each mesh', async () => {
    const scene = row();
    const swarm = instancedMesh(random(1), 300);
    scene.add(swarm);
    const index = accelerated(scene, { batch: { atLeast: 4 } });
    // The code for instances is loaded for the first of them.
    await vi.dynamicImportSettled();
    const camera = at(30);
    const mesh = scene.children[15];
    for (const [by, word, isBatched] of [
      [OTHER, /by itself, not in a batch: the drawingPipeline/, false],
      [STANDARD, /in a batch of/, true],
      [OTHER, /by itself, not in a batch: the drawingPipeline/, false],
    ] as const) {
      for (let i = 0; i < 3; i++) asked(scene, camera, by);
      // Batches have culled what they draw.
      expect(asked(scene, camera, by).includes(mesh)).toBe(!isBatched);
      expect(explain(index, mesh, camera)).toEqual([expect.stringMatching(word)]);
      const why = explain(index, swarm, camera).find((sentence) => sentence.startsWith('All its instances'));
      expect(/drawingPipeline/.test(why ?? '')).toBe(!isBatched);
      const rows = report(index).filter(({ reason }) => /drawingPipeline/.test(reason));
      expect(rows.map(({ count }) => count)).toEqual(isBatched ? [] : [201]);
    }
  });
});

test.each([
  [undefined, false],
  [new Standard(), false],
  [new Other(), true],
  [{}, true],
])('a pipeline is told from the standard one: %o', async (drawingPipeline, isOther) => {
  const { hasOtherPipeline } = await import('../../src/passes/Pass.js');
  expect(hasOtherPipeline({ sortObjects: true, ...(drawingPipeline && { drawingPipeline }) })).toBe(isOther);
});
