import * as THREE from 'three';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { AccelerateOptions } from '../../../src/index.js';
import { type OcclusionSettings, OcclusionView } from '../../../src/occlusion/OcclusionView.js';
import { accelerated } from '../../helpers/indexed.js';
import { loadBatching } from '../../helpers/loadBatching.js';
import { CanvasStandIn, drawn, loadOcclusion, wallScene } from '../../helpers/occlusion.js';

beforeAll(async () => {
  await loadOcclusion();
  await loadBatching();
});
afterEach(() => {
  vi.restoreAllMocks();
});

interface Given {
  change?(scene: THREE.Scene, thing: THREE.Mesh): unknown;
  batch?: AccelerateOptions['batch'];
  camera?: THREE.Camera;
  renderer?: object;
}

/** What a pass of a scene with a wall is said to be. */
function settingsOf(given: Given): OcclusionSettings {
  const { scene, camera } = wallScene();
  given.change?.(scene, scene.getObjectByName('far 1') as THREE.Mesh);
  accelerated(scene, { occlusion: true, batch: given.batch ?? false });
  const set = vi.spyOn(OcclusionView.prototype, 'set');
  drawn(scene, given.camera ?? camera, Object.assign(new CanvasStandIn(), given.renderer));
  return set.mock.lastCall?.[0] as OcclusionSettings;
}

const BATCH = { atLeast: 2 };
const box = new THREE.BoxGeometry();
const material = new THREE.MeshBasicMaterial();
const meshOf = (geometry: THREE.BufferGeometry): THREE.Mesh => new THREE.Mesh(geometry, material).translateZ(-10);

it.each<[string, isInWorld: boolean, given: Given]>([
  ['meshes', false, {}],
  ['a turned mesh', false, { change: (_, { rotation }) => rotation.set(1, 2, 3) }],
  ['a stretched mesh', false, { change: (_, { scale }) => scale.set(1, 9, 2) }],
  ['a mesh that stands on its origin', false, { change: (s) => s.add(meshOf(box.clone().translate(0, 0.5, 0))) }],
  ['instances', true, { change: (s) => s.add(new THREE.InstancedMesh(box, material, 1).translateZ(-10)) }],
  [
    'vertices far from the origin of their mesh',
    true,
    { change: (s) => s.add(meshOf(box.clone().translate(5, 0, 0)).translateX(-5)) },
  ],
  ['a LOD', true, { change: (s) => s.add(new THREE.LOD().addLevel(new THREE.Mesh(box, material)).translateZ(-10)) }],
  ['another renderer', true, { renderer: { isWebGLRenderer: false } }],
  ['batches', true, { batch: BATCH }],
])('errors of programs grow with places in the world, with %s: %s', (_what, isInWorld, given) => {
  expect(settingsOf(given).inWorldSpace).toBe(isInWorld);
});

it.each([
  ['perspective', new THREE.PerspectiveCamera(60, 2, 1, 100), 12 * 2 * Math.tan(Math.PI / 6), 0],
  ['no perspective', new THREE.OrthographicCamera(-20, 20, 10, -10, 1, 100), 12, 12 * 20],
] as const)(
  'in batches errors grow with the way from their origin, with %s',
  (_what, camera, fromOrigin, magnitude) => {
    camera.position.z = 5;
    for (const batch of [false, BATCH]) {
      const settings = settingsOf({ batch, camera });
      expect(settings.fromOrigin).toBeCloseTo(batch === false ? 0 : fromOrigin);
      expect(settings.magnitude).toBeCloseTo(batch === false ? 0 : magnitude);
    }
  },
);

it.each([
  [{}, false, { depth: 'gl', logarithmic: null }],
  [{ logarithmicDepthBuffer: true }, false, { depth: 'gl', logarithmic: { near: 0.1, far: 200 } }],
  [{}, true, { depth: 'reversed', logarithmic: null }],
])('a pass has the depth of its renderer and camera: %j, reversed %s', (capabilities, isReversed, expected) => {
  const { camera } = wallScene();
  Object.assign(camera, { _reversedDepth: isReversed }).updateProjectionMatrix();
  expect(settingsOf({ camera, renderer: { capabilities } })).toMatchObject(expected);
});
