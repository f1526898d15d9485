import * as THREE from 'three';
import { beforeAll, describe, expect, test } from 'vitest';
import { accelerate } from '../../src/index.js';
import { loadBatching } from '../helpers/loadBatching.js';
import { differences, endRenderer, makeRenderer, otherPixels, readPicture, renewContext } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import {
  BatchTwin,
  type Edit,
  each,
  eyeAt,
  loadTransparent,
  openStudio,
  type Story,
  sunlit,
  tellStory,
  two,
  world,
} from './batching.js';

const FEW = 4;
/** Pixels of a side of the pictures. */
const SIZE = 128;
const studio = openStudio(SIZE);
const camera = eyeAt(10, 8, 14);

const texel = new THREE.DataTexture(new Uint8Array([128, 128, 255, 255]), 1, 1);
texel.needsUpdate = true;
const objectNormals = { normalMap: texel, normalMapType: THREE.ObjectSpaceNormalMap };

/** Of each kind of material that is drawn as one with others of another colour. */
const KINDS = [
  THREE.MeshBasicMaterial,
  THREE.MeshLambertMaterial,
  THREE.MeshPhongMaterial,
  THREE.MeshToonMaterial,
  THREE.MeshMatcapMaterial,
  THREE.MeshStandardMaterial,
  THREE.MeshPhysicalMaterial,
];

/** Turns all meshes, as shows where normals do not turn with them. */
const turned = (made = world()) => {
  for (const [i, mesh] of made.meshes.entries()) mesh.rotation.set(i, 0.7 * i, 0);
  return made;
};
const drawAllAs =
  (make: () => THREE.Material): Edit =>
  ({ scene }) =>
    Object.assign(scene, { overrideMaterial: make() });

/** Surfaces that lie in each other, so that the last one shows. */
function inOnePlane(sides: number[]) {
  const next = random(5);
  const colours = [0, 1, 2].map((i) => new THREE.MeshBasicMaterial({ color: 0x3366cc << (4 * i) }));
  const shapes = sides.map((side) => new THREE.PlaneGeometry(5 - side, side));
  const made = world(colours, shapes, 60);
  for (const { position } of made.meshes) position.set(Math.floor(16 * next()) - 8, Math.floor(16 * next()) - 8, 0);
  return made;
}

/** Makes a world, twice, and changes both from frame to frame; it is to look the same in batches as without. */
const STORIES = Object.entries<Story>({
  'each kind of material in two colours': [
    () =>
      world(
        KINDS.flatMap((Kind) => [0xcc4422, 0x2266ee].map((color) => new Kind({ color }))),
        undefined,
        56,
      ),
  ],
  'clipping planes that are moved, and others that are added': [
    () => world(two({ clippingPlanes: [new THREE.Plane(new THREE.Vector3(0, -1, 0), 0.3)] })),
    ({ materials }) => Object.assign((materials[0].clippingPlanes as THREE.Plane[])[0], { constant: -0.2 }),
    ({ materials }) => materials[0].clippingPlanes?.push(new THREE.Plane(new THREE.Vector3(1, 0, 0), 1)),
  ],
  'a white material for all': [() => world(), drawAllAs(() => new THREE.MeshBasicMaterial())],
  'normals in object space, which come later': [
    () => turned(),
    each((one) => Object.assign(one, objectNormals, { needsUpdate: true })),
  ],
  'an override material with normals in object space': [
    () => turned(),
    drawAllAs(() => Object.assign(new THREE.MeshNormalMaterial(), objectNormals)),
  ],
  'an override material that draws wireframes': [
    () => turned(),
    drawAllAs(() => new THREE.MeshNormalMaterial({ wireframe: true })),
  ],
  'a decal in the plane of others': [
    () => {
      const made = world(two(), [new THREE.PlaneGeometry(2, 2)]);
      const decal = new THREE.Mesh(new THREE.PlaneGeometry(), new THREE.MeshBasicMaterial());
      made.scene.add(decal);
      decal.position.copy(made.meshes[5].position);
      return made;
    },
  ],
});

const ahead = new THREE.OrthographicCamera(-10, 10, 10, -10, 1, 50);
ahead.position.z = 20;

describe.each([true, false])('the same picture in batches, sorted: %s, with', (sortObjects) => {
  beforeAll(() => void Object.assign(studio.renderer, { sortObjects, localClippingEnabled: true }));

  test.each(STORIES)('%s', async (_label, story) => {
    await tellStory(studio, camera, story, { most: FEW });
  });

  test.each([[[3]], [[3, 2]]])('surfaces of sides %j in one plane', async (sides) => {
    await tellStory(studio, ahead, [() => inOnePlane(sides)], { most: FEW });
  });
});

test('the same picture in batches, with another kind of shadows', async () => {
  const twin = new BatchTwin(studio, world, { most: 5 * FEW });
  await twin.settle(camera);
  for (const type of [THREE.PCFShadowMap, THREE.VSMShadowMap, THREE.PCFShadowMap]) {
    Object.assign(studio.renderer.shadowMap, { enabled: true, type });
    twin.frames(3, `type ${type}`, camera);
  }
  studio.renderer.shadowMap.enabled = false;
  twin.index.dispose();
});

