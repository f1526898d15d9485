import * as THREE from 'three';
import { ShadowMesh } from 'three/addons/objects/ShadowMesh.js';
import { describe, expect, it } from 'vitest';
import type { SceneIndex } from '../../../src/index.js';
import { accelerated, indexed, updated } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import { allOf, skinnedTower } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';

const material = new THREE.MeshBasicMaterial();
const box = () => new THREE.Mesh(new THREE.BoxGeometry(), material);

function composeItself(mesh: THREE.Mesh): void {
  mesh.updateMatrix = () => void mesh.matrix.makeTranslation(0, 50, 0);
}

function updateItself(mesh: THREE.Mesh): void {
  mesh.updateMatrixWorld = (force) => void mesh.matrixWorld.makeTranslation(0, force === true ? 40 : 80, 0);
}

/** What is done to a mesh that moves in each frame, in the scene that it lies in. */
type Act = (mesh: THREE.Mesh, scene: THREE.Scene, index: SceneIndex | null) => void;

// From the second time on, a mesh that moved is told from the others by its matrices alone.
const acts: [string, Act][] = [
  ['goes on', () => {}],
  ...[0, 1e-9, 1e-17, 1e-120].map((flat): [string, Act] => [
    `is flattened to ${flat}, so that rays may hit it anywhere`,
    (mesh) => mesh.rotateX(1).scale.setY(flat),
  ]),
  ['stops', (mesh) => mesh.position.set(0, 0, 0)],
  ['is NaN', (mesh) => mesh.scale.setX(Number.NaN)],
  [
    'gets a child at rest',
    (mesh, _, index) => {
      const child = box();
      child.position.y = 3;
      mesh.add(child);
      index?.update();
      index?.setStatic(child);
    },
  ],
  ['gets a child', (mesh) => mesh.add(box())],
  ['gets a child by hand', (mesh) => mesh.children.push(Object.assign(box(), { parent: mesh }))],
  ['gets another geometry', (mesh) => Object.assign(mesh, { geometry: new THREE.BoxGeometry(4, 5, 6) })],
  [
    'has its geometry edited',
    (mesh) => {
      const position = mesh.geometry.attributes.position as THREE.BufferAttribute;
      position.setX(0, 20);
      position.needsUpdate = true;
      mesh.geometry.computeBoundingBox();
      mesh.geometry.computeBoundingSphere();
    },
  ],
  ['is always drawn', (mesh) => Object.assign(mesh, { frustumCulled: false })],
  ['is cast at by a method of its own', (mesh) => Object.assign(mesh, { raycast: () => {} })],
  ['turns about a pivot', (mesh) => Object.assign(mesh, { pivot: new THREE.Vector3(3, 0, 0) }).rotateZ(1)],
  ['is composed by a method of its own', composeItself],
  [
    'is composed by a method of its own that does not say so, below what is not composed',
    (mesh) => {
      mesh.parent?.updateMatrix();
      Object.assign(mesh.parent as THREE.Object3D, { matrixAutoUpdate: false, matrixWorldNeedsUpdate: false });
      composeItself(mesh);
    },
  ],
  ['is updated by a method of its own', updateItself],
  [
    'is updated by a method of its own, which is told that nothing forces it',
    (mesh, scene) => {
      scene.matrixAutoUpdate = false;
      updateItself(mesh);
    },
  ],
  ['is no longer composed', (mesh) => Object.assign(mesh, { matrixAutoUpdate: false }).matrix.makeScale(3, 3, 3)],
  ['is no longer carried', (mesh) => Object.assign(mesh, { matrixWorldAutoUpdate: false })],
  ['goes below another that moves', (mesh, scene) => scene.children[0].translateX(9).add(mesh)],
  ['is taken out of the list by hand, and keeps its parent', (_, { children }) => children.splice(1, 1)],
  ['is taken away', (mesh) => mesh.removeFromParent()],
  ['is taken away and comes back', (mesh, scene) => scene.add(mesh.removeFromParent())],
  ['has another in its place', (mesh, scene) => scene.remove(mesh).add(box())],
  ['comes to rest', (mesh, _, index) => index?.setStatic(mesh)],
  ['is moved by hand as well', (mesh) => mesh.matrixWorld.makeTranslation(0, 70, 0)],
  ['gets another world matrix', (mesh) => Object.assign(mesh, { matrixWorld: new THREE.Matrix4() })],
  [
    'lies in what gets another one',
    ({ parent }) => Object.assign(parent as object, { matrixWorld: new THREE.Matrix4() }),
  ],
  ['gets another matrix', (mesh) => Object.assign(mesh, { matrix: new THREE.Matrix4().makeTranslation(5, 0, 0) })],
];

interface Side {
  scene: THREE.Scene;
  index: SceneIndex | null;
  mesh: THREE.Mesh;
}

function sideOf(start: ((scene: THREE.Scene) => SceneIndex) | null, mesh: THREE.Mesh): Side {
  const scene = new THREE.Scene().add(new THREE.Group(), mesh);
  for (let k = 0; k < 9; k++) scene.add(Object.assign(box(), { name: `${k}` }));
  return { scene, mesh, index: start === null ? null : start(scene) };
}

