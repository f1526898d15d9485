import * as THREE from 'three';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { explain } from '../../src/index.js';
import { Motion } from '../../src/scene/follow/Motion.js';
import { SceneFollower } from '../../src/scene/follow/SceneFollower.js';
import { Traits } from '../../src/scene/follow/Traits.js';
import type { ObjectRecord } from '../../src/scene/objects/ObjectRecord.js';
import { eye } from '../helpers/cameras.js';
import { failures } from '../helpers/failures.js';
import { accelerated } from '../helpers/indexed.js';
import { loadBatching } from '../helpers/loadBatching.js';
import { mainPass } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { allOf } from '../helpers/scene.js';
import { catchWarnings } from '../helpers/warnings.js';

beforeAll(loadBatching);
const warnings = catchWarnings();

const geometry = new THREE.BoxGeometry();
const material = new THREE.MeshBasicMaterial();

/** Groups of meshes, of which some have matrices of their own, and some are static once they are accelerated. */
function world(): { scene: THREE.Scene; meshes: THREE.Mesh[]; statics: THREE.Object3D[] } {
  const next = random(3);
  const scene = new THREE.Scene();
  const meshes: THREE.Mesh[] = [];
  const statics: THREE.Object3D[] = [];
  for (let g = 0; g < 20; g++) {
    const group = new THREE.Group();
    group.position.set(next() * 9, next() * 9, next() * 9);
    if (g % 4 === 1) {
      group.matrixAutoUpdate = false;
      group.updateMatrix();
    }
    if (g % 10 === 2) statics.push(group);
    for (let i = 0; i < 6; i++) {
      const mesh = new THREE.Mesh(geometry, material);
      mesh.name = `${g}.${i}`;
      mesh.position.set(next(), next(), next());
      mesh.rotation.x = next();
      meshes.push(mesh);
      group.add(mesh);
    }
    scene.add(group);
  }
  return { scene, meshes, statics };
}

const camera = eye(4, 4, 40);
const drawn = (scene: THREE.Scene): string[] => mainPass(scene, camera).drawn.map(({ object }) => object.name);
const worlds = (scene: THREE.Scene): number[][] => allOf(scene).map(({ matrixWorld }) => matrixWorld.toArray());

function move(meshes: readonly THREE.Mesh[], by: number): void {
  for (const [i, mesh] of meshes.entries()) {
    // What is static rests.
    if (i % 3 === 0 && Math.floor(i / 6) % 10 !== 2) mesh.position.x += by;
    if (i % 30 === 0) mesh.parent?.position.set(by, i, 0);
  }
}

const inject = (): never => {
  throw new Error('injected');
};

