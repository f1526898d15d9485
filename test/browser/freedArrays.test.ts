import * as THREE from 'three';
import { afterEach, expect, it, vi } from 'vitest';
import { accelerate } from '../../src/index.js';
import { otherPixels } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { eyeAt, loadTransparent, openStudio } from './batching.js';

const studio = openStudio(128);

type Arrays = { array: unknown };

function free(this: Arrays): void {
  this.array = null;
}

/** Frees what an object is drawn from. */
function freeAll(scene: THREE.Scene, isNow: boolean): void {
  scene.traverse((object) => {
    const { geometry, instanceMatrix, instanceColor } = object as THREE.InstancedMesh;
    if (geometry === undefined) return;
    const all = [...Object.values(geometry.attributes), geometry.index, instanceMatrix, instanceColor];
    for (const one of all as (THREE.BufferAttribute | null | undefined)[]) {
      if (!one) continue;
      if (isNow) free.call(one as Arrays);
      else one.onUpload(free as () => void);
    }
  });
}

/** Who frees the arrays: before the first picture, or after the fourth. */
const WAYS: Readonly<Record<string, { begin?: (scene: THREE.Scene) => void; later?: (scene: THREE.Scene) => void }>> = {
  'callbacks of their own': { begin: (scene) => freeAll(scene, false) },
  'a callback on the prototype': {
    begin: () => {
      for (const { prototype } of [THREE.BufferAttribute, THREE.InterleavedBuffer])
        vi.spyOn(prototype, 'onUploadCallback').mockImplementation(free as () => void);
    },
  },
  'the page, some pictures later': { later: (scene) => freeAll(scene, true) },
};

interface Town {
  scene: THREE.Scene;
  movers: THREE.Object3D[];
  crowd: THREE.InstancedMesh;
}

function town(): Town {
  const next = random(5);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x334455);
  scene.add(new THREE.HemisphereLight(0xffffff, 0x333344, 2));
  const materials = [0xcc8844, 0x4488cc].map((color) => new THREE.MeshLambertMaterial({ color }));
  const glass = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.3 });
  const geometries = [new THREE.BoxGeometry(), new THREE.SphereGeometry(0.6, 9, 7), new THREE.ConeGeometry(0.5, 1, 7)];
  const side = new THREE.BoxGeometry(9, 8, 0.4);
  const movers: THREE.Object3D[] = [];
  for (let i = 0; i < 160; i++) {
    const mesh = new THREE.Mesh(geometries[i % 3], i % 9 === 0 ? glass : materials[i % 2]);
    mesh.position.set(next() * 40 - 20, next() * 6, next() * 40 - 20);
    scene.add(mesh);
    if (i % 6 === 0) movers.push(mesh);
  }
  for (let i = 0; i < 4; i++) {
    const wall = new THREE.Mesh(side, materials[0]);
    wall.position.set(9 * i - 14, 0, 12);
    scene.add(wall);
  }
  const crowd = new THREE.InstancedMesh(new THREE.BoxGeometry(), new THREE.MeshLambertMaterial(), 400);
  const matrix = new THREE.Matrix4();
  for (let i = 0; i < 400; i++) {
    crowd.setMatrixAt(i, matrix.makeTranslation(next() * 80 - 40, 7 + next() * 4, next() * 80 - 40));
    crowd.setColorAt(i, new THREE.Color(next(), next(), next()));
  }
  scene.add(crowd);
  return { scene, movers, crowd };
}

afterEach(() => vi.restoreAllMocks());

it.each(Object.entries(WAYS))('pictures are those of plain three where arrays are freed by %s', async (_, way) => {
  const warn = vi.spyOn(console, 'warn');
  const towns = [town(), town()];
  for (const { scene } of towns) way.begin?.(scene);
  const index = accelerate(towns[1].scene, { batch: { atLeast: 2 }, occlusion: true, cullCasters: true });
  const camera = eyeAt(2, 3, 24);
  await index.ready;
  await loadTransparent(() => studio.draws(towns[1].scene, camera, 1));
  studio.draws(towns[0].scene, camera, 4);
  for (let picture = 0; picture < 8; picture++) {
    if (picture === 4) for (const { scene } of towns) way.later?.(scene);
    camera.position.x += 0.7;
    camera.rotation.y += 0.05;
    for (const { movers, crowd } of towns) {
      for (const mover of movers) mover.position.x += 0.3;
      if (way.later === undefined || picture >= 4) continue;
      // Of which their own buffers may not have heard.
      for (let i = 0; i < 40; i++)
        crowd.setMatrixAt(10 * i + picture, new THREE.Matrix4().makeTranslation(i - 20, 8, 6));
      crowd.instanceMatrix.needsUpdate = true;
    }
    const [plain, fast] = towns.map(({ scene }) => studio.draw(scene, camera).pixels);
    expect(otherPixels(fast, plain, 2), `${picture}`).toBeLessThan(4);
  }
  for (const [text] of warn.mock.calls) expect(text).not.toMatch(/index|accelerate/i);
  index.dispose();
});
