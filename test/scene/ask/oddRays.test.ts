import * as THREE from 'three';
import { afterEach, describe, expect, it } from 'vitest';
import { accelerate, createIndex, SceneIndex } from '../../../src/index.js';
import { eye } from '../../helpers/cameras.js';
import { accelerated } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import { boxMesh, strewn } from '../../helpers/scene.js';

const shown = (hits: readonly THREE.Intersection[]) =>
  hits.map(({ object, distance, point }) => [object.id, distance, ...point]);

/** Meshes, and what a ray hits beside itself: lines, points, sprites, by themselves and in LODs. */
function sceneOfAll(count: number): THREE.Scene {
  const next = random(5);
  const scene = new THREE.Scene();
  for (let i = 0; i < count; i++) {
    const kind = i % 5;
    let object = kind === 0 ? boxMesh() : new THREE.Sprite(new THREE.SpriteMaterial({ rotation: 0.4 }));
    if (kind === 1) object = new THREE.Line(strewn(next, 4), new THREE.LineBasicMaterial()) as never;
    if (kind === 2) object = new THREE.Points(strewn(next, 9), new THREE.PointsMaterial()) as never;
    const holder = kind === 4 ? new THREE.LOD().addLevel(object) : object;
    holder.position.set(next() * 20 - 10, next() * 20 - 10, next() * 20 - 10);
    scene.add(holder);
  }
  scene.updateMatrixWorld();
  return scene;
}

/** Compares with three all hits, the first, and what an accelerated scene gives, also for a list of objects. */
function expectAsThree(scene: THREE.Scene, raycasters: readonly THREE.Raycaster[]): number {
  const want = raycasters.map((raycaster) => shown(raycaster.intersectObject(scene)));
  const index = new SceneIndex(scene);
  expect(raycasters.map((raycaster) => shown(index.raycast(raycaster)))).toEqual(want);
  const firsts = raycasters.map((raycaster) => index.raycastFirst(raycaster)?.distance);
  expect(firsts).toEqual(want.map((hits) => hits[0]?.[1]));
  index.dispose();
  const gate = accelerate(scene);
  expect(raycasters.map((raycaster) => shown(raycaster.intersectObject(scene)))).toEqual(want);
  expect(raycasters.map((raycaster) => shown(raycaster.intersectObjects(scene.children)))).toEqual(want);
  gate.dispose();
  return want.flat().length;
}

/** Rays through the scene, each changed in some way. */
function rays(
  camera: THREE.PerspectiveCamera,
  change: (raycaster: THREE.Raycaster) => unknown,
  count = 40,
): THREE.Raycaster[] {
  const next = random(9);
  camera.updateMatrixWorld();
  return Array.from({ length: count }, () => {
    const raycaster = new THREE.Raycaster();
    raycaster.setFromCamera(new THREE.Vector2(next() * 1.4 - 0.7, next() * 1.4 - 0.7), camera);
    change(raycaster);
    return raycaster;
  });
}

const setThresholds = ({ params }: THREE.Raycaster, threshold: number): void => {
  params.Line.threshold = threshold;
  params.Points.threshold = threshold;
};

const ODD: [string, (raycaster: THREE.Raycaster) => unknown, hits?: number][] = [
  ['near is NaN', (raycaster) => Object.assign(raycaster, { near: Number.NaN })],
  ['far is NaN', (raycaster) => Object.assign(raycaster, { far: Number.NaN })],
  ['near and far are not there', (raycaster) => Object.assign(raycaster, { near: undefined, far: undefined })],
  ['far is before near', (raycaster) => Object.assign(raycaster, { near: 20, far: 10 }), 0],
  ['thresholds are NaN', (raycaster) => setThresholds(raycaster, Number.NaN)],
  ['thresholds are infinite', (raycaster) => setThresholds(raycaster, Number.POSITIVE_INFINITY)],
  ['thresholds are below zero', (raycaster) => setThresholds(raycaster, -1)],
  ['the direction is zero', (caster) => caster.ray.direction.set(0, 0, 0) && setThresholds(caster, 12)],
  // What is NaN passes some tests of three.
  ['the direction is NaN', ({ ray }) => ray.direction.setX(Number.NaN)],
  ['the origin is NaN', ({ ray }) => ray.origin.setX(Number.NaN)],
];