describe('an update that fails', () => {
  it.each([
    ['before it begins', SceneFollower, 'update'],
    ['in the midst of the matrices', Motion, 'keep'],
    ['at new objects', Traits, 'find'],
  ] as const)('%s leaves matrices, passes and picks as in plain three', (_, owner, method) => {
    const [plain, fast] = [world(), world()];
    const index = accelerated(fast.scene);
    for (const object of fast.statics) index.setStatic(object);
    for (let picture = 0; picture < 3; picture++) drawn(fast.scene);
    vi.spyOn(owner.prototype as unknown as Record<string, () => void>, method).mockImplementation(inject);
    for (let picture = 0; picture < 4; picture++) {
      for (const { meshes, scene } of [plain, fast]) {
        move(meshes, picture);
        const mesh = new THREE.Mesh(geometry, material);
        mesh.name = `new ${picture}`;
        mesh.position.set(picture, 0, 0);
        scene.add(mesh);
      }
      expect(drawn(fast.scene).sort()).toEqual(drawn(plain.scene).sort());
      expect(worlds(fast.scene)).toEqual(worlds(plain.scene));
      const [a, b] = [plain, fast].map(({ scene }) => {
        const ray = new THREE.Raycaster(new THREE.Vector3(picture, 0, 30), new THREE.Vector3(0, 0, -1));
        return ray.intersectObject(scene).map(({ object, distance }) => [object.name, distance]);
      });
      expect(b).toEqual(a);
    }
    expect(failures.splice(0)).not.toEqual([]);
    expect(new Set(warnings()).size).toBe(warnings().length);
    expect(warnings().join()).toContain('please report');
    vi.restoreAllMocks();
  });

  it('at one object leaves that to three, and goes on for all others', () => {
    const [plain, fast] = [world(), world()];
    const index = accelerated(fast.scene);
    drawn(fast.scene);
    const find = Traits.prototype.find;
    vi.spyOn(Traits.prototype, 'find').mockImplementation(function (this: Traits, record: ObjectRecord) {
      if (record.object.name === '3.3') inject();
      find.call(this, record);
    });
    for (const { meshes } of [plain, fast]) for (const mesh of meshes) mesh.frustumCulled = false;
    for (let picture = 0; picture < 3; picture++) {
      for (const { meshes } of [plain, fast]) move(meshes, picture);
      expect(drawn(fast.scene).sort()).toEqual(drawn(plain.scene).sort());
      expect(worlds(fast.scene)).toEqual(worlds(plain.scene));
    }
    expect(failures.splice(0).map(({ stage, at }) => [stage, at])).toEqual([['update', '3.3']]);
    expect(warnings()).toHaveLength(1);
    expect(explain(index, fast.meshes[21], camera).join()).toContain('injected');
    expect(explain(index, fast.meshes[22], camera).join()).not.toContain('injected');
  });
});

describe('what fails at some meshes', () => {
  it.each([1, 3])('leaves these alone for good, and all others in their batch: %i of them', (count) => {
    const { scene, meshes } = world();
    const index = accelerated(scene, { batch: { atLeast: 4 } });
    for (let picture = 0; picture < 4; picture++) drawn(scene);
    expect(mainPass(scene, camera).drawn).toHaveLength(1);
    // Only batches read it.
    const broken = meshes.slice(5, 5 + count);
    for (const mesh of broken) Object.defineProperty(mesh, 'customDistanceMaterial', { get: inject });
    for (let picture = 0; picture <= count; picture++) drawn(scene);
    for (let picture = 0; picture < 3; picture++) expect(drawn(scene)).toHaveLength(1 + count);
    expect(failures.splice(0).map(({ stage, at }) => [stage, at])).toEqual(broken.map(({ name }) => ['batch', name]));
    expect(warnings()).toHaveLength(count);
    expect(explain(index, broken[0], camera).join()).toContain('injected');
    broken[0].removeFromParent();
    drawn(scene);
    scene.add(broken[0]);
    for (let picture = 0; picture < 3; picture++) expect(drawn(scene)).toContain(broken[0].name);
    expect(warnings()).toHaveLength(count);
  });
});

describe('errors of the page come through, and nothing of ours ends:', () => {
  it.each<[where: string, set: (meshes: THREE.Mesh[], scene: THREE.Scene, fail: () => void) => unknown]>([
    ['in a method of an object', ([mesh], _, fail) => Object.assign(mesh, { updateMatrixWorld: fail })],
    ['in a callback of the scene', (_, scene, fail) => Object.assign(scene, { onBeforeRender: fail })],
  ])('%s', (_where, set) => {
    const { scene, meshes } = world();
    const { updateMatrixWorld } = meshes[0];
    let isBroken = false;
    set(meshes, scene, function (this: THREE.Object3D) {
      if (isBroken) throw new Error('mine');
      if (this === meshes[0]) updateMatrixWorld.call(this);
    });
    accelerated(scene, { batch: { atLeast: 4 } });
    for (let picture = 0; picture < 4; picture++) drawn(scene);
    isBroken = true;
    for (let i = 0; i < 2; i++) expect(() => drawn(scene)).toThrow('mine');
    isBroken = false;
    for (let picture = 0; picture < 3; picture++) drawn(scene);
    expect(mainPass(scene, camera).drawn).toHaveLength(1);
    expect(warnings()).toEqual([]);
  });
});