function move({ mesh, scene }: Side, frame: number): void {
  mesh.position.x += 1 + frame / 8;
  mesh.rotation.y += 0.1;
  for (const child of scene.children) if (child.name) child.position.set(Number(child.name), frame, 3);
}

const matricesIn = (scene: THREE.Scene) => allOf(scene).map(({ matrixWorld }) => [...matrixWorld.elements]);

const hitsOf = (hits: THREE.Intersection[]) =>
  hits.map(({ distance, point, faceIndex }) => [distance, ...point, faceIndex]);

/** Rays at a mesh and past it: the sphere by which three looks first reaches beyond the bounds of what is flat. */
function raysAt({ mesh }: Side, frame: number): THREE.Raycaster[] {
  const next = random(frame);
  const around = (reach: number) => new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(reach);
  return Array.from({ length: 40 }, () => {
    const from = around(50).add(mesh.position);
    const to = around(2).add(mesh.position);
    return new THREE.Raycaster(from, to.sub(from).normalize());
  });
}

const ways: [string, (scene: THREE.Scene) => SceneIndex][] = [
  ['SceneIndex', (scene) => indexed(scene)],
  ['accelerate', (scene) => accelerated(scene)],
];

describe.each(ways)('%s: a mesh that moves in each frame', (_way, start) => {
  it.each(acts)('%s', (label, act) => {
    const without = sideOf(null, box());
    const side = sideOf(start, box());
    const index = side.index as SceneIndex;
    for (let frame = 0; frame < 8; frame++) {
      for (const each of [without, side]) {
        // At rest means that nothing moves it.
        if (!(frame >= 4 && label === 'comes to rest')) move(each, frame);
        if (frame === 4) act(each.mesh, each.scene, each.index);
      }
      without.scene.updateMatrixWorld();
      index.update();
      expect(matricesIn(side.scene)).toEqual(matricesIn(without.scene));
      expect(side.mesh.matrixWorldNeedsUpdate).toBe(without.mesh.matrixWorldNeedsUpdate);
      expect(validateScene(index)).toEqual([]);
      for (const ray of raysAt(side, frame)) {
        const hits = hitsOf(index.raycast(ray));
        // What is NaN is in no result.
        const expected = ray.intersectObject(without.scene).filter(({ distance }) => !Number.isNaN(distance));
        expect(hits).toEqual(hitsOf(expected));
      }
      for (const object of allOf(side.scene)) {
        if (!(object instanceof THREE.Mesh)) continue;
        object.geometry.computeBoundingBox();
        const there = (object.geometry.boundingBox as THREE.Box3).clone().applyMatrix4(object.matrixWorld);
        expect(index.getBox(object, new THREE.Box3())).toEqual(Number.isNaN(there.min.x) ? null : there);
      }
    }
  });

  it('and has bones, or is one', () => {
    const [skinned, limbed] = [skinnedTower(), skinnedTower()];
    const limb = Object.assign(box(), { isBone: true }) as unknown as THREE.Bone;
    const scene = new THREE.Scene().add(skinned, limbed, limb);
    limbed.bind(new THREE.Skeleton([limb, limb]));
    const index = start(scene);
    index.setStatic(limbed);
    for (let frame = 0; frame < 5; frame++) {
      skinned.position.x = frame;
      limb.position.y = 3 * frame;
      expect(validateScene(updated(index))).toEqual([]);
      expect(index.queryPoint(new THREE.Vector3(0, 3 * frame + 1, 0))).toContain(limbed);
    }
  });

  it('throws a shadow that is a mesh, by a matrix that is projective', () => {
    const [plain, side] = [null, start].map((make) => {
      const scene = new THREE.Scene().add(box().translateX(-1).translateY(1));
      const shadow = new ShadowMesh(scene.children[0] as THREE.Mesh);
      scene.add(shadow).updateMatrixWorld();
      return { scene, shadow, index: make?.(scene) };
    });
    for (let frame = 1; frame < 6; frame++) {
      for (const { scene, shadow, index } of [plain, side]) {
        scene.children[0].position.x = frame;
        shadow.update(new THREE.Plane(new THREE.Vector3(0, 1, 0), 0.01), new THREE.Vector4(5, 7, -1, 0.001));
        if (index) index.update();
        else scene.updateMatrixWorld();
      }
      expect(matricesIn(side.scene)).toEqual(matricesIn(plain.scene));
    }
  });
});

it('a mesh that three composes again, with the rotation it has had, has moved once', () => {
  const mesh = box();
  const scene = new THREE.Scene().add(mesh);
  const index = indexed(scene);
  mesh.matrixAutoUpdate = false;
  mesh.matrix.makeScale(1, 1e-9, 1);
  for (let frame = 0; frame < 3; frame++) index.update();
  mesh.matrixAutoUpdate = true;
  index.update();
  expect(mesh.matrixWorld).toEqual(new THREE.Matrix4());
  const { version } = index;
  for (let frame = 0; frame < 3; frame++) index.update();
  expect(index.version).toBe(version);
});
