import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { SceneIndex } from '../../../src/index.js';
import { random } from '../../helpers/random.js';
import { boxMesh } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';

/** Updates after which objects rest, and those in which each of them has its turn. */
const REST = 10;
const TURNS = 8;
const COUNT = 1000;

/** Meshes side by side in a scene, at rest, and an index of it. */
function resting() {
  const scene = new THREE.Scene();
  const material = new THREE.MeshBasicMaterial();
  const meshes = Array.from({ length: COUNT }, (_, i) => {
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(), material);
    mesh.position.x = 3 * i;
    return mesh;
  });
  scene.add(...meshes);
  const options = { restAfter: REST };
  const index = new SceneIndex(scene, options);
  const update = (updates = 1): void => {
    for (let i = 0; i < updates; i++) index.update();
  };
  update(REST + TURNS);
  return { scene, meshes, index, update };
}

const at = (index: SceneIndex, x: number, y: number): THREE.Object3D[] => index.queryPoint(new THREE.Vector3(x, y, 0));

/** How many of the meshes are found this far up. */
const raised = (index: SceneIndex, y: number): number =>
  index.queryBox(new THREE.Box3(new THREE.Vector3(-1, y, -1), new THREE.Vector3(3 * COUNT, y, 1))).length;

describe('objects at rest', () => {
  it('get their matrices back, from above on, when somebody else has written them in between', () => {
    const { meshes, index, update } = resting();
    const child = boxMesh();
    meshes[900].add(child);
    // Whichever of them has its turn first.
    for (let turn = 0; turn < TURNS; turn++) {
      update(REST + 2 * TURNS + 1);
      meshes[900].position.y = 7;
      meshes[900].updateMatrixWorld();
      meshes[900].position.y = 0;
      update(2 * TURNS);
      expect([meshes[900], child].map(({ matrixWorld }) => matrixWorld.elements[13])).toEqual([0, 0]);
    }
    expect(raised(index, 7)).toBe(0);
  });

  it('are looked at in every eighth update, and in each once they moved', () => {
    const { meshes, index, update } = resting();
    let looks = 0;
    for (const mesh of meshes) {
      Object.defineProperty(mesh, 'frustumCulled', {
        get: () => {
          looks++;
          return true;
        },
      });
    }
    update();
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(COUNT / 4);
    looks = 0;
    update(TURNS);
    expect(looks).toBe(COUNT);
    for (const mesh of meshes) mesh.position.y = 10;
    const seen: number[] = [];
    for (let i = 0; i < TURNS; i++) {
      update();
      seen.push(raised(index, 10));
    }
    expect(seen.every((count, i) => i === 0 || count > seen[i - 1])).toBe(true);
    expect(seen[TURNS - 1]).toBe(COUNT);
    for (let step = 1; step < 3 * REST; step++) {
      for (const mesh of meshes) mesh.position.y = 10 + 10 * step;
      update();
      expect(raised(index, 10 + 10 * step)).toBe(COUNT);
    }
    expect(validateScene(index)).toEqual([]);
  });

  it.each<[string, (mesh: THREE.Mesh) => void, (index: SceneIndex, mesh: THREE.Mesh) => unknown]>([
    ['turn', (mesh) => mesh.scale.set(1, 50, 1), (index, mesh) => at(index, mesh.position.x, 24).includes(mesh)],
    [
      'get another geometry',
      (mesh) => {
        mesh.geometry = new THREE.BoxGeometry(1, 50, 1);
      },
      (index, mesh) => at(index, mesh.position.x, 24).includes(mesh),
    ],
    [
      'are culled no longer',
      (mesh) => {
        mesh.frustumCulled = false;
      },
      (index, mesh) => index.cull(new THREE.PerspectiveCamera()).includes(mesh),
    ],
    [
      'have a matrix that others wrote',
      (mesh) => mesh.matrixWorld.setPosition(-50, 0, 0),
      (index, mesh) =>
        mesh.matrixWorld.elements[12] === mesh.position.x && at(index, mesh.position.x, 0).includes(mesh),
    ],
    [
      'get the static flag',
      (mesh) => {
        mesh.static = true;
        mesh.position.y = 24;
      },
      (index, mesh) => at(index, mesh.position.x, 24).includes(mesh),
    ],
  ])('%s in any of eight updates', (_what, change, isSeen) => {
    const { meshes, index, update } = resting();
    const changed = meshes.filter((_, i) => i % 37 === 1);
    for (const mesh of changed) change(mesh);
    update();
    expect(changed.every((mesh) => isSeen(index, mesh))).toBe(false);
    update(TURNS - 1);
    expect(changed.every((mesh) => isSeen(index, mesh))).toBe(true);
  });

  it.each<[string, (mesh: THREE.Mesh, index: SceneIndex) => unknown]>([
    [
      'their vertices change',
      ({ geometry }) => {
        geometry.translate(0, 24, 0);
      },
    ],
    [
      'they are touched',
      (mesh, index) => {
        mesh.position.y = 24;
        index.touch(mesh);
      },
    ],
    [
      'they are marked static',
      (mesh, index) => {
        mesh.position.y = 24;
        index.setStatic(mesh);
      },
    ],
    [
      'they get another parent',
      (mesh) => {
        const group = new THREE.Group().add(mesh);
        group.position.y = 24;
        (mesh.userData.scene as THREE.Scene).add(group);
      },
    ],
  ])('show at once that %s', (_what, change) => {
    const { scene, meshes, index, update } = resting();
    const changed = meshes.filter((_, i) => i % 37 === 1);
    for (const mesh of changed) {
      mesh.userData.scene = scene;
      change(mesh, index);
    }
    update();
    expect(changed.filter((mesh) => !at(index, mesh.position.x, 24).includes(mesh)).length).toBe(0);
  });

  it('are looked at no later because the list was put in order meanwhile', () => {
    const { scene, meshes, index, update } = resting();
    for (const mesh of meshes) mesh.position.y = 24;
    update(TURNS - 1);
    scene.remove(...meshes.slice(0, COUNT - 100));
    update();
    expect(raised(index, 24)).toBe(100);
  });
});

