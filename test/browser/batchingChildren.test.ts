import * as THREE from 'three';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accelerate } from '../../src/index.js';

import { loadBatching } from '../helpers/loadBatching.js';
import { makeRenderer, otherPixels, readPicture } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { eyeAt, sunlit } from './batching.js';
import { BACKENDS, WebGPUPictures } from './webgpuPictures.js';

const box = new THREE.BoxGeometry();
const ball = new THREE.SphereGeometry(0.6, 12, 8);
const camera = eyeAt(10, 8, 14);
const FEW = 4;

/** Twelve trees of meshes within meshes, each on top of something that is drawn by itself. */
function nested(): THREE.Scene {
  const scene = sunlit();
  scene.add(new THREE.HemisphereLight(0xffffff, 0x445566, 1));
  const paints = [0xcc8844, 0x4488cc, 0x44cc88].map((color) => new THREE.MeshStandardMaterial({ color }));
  for (let i = 0; i < 12; i++) {
    const top = tops[i % tops.length]();
    top.position.set((i % 4) * 2.2 - 3, 0, Math.floor(i / 4) * 2.2 - 2);
    const child = new THREE.Mesh(box, paints[i % 3]);
    child.scale.setScalar(0.6);
    child.position.set(0.3, 1, 0);
    const leaf = new THREE.Mesh(ball, paints[(i + 1) % 3]);
    leaf.position.set(0, 1, 0.4);
    scene.add(top.add(new THREE.Group().add(child.add(leaf))));
  }
  scene.traverse((object) => {
    if ((object as THREE.Mesh).isMesh) object.castShadow = object.receiveShadow = true;
  });
  return scene;
}

const tops: (() => THREE.Object3D)[] = [
  () => Object.assign(new THREE.Mesh(box, new THREE.MeshLambertMaterial({ color: 0x993333 })), { onBeforeRender() {} }),
  () => new THREE.Line(ball, new THREE.LineBasicMaterial({ color: 0xffffff })),
  skinned,
  () =>
    new THREE.Mesh(
      new THREE.BoxGeometry(1, 1, 1, 2),
      new THREE.MeshLambertMaterial({ color: 0x993333, alphaHash: true, opacity: 1 }),
    ),
];

function skinned(): THREE.SkinnedMesh {
  const geometry = new THREE.BoxGeometry();
  const { count } = geometry.attributes.position;
  geometry.setAttribute('skinIndex', new THREE.Uint16BufferAttribute(new Uint16Array(4 * count), 4));
  const weights = Float32Array.from({ length: 4 * count }, (_, i) => (i % 4 === 0 ? 1 : 0));
  geometry.setAttribute('skinWeight', new THREE.Float32BufferAttribute(weights, 4));
  const mesh = new THREE.SkinnedMesh(geometry, new THREE.MeshLambertMaterial({ color: 0x339933 }));
  const bone = new THREE.Bone();
  mesh.add(bone);
  mesh.bind(new THREE.Skeleton([bone]));
  return mesh;
}

/** What changes between pictures, the same in each of two scenes, of a top and another one. */
const EDITS: ((top: THREE.Object3D, other: THREE.Object3D, at: number) => unknown)[] = [
  (top) => top.rotateY(0.3),
  (top) => Object.assign(top, { visible: !top.visible }),
  (top) => ((top as THREE.Mesh).material as THREE.MeshLambertMaterial).color.offsetHSL(0.2, 0, 0),
  (top) => top instanceof THREE.SkinnedMesh && top.skeleton.bones[0].translateY(0.2),
  (top, other, at) => {
    const moved = top.children.find((one) => (one as THREE.Group).isGroup);
    if (!moved) return;
    // No surface lies in another, so that it does not count which is drawn last.
    moved.position.addScalar(0.17 + 0.05 * at);
    other.add(moved);
  },
];

type Take = (scene: THREE.Scene) => Promise<{ pixels: Uint8Array; calls: number }>;

async function compare(take: Take, most: number): Promise<void> {
  const [plain, batched] = [nested(), nested()];
  const index = accelerate(batched, { batch: { atLeast: 4 } });
  await loadBatching();
  for (let frame = 0; frame < 6; frame++) await take(batched);
  const next = random(3);
  for (let edit = 0; edit < 25; edit++) {
    const expected = await take(plain);
    const taken = await take(batched);
    expect(otherPixels(taken.pixels, expected.pixels), `edit ${edit}`).toBeLessThanOrEqual(FEW);
    if (edit === 0) expect(taken.calls).toBeLessThan(most * expected.calls);
    const [which, at] = [Math.floor(next() * EDITS.length), Math.floor(next() * 12)];
    for (const { children } of [plain, batched]) EDITS[which](children[2 + at], children[2 + ((at + 5) % 12)], at);
  }
  index.dispose();
}

describe('what lies below meshes that are drawn by themselves is drawn in batches', () => {
  test('in the same picture, by WebGLRenderer', async () => {
    const renderer = makeRenderer(128);
    renderer.shadowMap.enabled = true;
    await compare(async (scene) => {
      renderer.render(scene, camera);
      return { pixels: readPicture(renderer), calls: renderer.info.render.calls };
    }, 0.65);
    renderer.dispose();
  });

  describe.each(BACKENDS)('by WebGPURenderer with $backend', (kind) => {
    let pictures: WebGPUPictures;
    beforeAll(async () => {
      pictures = await WebGPUPictures.make(kind.forceWebGL);
      pictures.renderer.shadowMap.enabled = true;
      pictures.renderer.info.autoReset = false;
    });
    afterAll(() => pictures.dispose());

    test.skipIf(kind.isMissing)('in the same picture', async () => {
      await compare(
        async (scene) => {
          pictures.renderer.info.reset();
          const pixels = await pictures.take(scene, camera);
          return { pixels, calls: pictures.renderer.info.render.drawCalls };
        },
        kind.forceWebGL ? 0.75 : 1.01,
      );
    });
  });
});
