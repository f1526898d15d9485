import * as THREE from 'three';
import { expect, test } from 'vitest';
import type { LevelSource } from '../../src/batching/levels/makeLevels.js';
import { UV_SETS } from '../../src/batching/whyNoLevels.js';
import { type AcceleratedScene, accelerate, explain } from '../../src/index.js';
import { makeLevels } from '../../src/levels.js';
import { areShadersSeen } from '../../src/three/shaders.js';
import { endRenderer, makeRenderer, otherPixels, readPicture, renewContext } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { inverseOf, mapOf } from '../helpers/sights.js';
import { BACKENDS, WebGPUPictures } from './webgpuPictures.js';

const knot = new THREE.TorusKnotGeometry(1, 0.3, 80, 16);

/** Knots in the sun, some of which one sees through, far and near. */
function crowd(): THREE.Scene {
  const next = random(5);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color('#456');
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(20, 60, 30);
  sun.castShadow = true;
  Object.assign(sun.shadow.camera, { left: -60, right: 60, top: 60, bottom: -60, far: 200 });
  scene.add(sun, new THREE.HemisphereLight(0xffffff, 0x445566, 1));
  const ground = new THREE.Mesh(new THREE.PlaneGeometry(300, 300), new THREE.MeshLambertMaterial());
  ground.rotation.x = -Math.PI / 2;
  ground.receiveShadow = true;
  scene.add(ground);
  const paints = [0.5, 1].map((opacity) => {
    return new THREE.MeshLambertMaterial({ color: '#c84', transparent: opacity < 1, opacity });
  });
  for (let i = 0; i < 40; i++) {
    const mesh = new THREE.Mesh(knot, paints[i % 2]);
    mesh.position.set(60 * (next() - 0.5), 2 + 3 * next(), 10 - 60 * next());
    mesh.rotation.set(6 * next(), 6 * next(), 0);
    mesh.castShadow = mesh.receiveShadow = true;
    scene.add(mesh);
  }
  scene.add(grove(next));
  return scene;
}

/** Instances of the knot, each with a colour of its own. */
function grove(next: () => number): THREE.InstancedMesh {
  const mesh = new THREE.InstancedMesh(knot, new THREE.MeshLambertMaterial(), 24);
  const place = new THREE.Object3D();
  for (let i = 0; i < mesh.count; i++) {
    place.position.set(60 * (next() - 0.5), 2 + 5 * next(), 5 - 70 * next());
    place.rotation.set(6 * next(), 6 * next(), 0);
    place.scale.setScalar(0.5 + next());
    place.updateMatrix();
    mesh.setMatrixAt(i, place.matrix);
    mesh.setColorAt(i, new THREE.Color(next(), next(), next()));
  }
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

function eye(): THREE.PerspectiveCamera {
  const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 300);
  camera.position.set(0, 12, 30);
  camera.lookAt(0, 2, -20);
  return camera;
}

