import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { createIndex, SceneIndex, type SpatialIndex, type StructureName, VisibilityTracker } from '../../src/index.js';
import { eye } from '../helpers/cameras.js';
import { bytesPerCall } from '../helpers/garbage.js';
import { accelerated, indexed } from '../helpers/indexed.js';
import { random } from '../helpers/random.js';
import { boxMesh } from '../helpers/scene.js';
import { seeds } from '../helpers/width.js';

function views(next: () => number): THREE.ArrayCamera {
  const places = [next() * 30 - 15, next() * 30 - 15];
  return new THREE.ArrayCamera(places.map((x) => eye(x, 0, 25, { fov: 40, far: 60, lookAt: [x, 0, 0] })));
}

/** Changes a scene of meshes in some way; meshes that go are replaced in the list. */
function edit(next: () => number, meshes: THREE.Mesh[], scene: THREE.Scene, group: THREE.Group): void {
  const at = (): number => next() * 40 - 20;
  const k = Math.floor(next() * meshes.length);
  const mesh = meshes[k];
  const what = next();
  if (what < 0.25) mesh.position.set(at(), at(), at());
  else if (what < 0.5) mesh.position.addScaledVector(new THREE.Vector3(at(), at(), at()), 0.2);
  else if (what < 0.6) mesh.visible = next() < 0.8;
  else if (what < 0.68) mesh.layers.set(next() < 0.8 ? 0 : 1);
  else if (what < 0.73) mesh.frustumCulled = !mesh.frustumCulled;
  else if (what < 0.83) {
    // One goes and another comes, which may take over its id.
    mesh.removeFromParent();
    meshes[k] = boxMesh(at(), at(), at());
    scene.add(meshes[k]);
  } else if (what < 0.93) (mesh.parent === scene ? group : scene).attach(mesh);
  else if (what < 0.95) {
    mesh.removeFromParent();
    scene.add(mesh);
  } else if (what < 0.97) mesh.geometry = new THREE.BufferGeometry();
  else group.visible = next() < 0.7;
}

const VARIANTS: [string, StructureName, (scene: THREE.Scene, index: SpatialIndex) => SceneIndex][] = [
  ['a plain index', 'looseOctree', (scene, index) => indexed(scene, { structure: index })],
  ['a plain index', 'bruteForce', (scene, index) => indexed(scene, { structure: index })],
  ['an accelerated scene', 'octree', (scene, index) => accelerated(scene, { structure: index })],
];

describe.each(VARIANTS)('trackers of %s, in %s,', (_, structure, make) => {
  it.each(seeds(3))('tell the difference of what is culled from update to update, seed %i', (seed) => {
    const next = random(seed);
    const group = new THREE.Group();
    const at = (): number => next() * 40 - 20;
    const meshes = Array.from({ length: 120 }, () => boxMesh(at(), at(), at()));
    const scene = new THREE.Scene().add(group, ...meshes);
    const index = make(scene, createIndex(structure, { capacity: 3 }));
    const moving = new THREE.PerspectiveCamera(50, 1, 0.1, 60);
    moving.position.z = 20;
    const cameras = [moving, moving, new THREE.OrthographicCamera(-12, 12, 12, -12, -10, 10), views(next)];
    const watched = cameras.map((camera) => {
      const tracker = new VisibilityTracker(index, camera);
      return { camera, tracker, before: new Set<THREE.Object3D>() };
    });
    const counts = { entered: 0, left: 0 };
    for (let round = 0; round < 60; round++) {
      for (let step = 0; step < 5; step++) edit(next, meshes, scene, group);
      group.position.set(at() / 4, at() / 4, at() / 4);
      moving.position.add(new THREE.Vector3(at(), at(), at()).multiplyScalar(0.1));
      moving.lookAt(at() / 4, at() / 4, at() / 4);
      if (next() < 0.05) index.setStructure(createIndex(next() < 0.5 ? 'octree' : structure));
      index.update();
      for (const view of watched) {
        if (next() < 0.1) continue;
        const { camera, tracker, before } = view;
        tracker.update();
        const culled = index.cull(camera);
        const now = new Set(culled);
        expect(tracker.visible, `round ${round}`).toEqual(culled);
        expect(idsOf(tracker.entered)).toEqual(idsOf(culled.filter((object) => !before.has(object))));
        expect(idsOf(tracker.left)).toEqual(idsOf([...before].filter((object) => !now.has(object))));
        expect(meshes.map((mesh) => tracker.isVisible(mesh))).toEqual(meshes.map((mesh) => now.has(mesh)));
        counts.entered += tracker.entered.length;
        counts.left += tracker.left.length;
        view.before = now;
      }
    }
    expect(Math.min(counts.entered, counts.left)).toBeGreaterThan(50);
  });
});

const idsOf = (objects: Iterable<THREE.Object3D>): number[] => [...objects].map(({ id }) => id).sort((a, b) => a - b);

describe('a visibility tracker', () => {
  it('is as it was when its camera or an object of the scene is broken', () => {
    const mesh = boxMesh(0, 0, -5, 0);
    const scene = new THREE.Scene().add(mesh);
    const index = new SceneIndex(scene);
    const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 1000);
    const tracker = new VisibilityTracker(index, camera);
    const step = (): void => {
      index.update();
      tracker.update();
    };
    step();
    const extra = boxMesh(1, 0, -5);
    scene.add(extra);
    const { projectionMatrix } = camera;
    (camera as { projectionMatrix: unknown }).projectionMatrix = null;
    expect(step).toThrow(TypeError);
    camera.projectionMatrix = projectionMatrix;
    const { layers } = extra;
    const fail = (): never => {
      throw new TypeError('mine');
    };
    Object.defineProperty(extra, 'layers', { configurable: true, get: fail });
    mesh.visible = false;
    expect(step).toThrow('mine');
    expect([tracker.visible, tracker.isVisible(mesh)]).toEqual([[mesh], true]);
    Object.defineProperty(extra, 'layers', { value: layers });
    step();
    expect([tracker.visible, tracker.entered, tracker.left]).toEqual([[extra], [extra], [mesh]]);
  });

  it('allocates nothing for the objects in view while nothing changes', () => {
    const next = random(1);
    const scene = new THREE.Scene();
    const strewn = (): number => next() * 40 - 20;
    for (let i = 0; i < 500; i++) scene.add(boxMesh(strewn(), strewn(), strewn() - 40));
    const tracker = new VisibilityTracker(new SceneIndex(scene), new THREE.PerspectiveCamera(90, 1, 0.1, 100));
    tracker.update();
    expect(tracker.visible.length).toBeGreaterThan(300);
    // The smallest thing, a number, takes 12 bytes or more; three's reading of a frustum makes some of them.
    const most = 8 * tracker.visible.length;
    expect(bytesPerCall(() => tracker.update(), 500, 3000, most)).toBeLessThan(most);
  });
});
