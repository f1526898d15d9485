import * as THREE from 'three';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { accelerate } from '../../../src/index.js';
import { type OcclusionSettings, OcclusionView } from '../../../src/occlusion/OcclusionView.js';
import { loadBatching } from '../../helpers/loadBatching.js';
import { CanvasStandIn, drawn, loadOcclusion, wallScene } from '../../helpers/occlusion.js';

beforeAll(async () => {
  await loadOcclusion();
  await loadBatching();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** What a pass was said to be. */
function settingsOf(look: () => unknown): OcclusionSettings | undefined {
  const set = vi.spyOn(OcclusionView.prototype, 'set');
  look();
  return set.mock.lastCall?.[0];
}

/** Whether programs add up places in the world, so that errors grow with these. */
const isInWorld = (look: () => unknown): boolean | undefined => settingsOf(look)?.inWorldSpace;

const asked = (change: (scene: THREE.Scene) => void, renderer: object = new CanvasStandIn()): unknown => {
  const { scene, camera } = wallScene();
  change(scene);
  accelerate(scene, { occlusion: true });
  return isInWorld(() => drawn(scene, camera, renderer));
};

const box = new THREE.BoxGeometry();
const far = box.clone().translate(5, 0, 0);
const material = new THREE.MeshBasicMaterial();
const thing = (scene: THREE.Scene): THREE.Mesh => scene.getObjectByName('far 1') as THREE.Mesh;

it.each<[string, (scene: THREE.Scene) => void, boolean]>([
  ['meshes', () => {}, false],
  [
    'a turned and stretched mesh',
    (scene) => thing(scene).rotation.set(1, 2, 3).isEuler && thing(scene).scale.set(1, 9, 2),
    false,
  ],
  [
    'a mesh that stands on its origin',
    (scene) => Object.assign(thing(scene), { geometry: box.clone().translate(0, 0.5, 0) }),
    false,
  ],
  ['instances', (scene) => scene.add(new THREE.InstancedMesh(box, material, 1).translateZ(-10)), true],
  [
    'vertices far from the origin of their mesh',
    (scene) => {
      const mesh = new THREE.Mesh(far, material);
      mesh.position.set(-5, 0, -10);
      scene.add(mesh);
    },
    true,
  ],
  ['a LOD', (scene) => scene.add(new THREE.LOD().addLevel(new THREE.Mesh(box, material)).translateZ(-10)), true],
])('errors of programs grow with places in the world, with %s: %#', (_what, change, expected) => {
  expect(asked(change)).toBe(expected);
});

it('by another renderer and with batches they do', () => {
  expect(asked(() => {}, Object.assign(new CanvasStandIn(), { isWebGLRenderer: false }))).toBe(true);
  for (const batch of [false, { atLeast: 2 }]) {
    const { scene, camera } = wallScene();
    const index = accelerate(scene, { occlusion: true, batch });
    expect(isInWorld(() => drawn(scene, camera))).toBe(batch !== false);
    index.dispose();
  }
});

it.each([
  ['perspective', new THREE.PerspectiveCamera(60, 2, 1, 100), 12 * 2 * Math.tan(Math.PI / 6), 0],
  ['no perspective', new THREE.OrthographicCamera(-20, 20, 10, -10, 1, 100), 12, 12 * 20],
] as const)(
  'in batches errors grow with the way from their origin, with %s',
  (_what, camera, fromOrigin, magnitude) => {
    const { scene } = wallScene();
    camera.position.z = 5;
    for (const batch of [false, { atLeast: 2 }]) {
      const index = accelerate(scene, { occlusion: true, batch });
      const settings = settingsOf(() => drawn(scene, camera));
      expect(settings?.fromOrigin).toBeCloseTo(batch === false ? 0 : fromOrigin);
      expect(settings?.magnitude).toBeCloseTo(batch === false ? 0 : magnitude);
      index.dispose();
    }
  },
);

it.each([
  [{}, false, { depth: 'gl', logarithmic: null }],
  [{ logarithmicDepthBuffer: true }, false, { depth: 'gl', logarithmic: { near: 0.1, far: 200 } }],
  [{}, true, { depth: 'reversed', logarithmic: null }],
])(
  'a pass is said to have the depth of its renderer and camera: %j, reversed %s',
  (capabilities, isReversed, expected) => {
    const { scene, camera } = wallScene();
    accelerate(scene, { occlusion: true });
    Object.assign(camera, { _reversedDepth: isReversed }).updateProjectionMatrix();
    const settings = settingsOf(() => drawn(scene, camera, Object.assign(new CanvasStandIn(), { capabilities })));
    expect(settings).toMatchObject(expected);
  },
);