/** Draws until every mesh of a geometry has levels that this camera has shown. */
async function settle(index: AcceleratedScene, camera: THREE.Camera, draw: () => unknown, looks = 100): Promise<void> {
  const isLeveled = (mesh: THREE.Object3D): boolean =>
    /(It has|Its instances have) \d+ levels.*triangles|outside the frustum/.test(explain(index, mesh, camera).join());
  const meshes = index.root.children
    .filter((child) => (child as THREE.Mesh).geometry?.index && child.castShadow)
    .slice(0, looks);
  for (let i = 0; i < 5000 && !meshes.every(isLeveled); i++) {
    await draw();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(meshes.filter((mesh) => !isLeveled(mesh)).map((mesh) => explain(index, mesh, camera))).toEqual([]);
  await draw();
}

test.skipIf(!areShadersSeen).each([
  ['by a function', { make: (source: LevelSource) => makeLevels(source) }],
  ['in the worker', {}],
])(
  'levels made %s: as good a picture, opaque and transparent, with shadows, of fewer triangles',
  async (_where, by) => {
    const renderer = makeRenderer(256);
    renderer.shadowMap.enabled = true;
    const camera = eye();
    /** The picture of a scene, and triangles with those of the shadow map. */
    const take = (scene: THREE.Scene, by: THREE.Camera = camera): [Uint8Array, number] => {
      renderer.render(scene, by);
      return [readPicture(renderer), renderer.info.render.triangles];
    };
    const [expected, all] = take(crowd());
    const scene = crowd();
    const index = accelerate(scene, { batch: true, levels: { ...by, maxError: 2 }, minPixels: 6 });
    await settle(index, camera, () => take(scene));
    const [picture, leveled] = take(scene);
    expect(leveled).toBeLessThan(0.5 * all);
    expect(otherPixels(picture, expected, 32)).toBeLessThan(0.015 * 256 * 256);
    const above = new THREE.PerspectiveCamera(50, 1, 0.1, 300).translateY(70).rotateX(-Math.PI / 2);
    above.updateMatrixWorld();
    // The same picture where the projection, or the inverse, alone tells where it is seen from.
    for (const seen of [camera, above]) {
      const [usual, map, inverse] = [seen, mapOf(seen), inverseOf(seen)].map((by) => take(scene, by));
      expect(map[1]).toBe(usual[1]);
      expect(inverse[1]).toBe(usual[1]);
      for (const [told] of [map, inverse]) expect(otherPixels(told, usual[0], 8)).toBeLessThan(0.001 * 256 * 256);
    }
    await renewContext(renderer, () => renderer.render(scene, camera));
    expect(take(scene)).toEqual([picture, leveled]);
    index.dispose();
    expect(take(scene)[1]).toBe(all);
    endRenderer(renderer);
  },
);

const COUNT = 300;
const coarseKnot = new THREE.TorusKnotGeometry(1, 0.3, 64, 8);

/** Knots of many colours in the sun and before a lamp, as instances or as meshes, all in view and in both shadow maps. */
function heap(areInstances: boolean): { scene: THREE.Scene; lights: THREE.Light[] } {
  const next = random(6);
  const scene = new THREE.Scene();
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(20, 60, 30);
  Object.assign(sun.shadow.camera, { left: -60, right: 60, top: 60, bottom: -60, far: 200 });
  const lamp = new THREE.SpotLight(0xffeecc, 3e4, 0, 1.2);
  lamp.position.set(0, 50, 20);
  lamp.target.position.set(0, 0, -20);
  for (const light of [sun, lamp]) light.castShadow = true;
  scene.add(sun, lamp, lamp.target, new THREE.HemisphereLight(0xffffff, 0x445566, 1));
  const ground = new THREE.Mesh(new THREE.PlaneGeometry(300, 300), new THREE.MeshLambertMaterial());
  ground.rotation.x = -Math.PI / 2;
  ground.receiveShadow = true;
  const instances = new THREE.InstancedMesh(coarseKnot, new THREE.MeshLambertMaterial(), COUNT);
  const meshes = Array.from({ length: COUNT }, (_, i) => {
    const mesh = new THREE.Mesh(
      coarseKnot,
      new THREE.MeshLambertMaterial({ color: new THREE.Color(next(), next(), next()) }),
    );
    const z = -50 * next();
    mesh.position.set((20 - 0.3 * z) * (next() - 0.5), 2 + 5 * next(), z);
    mesh.rotation.set(6 * next(), 6 * next(), 0);
    mesh.scale.setScalar(0.3 + next());
    mesh.updateMatrix();
    instances.setMatrixAt(i, mesh.matrix);
    instances.setColorAt(i, mesh.material.color);
    return mesh;
  });
  const drawn = areInstances ? [instances] : meshes;
  for (const mesh of drawn) mesh.castShadow = mesh.receiveShadow = true;
  scene.add(ground, ...drawn);
  return { scene, lights: [sun, lamp] };
}

test.skipIf(!areShadersSeen).each([false, true])(
  'instances are drawn by the levels of meshes at the same places, with shadow maps that are kept: %s',
  async (keepShadows) => {
    const renderer = makeRenderer(256);
    renderer.shadowMap.enabled = true;
    const camera = eye();
    const [meshes, instances] = [[], []] as [pixels: Uint8Array, triangles: number][][];
    for (const taken of [meshes, instances]) {
      const { scene, lights } = heap(taken === instances);
      const draw = (): void => renderer.render(scene, camera);
      draw();
      const all = renderer.info.render.triangles;
      const index = accelerate(scene, { batch: true, levels: { maxError: 0.5 }, keepShadows });
      await index.ready;
      // Until there are levels, maps would take most of the time.
      renderer.shadowMap.autoUpdate = false;
      await settle(index, camera, draw, 1);
      renderer.shadowMap.autoUpdate = true;
      for (let i = 0; i < 2; i++) draw();
      for (const x of [10, -30]) {
        // Kept maps are drawn again where their lights have moved.
        for (const light of lights) light.position.x = x;
        camera.position.x = x / 10;
        draw();
        taken.push([readPicture(renderer), renderer.info.render.triangles]);
      }
      for (const [, triangles] of taken) expect(triangles).toBeLessThan(0.8 * all);
      index.dispose();
      draw();
      expect(renderer.info.render.triangles).toBe(all);
    }
    for (const [i, [pixels, triangles]] of instances.entries()) {
      expect(triangles).toBe(meshes[i][1]);
      expect(otherPixels(pixels, meshes[i][0], 8)).toBeLessThan(0.001 * 256 * 256);
    }
    endRenderer(renderer);
  },
);

/** Stripes, along one axis, in some set of texture coordinates. */
function stripes(channel: number): THREE.Texture {
  const data = Uint8Array.from({ length: 4 * 64 }, (_, i) => (i % 4 === 3 || i % 32 < 16 ? 255 : 30));
  const texture = new THREE.DataTexture(data, 1, 64);
  texture.needsUpdate = true;
  return Object.assign(texture, { channel, wrapS: THREE.RepeatWrapping, wrapT: THREE.RepeatWrapping });
}

test.skipIf(!areShadersSeen).each([
  ['map', 0, 1],
  ['map', 1, 1],
  ['lightMap', 2, 1],
  ['map', 0, 50],
] as const)(
  'levels leave a %s on uv%i, repeated %i times, in its place to within a pixel',
  async (name, channel, repeat) => {
    const renderer = makeRenderer(256);
    const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 100);
    camera.position.z = 16;
    const plates = (): THREE.Scene => {
      const geometry = new THREE.PlaneGeometry(2, 2, 40, 40);
      const bent = geometry.attributes.uv.clone() as THREE.BufferAttribute;
      for (let i = 0; i < bent.count; i++) {
        const [u, v] = [bent.getX(i), bent.getY(i)];
        bent.setXY(i, u / repeat, (v + 0.1 * Math.sin(6.3 * u)) / repeat);
      }
      geometry.setAttribute(UV_SETS[channel], bent);
      const texture = stripes(channel);
      texture.repeat.set(repeat, repeat);
      const material = new THREE.MeshBasicMaterial({ [name]: texture });
      const scene = new THREE.Scene();
      for (let i = 0; i < 16; i++) {
        const mesh = new THREE.Mesh(geometry, material);
        mesh.castShadow = true;
        scene.add(mesh.translateX(2.3 * (i % 4) - 3.5).translateY(2.3 * Math.floor(i / 4) - 3.5));
      }
      return scene;
    };
    const take = (scene: THREE.Scene): [Uint8Array, number] => {
      renderer.render(scene, camera);
      return [readPicture(renderer), renderer.info.render.triangles];
    };
    const [expected, all] = take(plates());
    const scene = plates();
    const index = accelerate(scene, { batch: true, levels: true });
    await settle(index, camera, () => take(scene));
    const [picture, leveled] = take(scene);
    expect(leveled).toBeLessThan(0.8 * all);
    expect(strayPixels(picture, expected, 256)).toBeLessThanOrEqual(4);
    index.dispose();
    endRenderer(renderer);
  },
);