describe('a hierarchy with objects at rest', () => {
  const SEEDS = [1, 2, 3, 4];
  it.each(SEEDS)('moves as a whole, and is where it should be eight updates later: seed %i', (seed) => {
    const next = random(seed);
    const scene = new THREE.Scene();
    const objects: THREE.Object3D[] = [scene];
    for (let i = 0; i < 400; i++) {
      const object = next() < 0.3 ? new THREE.Group() : boxMesh(3 * next());
      objects[Math.floor(objects.length * next() ** 2)].add(object);
      objects.push(object);
    }
    const index = new SceneIndex(scene, { restAfter: REST });
    const lastMove = new Map<THREE.Object3D, number>(objects.map((object) => [object, -100]));
    const composed = new THREE.Matrix4();
    for (let frame = 0; frame < 200; frame++) {
      // Most of the time next to nothing happens.
      const moves = frame % 40 < 20 ? 0 : Math.floor(5 * next());
      for (let i = 0; i < moves; i++) {
        const object = objects[Math.floor(objects.length * next())];
        object.position.set(next(), next(), 10 * next());
        lastMove.set(object, frame);
        if (next() < 0.1) index.setStatic(object, next() < 0.5);
      }
      index.update();
      expect(validateScene(index)).toEqual([]);
      // Every world matrix is what it should be by the matrices there are.
      const wrong = objects.filter(
        ({ parent, matrix, matrixWorld }) =>
          parent !== null && !matrixWorld.equals(composed.multiplyMatrices(parent.matrixWorld, matrix)),
      );
      expect(wrong.length).toBe(0);
    }
    for (const object of objects) index.touch(object);
    index.update();
    for (const object of objects) {
      const { matrixWorld } = object;
      const is = matrixWorld.clone();
      object.updateWorldMatrix(true, false);
      expect(is).toEqual(matrixWorld);
    }
  });
});
