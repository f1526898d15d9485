import * as THREE from 'three';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { accelerate } from '../../../src/index.js';
import { loadBatching } from '../../helpers/loadBatching.js';
import { tryOcclusion } from '../../helpers/occlusion/tryOcclusion.js';
import { drawn, loadOcclusion, wallScene } from '../../helpers/occlusion.js';

let rest = (): void => {};

beforeAll(async () => {
  await loadOcclusion();
  await loadBatching();
});
beforeEach(() => {
  rest = tryOcclusion();
});
afterEach(() => rest());

it('a material that batches and occlusion ask about, for a hundred meshes, is compared once in a render', () => {
  const { scene, camera } = wallScene();
  let reads = 0;
  const material = new THREE.MeshBasicMaterial();
  let opacity = 1;
  Object.defineProperty(material, 'opacity', {
    get: () => {
      reads++;
      return opacity;
    },
    set: (to) => {
      opacity = to;
    },
  });
  scene.traverse((object) => {
    if ((object as THREE.Mesh).isMesh) (object as THREE.Mesh).material = material;
  });
  accelerate(scene, { batch: true, occlusion: true });
  for (let i = 0; i < 12; i++) drawn(scene, camera);
  for (let i = 0; i < 3; i++) {
    reads = 0;
    expect(drawn(scene, camera).length).toBeLessThan(20);
    expect(reads).toBe(1);
  }
});
