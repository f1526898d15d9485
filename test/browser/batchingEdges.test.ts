import * as THREE from 'three';
import { beforeEach, describe, expect, test } from 'vitest';
import { accelerate } from '../../src/index.js';

import { loadBatching } from '../helpers/loadBatching.js';
import { makeRenderer, otherPixels, readPicture } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { BatchTwin, eyeAt, openStudio, type Story, sunlit, tellStory } from './batching.js';

const FEW = 4;
/** Pixels of a side of the pictures. */
const SIZE = 128;
const studio = openStudio(SIZE);
beforeEach(() => {
  studio.renderer.shadowMap.enabled = false;
});
const camera = eyeAt(10, 8, 14);

interface World {
  readonly scene: THREE.Scene;
  readonly meshes: THREE.Mesh[];
  readonly materials: THREE.Material[];
  readonly geometry: THREE.BufferGeometry;
}

/** Twelve meshes of one geometry, with these materials or lists in turn. */
function world(
  given: (THREE.Material | THREE.Material[])[] = two(),
  geometry: THREE.BufferGeometry = new THREE.BoxGeometry(),
): World {
  const meshes = Array.from({ length: 12 }, (_, i) => {
    const mesh = new THREE.Mesh(geometry, given[i % given.length] as THREE.Material);
    mesh.position.set((i % 4) * 2.2 - 3, 0, Math.floor(i / 4) * 2.2 - 2);
    mesh.castShadow = mesh.receiveShadow = true;
    return mesh;
  });
  return { scene: sunlit().add(...meshes), meshes, materials: given.flat(), geometry };
}

type Edit = (world: World) => void;

/** A world in plain three and its twin in batches, once these are drawn. */
async function twinOf(make: () => World, most: number): Promise<BatchTwin<World>> {
  const twin = new BatchTwin(studio, make, { most });
  await twin.settle(camera);
  return twin;
}

const two = (values: object = {}): THREE.Material[] =>
  [0xcc8844, 0x4488cc].map((color) => Object.assign(new THREE.MeshLambertMaterial({ color }), values));
const lists = (): THREE.Material[][] => [two().slice(0, 1)];
/** An edit of all materials. */
const each =
  (change: (material: THREE.Material) => unknown): Edit =>
  ({ materials }) => {
    for (const one of materials) change(one);
  };
const drawAllAs =
  (make: () => THREE.Material): Edit =>
  ({ scene }) =>
    Object.assign(scene, { overrideMaterial: make() });

const texel = new THREE.DataTexture(new Uint8Array([128, 128, 255, 255]), 1, 1);
texel.needsUpdate = true;
const objectNormals = { normalMap: texel, normalMapType: THREE.ObjectSpaceNormalMap };

function turned(made: World): World {
  made.meshes.forEach((mesh, i) => {
    mesh.rotation.set(i, 0.7 * i, 0);
  });
  return made;
}

function withoutGroups(): THREE.BufferGeometry {
  const geometry = new THREE.BoxGeometry();
  geometry.clearGroups();
  return geometry;
}

/** With something else in it. */
function containing(made: World, ...others: THREE.Object3D[]): World {
  made.scene.add(...others);
  return made;
}

function decal(): World {
  const made = world(two(), new THREE.PlaneGeometry(2, 2));
  const decal = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.MeshBasicMaterial({ color: 0xffffff }));
  decal.position.copy(made.meshes[5].position);
  return containing(made, decal);
}

const unseen = (x: number): THREE.Mesh =>
  new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial({ colorWrite: false }))
    .translateX(x)
    .translateY(1);

/** Makes a world, twice, and changes both from frame to frame; it is to look the same in batches as without. */
const CASES = Object.entries<Story<World>>({
  'a list of one material gets another': [
    () => world(lists()),
    ({ meshes }) => {
      for (const mesh of meshes) (mesh.material as THREE.Material[])[0] = two()[1];
    },
    ({ geometry }) => {
      geometry.attributes.position.setX(0, 2);
      geometry.attributes.position.needsUpdate = true;
    },
  ],
  'a list of materials without groups': [() => world(lists(), withoutGroups())],
  'clipping planes are moved, and others are added': [
    () => world(two({ clippingPlanes: [new THREE.Plane(new THREE.Vector3(0, -1, 0), 0.3)] })),
    ({ materials }) => Object.assign((materials[0].clippingPlanes as THREE.Plane[])[0], { constant: -0.2 }),
    ({ materials }) => materials[0].clippingPlanes?.push(new THREE.Plane(new THREE.Vector3(1, 0, 0), 1)),
  ],
  'defines, from the start and changed in place': [
    () =>
      world(
        [0x886644, 0x446688].map((color) =>
          Object.assign(new THREE.MeshStandardMaterial({ color }), { defines: { STANDARD: '', FLAT_SHADED: '' } }),
        ),
      ),
    each((one) => {
      delete (one.defines as Record<string, string>).FLAT_SHADED;
      one.needsUpdate = true;
    }),
  ],
  'user data that holds itself': [
    () => {
      const made = world();
      each((one) => Object.assign(one.userData, { self: one.userData }))(made);
      return made;
    },
  ],
  'a white material for all': [() => world(), drawAllAs(() => new THREE.MeshBasicMaterial())],
  'morph targets that come later': [
    () => world(),
    ({ geometry, meshes }) => {
      geometry.morphAttributes.position = [new THREE.BufferAttribute(new Float32Array(72).fill(1), 3)];
      for (const mesh of meshes) {
        mesh.updateMorphTargets();
        (mesh.morphTargetInfluences as number[])[0] = 1;
      }
    },
  ],
  'a decal in the plane of others': [decal],
  'normals in object space': [() => turned(world(two(objectNormals)))],
  'normals in object space, which come later': [
    () => turned(world()),
    each((one) => Object.assign(one, objectNormals, { needsUpdate: true })),
  ],
  'an override material with normals in object space': [
    () => turned(world()),
    drawAllAs(() => Object.assign(new THREE.MeshNormalMaterial(), objectNormals)),
  ],
  'an override material that draws wireframes': [
    () => turned(world()),
    drawAllAs(() => new THREE.MeshNormalMaterial({ wireframe: true })),
  ],
  'what writes no colour': [() => containing(world(), ...[0, 1, 2, 3].map(unseen))],
  'far away': [
    () => world(),
    ({ scene, meshes }) => {
      const far = new THREE.Group();
      scene.add(far.add(...meshes));
      far.position.x = 1e6;
      camera.position.x += 1e6;
    },
    () => {
      camera.position.x -= 1e6;
    },
  ],
});