/** Pixels of each picture that differ from all of those around them in the other. */
function strayPixels(a: Uint8Array, b: Uint8Array, width: number): number {
  const isNear = (x: Uint8Array, y: Uint8Array, at: number): boolean =>
    [-width - 1, -width, -width + 1, -1, 0, 1, width - 1, width, width + 1].some((step) => {
      const there = 4 * (at + step);
      return [0, 1, 2].every((c) => Math.abs(x[4 * at + c] - (y[there + c] ?? x[4 * at + c])) <= 24);
    });
  let count = 0;
  for (let at = 0; at < a.length / 4; at++) if (!isNear(a, b, at) || !isNear(b, a, at)) count++;
  return count;
}

test.each(BACKENDS)('by WebGPURenderer with $backend', async ({ forceWebGL, isMissing }) => {
  if (isMissing) return;
  const pictures = await WebGPUPictures.make(forceWebGL);
  const { info, shadowMap } = pictures.renderer;
  shadowMap.enabled = true;
  info.autoReset = false;
  const camera = eye();
  const take = async (scene: THREE.Scene): Promise<[Uint8Array, number]> => {
    info.reset();
    return [await pictures.take(scene, camera), info.render.triangles];
  };
  const plain = crowd();
  await take(plain);
  const [expected, all] = await take(plain);
  const scene = crowd();
  const index = accelerate(scene, { batch: { atLeast: 4 }, levels: { maxError: 2 } });
  // It draws transparent meshes one by one.
  const meshes = scene.children.filter((child) => child.castShadow && (child as THREE.Mesh).isMesh);
  for (const [i, mesh] of meshes.entries()) mesh.castShadow = i % 2 === 1;
  await settle(index, camera, () => take(scene));
  for (const mesh of meshes) mesh.castShadow = true;
  for (let i = 0; i < 4; i++) await take(scene);
  const [taken, leveled] = await take(scene);
  expect(leveled).toBeLessThan(0.8 * all);
  expect(otherPixels(taken, expected, 32)).toBeLessThan((0.025 * expected.length) / 4);
  index.dispose();
  pictures.dispose();
});
