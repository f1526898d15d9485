import * as THREE from 'three';
import { afterAll, describe, expect, test } from 'vitest';
import { accelerate, LooseOctree } from '../../src/index.js';
import { differences } from '../helpers/pictures.js';
import { CHANGES, pile } from '../helpers/pile.js';
import { random } from '../helpers/random.js';
import { allOf, boxMesh, mixedScene, vary } from '../helpers/scene.js';
import { atWidth, seeds } from '../helpers/width.js';
import { colour, expectSameStory, paint, picture, renderer, SIZE, slab } from './stories.js';

afterAll(() => renderer.dispose());

/** Fails unless pictures with and without the index are the same, in several turns, and are not empty. */
function expectSame(
  scene: THREE.Scene,
  cameras: THREE.Camera[],
  draw = (camera: THREE.Camera) => renderer.render(scene, camera),
): void {
  for (const camera of cameras) {
    // The first frame of a scene may differ from all others, as a mirror is still empty.
    draw(camera);
    const plain = picture(() => draw(camera));
    const again = picture(() => draw(camera));
    expect(differences(again, plain), 'plain three differs from itself').toBe(0);
    const index = accelerate(scene, { structure: new LooseOctree({ capacity: 4 }) });
    const fast = [1, 2].map(() => picture(() => draw(camera)));
    index.dispose();
    for (const [i, pixels] of fast.entries()) expect(differences(pixels, plain), `other pixels in frame ${i}`).toBe(0);
  }
}

function cameras(next: () => number, count = 3): THREE.Camera[] {
  return Array.from({ length: count }, (_, i) => {
    const camera =
      i === 1
        ? new THREE.OrthographicCamera(-25, 25, 25, -25, 1, 80)
        : new THREE.PerspectiveCamera(40 + next() * 40, 1, 0.5, 90);
    camera.position.set(next() * 70 - 35, next() * 50, next() * 70 - 35);
    camera.lookAt(next() * 10, 0, next() * 10);
    return camera;
  });
}

/** Objects of all kinds, each in a colour and shading of its own; a fifth of them transparent. */
function painted(next: () => number, count: number): THREE.Scene {
  return paint(mixedScene(next, count), next, () => {
    const transparent = next() < 0.2;
    return new THREE.MeshLambertMaterial({ color: colour(next), transparent, opacity: transparent ? 0.5 : 1 });
  });
}

describe('accelerated pictures are those of plain three', () => {
  test.each(seeds(2, 1))('of all kinds of objects, hidden, layered, ordered and transparent, seed %i', (seed) => {
    const next = random(seed);
    const scene = painted(next, 160);
    vary(scene, next);
    const views = cameras(next);
    views[0].layers.enable(1);
    const parents = allOf(scene).filter((object) => !('isLOD' in object));
    for (let i = 0; i < 3; i++) {
      const light = new THREE.PointLight(new THREE.Color().setHSL(next(), 1, 0.5), 800);
      parents[Math.floor(next() * parents.length)].add(light);
    }
    expectSame(scene, views);
  });

  test('with shadows of all kinds of lights, casters out of view included', () => {
    const next = random(7);
    const scene = painted(next, 120);
    const lights = [
      new THREE.DirectionalLight(0xffffff, 1),
      new THREE.SpotLight(0xffffff, 2000, 0, 0.8),
      new THREE.PointLight(0xffffff, 2000),
    ];
    for (const [i, light] of lights.slice(0, atWidth(3, 1)).entries()) {
      light.position.set(20 - 20 * i, 40, 10);
      light.castShadow = true;
      const { camera } = light.shadow as { camera: THREE.Camera };
      Object.assign(camera, { left: -60, right: 60, top: 60, bottom: -60, far: 150 });
      light.shadow.mapSize.set(128, 128);
      scene.add(light);
    }
    scene.add(slab());
    renderer.shadowMap.enabled = true;
    expectSame(scene, cameras(next));
    renderer.shadowMap.enabled = false;
  });

  test('with an override material, and after a compilation', () => {
    const next = random(5);
    const scene = painted(next, 100);
    // Of plain meshes: with skinned and morphed ones among them three's own pictures differ from frame to frame.
    const place = () => next() * 60 - 30;
    const boxes = Array.from({ length: 150 }, () => boxMesh(place(), place(), place(), 1 + next() * 5));
    const plain = Object.assign(new THREE.Scene(), { overrideMaterial: new THREE.MeshDepthMaterial() });
    expectSame(plain.add(...boxes), cameras(next));
    expectSame(scene, cameras(next), (camera) => {
      renderer.compile(scene, camera);
      renderer.render(scene, camera);
    });
  });

  test('with transmission', () => {
    const next = random(6);
    const scene = painted(next, 80);
    const glass = new THREE.MeshPhysicalMaterial({ transmission: 1, thickness: 2, roughness: 0.1 });
    expectSame(scene.add(new THREE.Mesh(new THREE.SphereGeometry(8), glass)), cameras(next));
  });

  test('of several views in one camera', () => {
    const next = random(8);
    const scene = painted(next, 120);
    const views = cameras(next, 4).filter((camera) => camera instanceof THREE.PerspectiveCamera);
    const array = new THREE.ArrayCamera(views.slice(0, 2));
    array.cameras.forEach((camera, i) => {
      camera.viewport = new THREE.Vector4((i * SIZE) / 2, 0, SIZE / 2, SIZE);
      camera.updateMatrixWorld();
    });
    expectSame(scene, [array]);
  });

  test.each([1, 2, 3])('of objects that are not sorted, seed %i', (seed) => {
    renderer.sortObjects = false;
    expectSameStory((scene, snap, index) => {
      const made = pile(random(seed), scene);
      for (const [, change] of CHANGES) {
        change(made, index);
        snap(() => renderer.render(scene, made.camera));
      }
    });
    renderer.sortObjects = true;
  });
});

test('the geometry by which the gate learns of passes is given back', () => {
  const { scene, camera } = pile(random(4));
  renderer.render(scene, camera);
  const { geometries } = renderer.info.memory;
  const index = accelerate(scene);
  renderer.render(scene, camera);
  index.dispose();
  expect(renderer.info.memory.geometries).toBe(geometries);
});