describe('the same picture in batches, with', () => {
  test.each(CASES)('%s', async (_label, story) => {
    studio.renderer.localClippingEnabled = true;
    await tellStory(studio, camera, story, { most: FEW });
  });

  test('another kind of shadows', async () => {
    const twin = await twinOf(() => world(), 5 * FEW);
    studio.renderer.shadowMap.enabled = true;
    for (const type of [THREE.PCFShadowMap, THREE.VSMShadowMap, THREE.PCFShadowMap]) {
      studio.renderer.shadowMap.type = type;
      twin.frames(3, `type ${type}`, camera);
    }
    twin.index.dispose();
  });

  test('a second renderer, and meshes that move and geometries that are edited between them', async () => {
    const [plain, batched] = [world(), world()];
    for (const mesh of [plain, batched].flatMap(({ meshes }) => meshes.slice(6))) mesh.geometry = mesh.geometry.clone();
    const other = makeRenderer(128);
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
    other.dispose();
  });

  test('a mirror that changes things for its own picture', async () => {
    const make = (): World => {
      const made = world();
      const target = new THREE.WebGLRenderTarget(32, 32);
      const behind = eyeAt(-8, 4, -8);
      const mirror = new THREE.Mesh(
        new THREE.PlaneGeometry(5, 5),
        new THREE.MeshBasicMaterial({ map: target.texture }),
      );
      mirror.position.set(0, 4, 0);
      mirror.onBeforeRender = () => {
        const [mesh] = made.meshes;
        const material = made.materials[1] as THREE.MeshLambertMaterial;
        mirror.visible = false;
        mesh.position.y += 2;
        material.color.offsetHSL(0.3, 0, 0);
        studio.renderer.setRenderTarget(target);
        studio.renderer.render(made.scene, behind);
        studio.renderer.setRenderTarget(null);
        material.color.offsetHSL(-0.3, 0, 0);
        mesh.position.y -= 2;
        mesh.updateMatrixWorld();
        mirror.visible = true;
      };
      made.scene.add(mirror);
      return made;
    };
    const twin = await twinOf(make, 5 * FEW);
    twin.frames(5, 'mirror', camera);
    twin.index.dispose();
  });
});

test('materials that are others for one picture of each frame leave meshes in their batches', async () => {
  const own = two();
  const twin = new BatchTwin(studio, () => world(own), { most: FEW });
  await loadBatching();
  const ids = Array.from({ length: 12 }, (_, i) => new THREE.MeshBasicMaterial({ color: 0x111111 * (i + 1) }));
  const give =
    (materials: THREE.Material[]): Edit =>
    ({ meshes }) =>
      meshes.forEach((mesh, i) => {
        mesh.material = materials[i % materials.length];
      });
  for (let frame = 0; frame < 8; frame++) {
    for (const [materials, calls] of [
      [ids, 12],
      [own, 1],
    ] as const) {
      twin.frame(`${calls} calls, frame ${frame}`, camera, give(materials));
      if (frame > 2) expect(twin.calls.batched).toBe(calls);
    }
  }
  // Another material for good.
  twin.frame('another', camera, give([new THREE.MeshBasicMaterial({ color: 0x228844 })]));
  twin.frames(7, 'another', camera);
  expect(twin.calls.batched).toBe(1);
  twin.index.dispose();
});

test('meshes come together though each frame begins with a picture that batches cannot draw', async () => {
  const { scene } = world([new THREE.MeshBasicMaterial()]);
  const index = accelerate(scene, { batch: { atLeast: 4 } });
  await loadBatching();
  for (let frame = 0; frame < FEW; frame++) {
    for (const material of [new THREE.MeshBasicMaterial(), null]) {
      scene.overrideMaterial = material;
      studio.renderer.render(scene, camera);
    }
  }
  expect(studio.renderer.info.render.calls).toBe(1);
  index.dispose();
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
