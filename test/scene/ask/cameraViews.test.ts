import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { accelerate, explain, SceneIndex } from '../../../src/index.js';
import { CanvasStandIn, drawn } from '../../helpers/occlusion.js';
import { frustumOf } from '../../helpers/passes.js';
import { random } from '../../helpers/random.js';
import { BROKEN, CENTER, SHOTS, SIZE, Sight, type Size } from '../../helpers/sights.js';

const shape = new THREE.BoxGeometry();
const paint = new THREE.MeshBasicMaterial();
const LIMITS = { minPixels: 6, maxDistance: 110 };

/** Boxes of all sizes around what cameras look at. */
function strewn(): THREE.Scene {
  const next = random(5);
  const scene = new THREE.Scene();
  for (let i = 0; i < 250; i++) {
    const thing = new THREE.Mesh(shape, paint);
    thing.position
      .set(next() - 0.5, next() - 0.5, next() - 0.5)
      .multiplyScalar(160)
      .add(CENTER);
    thing.scale.setScalar(0.1 * 100 ** next());
    scene.add(thing);
  }
  scene.updateMatrixWorld();
  return scene;
}

const boxOf = (thing: THREE.Object3D): THREE.Box3 => new THREE.Box3().setFromObject(thing, true);

/** Whether what is in view is drawn; null where that is a matter of rounding. */
function expectation(sight: Sight, thing: THREE.Object3D): boolean | null {
  const size = sight.sizeOf(boxOf(thing).getBoundingSphere(new THREE.Sphere())) / LIMITS.minPixels;
  const away = sight.distanceOf(boxOf(thing)) / LIMITS.maxDistance;
  if (Math.abs(size - 1) < 1e-5 || Math.abs(away - 1) < 1e-5) return null;
  return size > 1 && away < 1;
}

/** What a camera draws of what is in its view. */
function told(scene: THREE.Scene, camera: THREE.Camera, [width, height]: Size): Map<THREE.Object3D, boolean> {
  const seen = new Set(drawn(scene, camera, Object.assign(new CanvasStandIn(), { width, height })));
  const frustum = frustumOf(camera);
  const inView = scene.children.filter(
    (thing) => thing.intersectsFrustum(frustum as never) && frustum.intersectsBox(boxOf(thing)),
  );
  return new Map(inView.map((thing) => [thing, seen.has(thing)]));
}

describe.each(SHOTS)('by %s', (_what, make, size) => {
  it('what is small or far is left out of pictures', () => {
    const scene = strewn();
    const index = accelerate(scene, LIMITS);
    const camera = make();
    const sight = new Sight(camera, size);
    const kinds = new Set<boolean>();
    for (const [thing, isDrawn] of told(scene, camera, size)) {
      const expected = expectation(sight, thing);
      if (expected === null) continue;
      expect(isDrawn).toBe(expected);
      expect(explain(index, thing, camera).join()).toMatch(expected ? /It is drawn/ : /smaller than|farther than/);
      kinds.add(expected);
    }
    expect(kinds.size).toBe(2);
  });

  it('cull leaves out the same, of pixels that are square', () => {
    const scene = strewn();
    const index = new SceneIndex(scene);
    const camera = make();
    const [, height] = size;
    const { pixels: across } = new Sight(camera, [height, 0]);
    const { pixels: upwards } = new Sight(camera, [0, height]);
    const sight = new Sight(camera, [(height * upwards) / across, height]);
    const found = new Set(index.cull(camera, { ...LIMITS, height }));
    for (const thing of index.cull(camera)) {
      const expected = expectation(sight, thing);
      if (expected !== null) expect(found.has(thing)).toBe(expected);
    }
  });
});

it.each(BROKEN)('of a camera of %s nothing is small or far', (_what, make) => {
  const scene = strewn();
  const index = new SceneIndex(scene);
  const camera = make();
  expect(index.cull(camera, { ...LIMITS, height: 100 })).toEqual(index.cull(camera));
  accelerate(scene, LIMITS);
  for (const isDrawn of told(scene, camera, SIZE).values()) expect(isDrawn).toBe(true);
});

it('cull counts by where a camera is now, though nothing has drawn since it moved', () => {
  const scene = strewn();
  const index = new SceneIndex(scene);
  const camera = new THREE.PerspectiveCamera(50, 2, 0.5, 500);
  const limits = { ...LIMITS, height: 200 };
  for (const z of [150, 60, 100]) {
    camera.position.copy(CENTER).z += z;
    const found = index.cull(camera, limits);
    camera.updateMatrixWorld();
    expect(found).toEqual(index.cull(camera, limits));
    expect(found.length).toBeGreaterThan(5);
  }
});