test('a second renderer shows the same, of meshes that move and geometries that are edited in between', async () => {
  const [plain, batched] = [world(), world()];
  for (const mesh of [plain, batched].flatMap(({ meshes }) => meshes.slice(6))) mesh.geometry = mesh.geometry.clone();
  const other = makeRenderer(SIZE);
  const index = accelerate(batched.scene, { batch: { atLeast: 4 } });
  await loadBatching();
  for (let frame = 0; frame < 4; frame++) {
    for (const { meshes } of [plain, batched]) {
      meshes[frame].position.y += 1;
      const { position } = meshes[frame % 2 ? 7 : 1].geometry.attributes;
      position.setY(frame, 2);
      position.needsUpdate = true;
    }
    studio.draw(batched.scene, camera);
    if (frame % 2 === 0) continue;
    other.render(batched.scene, camera);
    const seen = readPicture(other);
    expect(otherPixels(seen, studio.draw(batched.scene, camera).pixels)).toBe(0);
    expect(otherPixels(seen, studio.draw(plain.scene, camera).pixels)).toBeLessThanOrEqual(FEW);
  }
  index.dispose();
  endRenderer(other);
});

test.each([{}, { occlusion: true }])(
  'what differs lies where an exact ray meets two faces, with %j',
  async (options) => {
    const next = random(1);
    const scene = sunlit();
    const geometry = new THREE.BoxGeometry();
    for (let i = 0; i < 2000; i++) {
      const box = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ color: next() * 0xffffff }));
      box.position.set(next() * 40 - 20, next() * 40 - 20, next() * 40 - 20);
      box.rotation.set(next() * 6, next() * 6, next() * 6);
      box.scale.set(next() + 0.5, next() + 0.5, next() + 0.5);
      scene.add(box);
    }
    const cameras = Array.from({ length: 12 }, (_, i) =>
      eyeAt(5 * Math.sin(i / 2), 5 * Math.sin(i / 2), 5 * Math.cos(i / 2)),
    );
    const plain = cameras.map((camera) => studio.draw(scene, camera).pixels);
    const index = accelerate(scene, { batch: true, ...options });
    await loadBatching();
    // What is seen joins.
    for (const camera of cameras) studio.draws(scene, camera, 4);
    cameras.forEach((camera, i) => {
      const { pixels, calls } = studio.draw(scene, camera);
      expect(calls).toBeLessThan(10);
      for (let pixel = 0; pixel < pixels.length / 4; pixel++) {
        const isOther = [0, 1, 2].some((c) => Math.abs(pixels[4 * pixel + c] - plain[i][4 * pixel + c]) > 8);
        if (isOther) expect(facesWithin(scene, camera, pixel % SIZE, Math.floor(pixel / SIZE))).toBeGreaterThan(1);
      }
    });
    index.dispose();
  },
);

/** How many faces rays meet within an eighth of a pixel around its middle, nothing being one as well. */
function facesWithin(scene: THREE.Scene, camera: THREE.Camera, x: number, y: number): number {
  const raycaster = new THREE.Raycaster();
  const faces = new Set<string>();
  for (let i = 0; i < 9; i++) {
    const [dx, dy] = [(i % 3) - 1, Math.floor(i / 3) - 1].map((step) => 0.5 + step / 8);
    raycaster.setFromCamera(new THREE.Vector2((2 * (x + dx)) / SIZE - 1, (2 * (y + dy)) / SIZE - 1), camera);
    const [hit] = raycaster.intersectObject(scene);
    faces.add(hit === undefined ? '' : `${hit.object.id} ${(hit.faceIndex as number) >> 1}`);
  }
  return faces.size;
}

/** Meshes of two shapes, half of them behind glass, as drawn by plain three and then in batches. */
async function live() {
  const glass = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.3 });
  const made = world([...two(), glass, glass], [new THREE.BoxGeometry(), new THREE.SphereGeometry(0.6, 12, 8)], 48);
  studio.draws(made.scene, camera, 1);
  const before = { ...studio.renderer.info.memory };
  const index = accelerate(made.scene, { batch: { atLeast: 4 } });
  await loadTransparent(() => studio.draws(made.scene, camera, 1));
  expect(studio.draw(made.scene, camera).calls).toBeLessThan(24);
  return { ...made, before, index };
}

test('batches leave nothing behind in the renderer', async () => {
  const { scene, meshes, before, index } = await live();
  const { memory } = studio.renderer.info;
  expect(memory.textures).toBeGreaterThan(before.textures);
  // Batches that lose all they have, and grow.
  for (const mesh of meshes.slice(5)) mesh.removeFromParent();
  studio.draws(scene, camera, 3);
  scene.add(...meshes);
  studio.draws(scene, camera, 3);
  index.dispose();
  studio.draws(scene, camera, 1);
  expect(memory).toMatchObject(before);
});

test('batches outlive a lost context', async () => {
  const { scene, meshes, index } = await live();
  await renewContext(studio.renderer, () => {
    // Changes that nobody could upload.
    meshes[3].position.x += 2;
    studio.renderer.render(scene, camera);
  });
  const { calls, pixels } = studio.draw(scene, camera);
  expect(calls).toBeLessThan(24);
  index.dispose();
  expect(differences(studio.draw(scene, camera).pixels, pixels)).toBe(0);
});