it.each(ODD)('picks are those of three where %s', (_label, change, hits = 1) => {
  const scene = sceneOfAll(120);
  const count = expectAsThree(scene, rays(eye(0, 0, 15, { far: 100 }), change));
  expect(Math.min(count, 1)).toBe(hits);
});

describe('sprites are hit where three hits them by a camera that is', () => {
  const RIGS = Object.entries<(rig: THREE.Group, camera: THREE.PerspectiveCamera) => unknown>({
    large: (rig) => rig.scale.setScalar(1.7),
    small: (rig) => rig.scale.setScalar(0.2),
    stretched: (rig) => rig.scale.set(1, 3, 1),
    mirrored: (rig) => rig.scale.set(-1, 1, 1),
    sheared: (rig, camera) => {
      rig.scale.set(2, 0.5, 1);
      camera.rotation.z = 0.6;
    },
    turned: (rig) => rig.rotation.set(0.1, 0.2, 0.3),
  });
  it.each(RIGS)('%s', (_label, change) => {
    const scene = sceneOfAll(120);
    const rig = new THREE.Group();
    const camera = eye(0, 0, 15, { far: 100 });
    rig.add(camera);
    change(rig, camera);
    rig.updateMatrixWorld(true);
    const casts = rays(camera, (raycaster) => Object.assign(raycaster, { far: 30 }), 60);
    for (const raycaster of casts) raycaster.camera = camera;
    expect(expectAsThree(scene, casts)).toBeGreaterThan(10);
  });

  it('scaled between two picks by the same ray', () => {
    const scene = sceneOfAll(200);
    const plain = new THREE.PerspectiveCamera();
    const scaled = new THREE.PerspectiveCamera();
    scaled.scale.setScalar(3);
    scaled.updateMatrixWorld();
    const casts = rays(eye(0, 0, 15, { far: 100 }), (raycaster) => Object.assign(raycaster, { camera: plain }), 20);
    const want = casts.map((raycaster) => shown(raycaster.intersectObject(scene)));
    const other = casts.map((raycaster) => {
      raycaster.camera = scaled;
      return shown(raycaster.intersectObject(scene));
    });
    expect(other).not.toEqual(want);
    accelerated(scene);
    casts.forEach((raycaster, i) => {
      raycaster.camera = plain;
      expect(shown(raycaster.intersectObjects(scene.children))).toEqual(want[i]);
      raycaster.camera = scaled;
      expect(shown(raycaster.intersectObjects(scene.children))).toEqual(other[i]);
    });
  });
});

describe('a pick in whose midst the structure is replaced', () => {
  const { raycast } = THREE.Mesh.prototype;
  afterEach(() => {
    THREE.Mesh.prototype.raycast = raycast;
  });

  it.each(['raycast', 'raycastFirst'] as const)('misses nothing: %s', (name) => {
    const scene = new THREE.Scene();
    for (let i = 0; i < 40; i++) scene.add(boxMesh(2 * i, 0, 0));
    scene.updateMatrixWorld();
    const raycaster = new THREE.Raycaster(new THREE.Vector3(-9, 0.1, 0.2), new THREE.Vector3(1, 0, 0));
    const index = new SceneIndex(scene);
    // Ids are given anew by the other structure.
    for (let i = 0; i < 4; i++) scene.remove(scene.children[5 * i]);
    const want = shown(raycaster.intersectObject(scene));
    let calls = 0;
    THREE.Mesh.prototype.raycast = function (...given) {
      if (++calls === 3) index.setStructure(createIndex('octree'));
      raycast.apply(this, given);
    };
    index.update();
    const got = [index[name](raycaster) ?? []].flat();
    expect(shown(got)).toEqual(name === 'raycast' ? want : want.slice(0, 1));
    expect(calls).toBeGreaterThan(name === 'raycast' ? 3 : 0);
  });
});
