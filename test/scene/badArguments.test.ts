import * as THREE from 'three';
import { Box3, Object3D, Scene, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import * as lib from '../../src/index.js';
import { classify, LooseOctree, SceneIndex, SceneIndexHelper } from '../../src/index.js';
import { eye } from '../helpers/cameras.js';
import { type Any, any } from '../helpers/refusals.js';
import { boxMesh, rowOfBoxes, skinnedTower } from '../helpers/scene.js';
import { validateScene } from '../helpers/validateScene.js';
import { catchWarnings } from '../helpers/warnings.js';

const CAMERA = eye();
const lists = (given: object = {}): Any => ({ inside: [], intersecting: [], ...given });

catchWarnings();

describe('an index', () => {
  it('that refuses its root leaves no listener', () => {
    const scene = rowOfBoxes(1);
    for (const options of [null, { structure: 'octree' }, { capacity: 4 }]) {
      expect(() => new SceneIndex(scene, any(options))).toThrow();
      expect(any(scene)._listeners).toBeUndefined();
    }
  });

  it('a helper of a disposed index throws at each update, and draws nothing', () => {
    const index = new SceneIndex(rowOfBoxes(2));
    const helper = new SceneIndexHelper(index);
    expect(helper.boxCount).toBeGreaterThan(0);
    index.root.position.x = 50;
    index.update();
    index.dispose();
    for (let i = 0; i < 2; i++) {
      expect(() => helper.update()).toThrow('the index was disposed');
      expect([helper.boxCount, helper.geometry.drawRange.count]).toEqual([0, 0]);
    }
  });

  it('an index is free again when its scene index was disposed, got another, or could not be made', () => {
    const [first, second] = [new lib.Octree(), new lib.Grid()];
    const scene = rowOfBoxes(1);
    const index = new SceneIndex(scene, { structure: first });
    expect([index.structure, first.size]).toEqual(['octree', 1]);
    index.setStructure(second);
    expect([index.structure, first.size, second.size]).toEqual(['grid', 0, 1]);
    const broken = Object.seal(new Scene());
    expect(() => new SceneIndex(broken, { structure: first })).toThrow(TypeError);
    index.setStructure(first);
    index.dispose();
    expect([index.size, first.size]).toEqual([0, 0]);
    expect(new SceneIndex(scene, { structure: first }).size).toBe(1);
    expect(index.size).toBe(0);
  });

  it('options that are inherited are no options', () => {
    const options = Object.create({ structure: new LooseOctree(), capacity: 0 });
    expect(new SceneIndex(new Scene(), options).structure).toBe('packed');
  });

  it('planes that are NaN are no condition', () => {
    const frustum = new THREE.Frustum();
    for (const plane of frustum.planes) plane.normal.x = Number.NaN;
    expect(new SceneIndex(rowOfBoxes(1)).queryFrustum(frustum)).toHaveLength(1);
  });

  it('an object that is not followed is no error', () => {
    const index = new SceneIndex(new Scene());
    const other = boxMesh();
    for (const method of ['has', 'remove', 'touch', 'setStatic']) expect(any(index)[method](other), method).toBe(false);
    expect(index.getBox(other, new Box3())).toBeNull();
    for (const value of [null, undefined, 3, {}]) expect(index.has(any(value))).toBe(false);
  });
});

const fail = (): never => {
  throw new Error('mine');
};

describe('user code that throws', () => {
  it('between a parent that moves and its child that does not: the child moves with the next update', () => {
    const [bad, child] = [new Object3D(), boxMesh()];
    const group = new Object3D().add(bad, child);
    const index = new SceneIndex(new Scene().add(group));
    group.position.x = 10;
    bad.updateMatrixWorld = fail;
    expect(() => index.update()).toThrow('mine');
    bad.updateMatrixWorld = Object3D.prototype.updateMatrixWorld;
    index.update();
    expect(index.queryPoint(new Vector3(10, 0, 0))).toEqual([child]);
  });

  it('in a camera of several: the next cull is right', () => {
    const [left, right] = [boxMesh(-100), boxMesh(100)];
    const scene = new Scene().add(left, right);
    const index = new SceneIndex(scene);
    const views = [-100, 100].map((x) => eye(x, 0, 60, { lookAt: [x, 0, 0] }));
    const broken = new THREE.ArrayCamera([views[0], Object.defineProperty(any({}), 'projectionMatrix', { get: fail })]);
    const target = lists();
    expect(() => index.cull(broken)).toThrow('mine');
    expect(index.cull(views[1])).toEqual([right]);
    expect(() => classify(index, broken, target)).toThrow('mine');
    classify(index, views[1], target);
    expect(target).toEqual({ inside: [right], intersecting: [] });
    expect(() => classify(index, broken, target)).toThrow('mine');
    scene.remove(left);
    expect(index.cull(views[1])).toEqual([right]);
  });
});

describe('objects that are not what they seem', () => {
  it('plain objects, nulls and holes among children are passed over', () => {
    for (const fake of [{}, { isMesh: true }, null, undefined, 7]) {
      const [before, after] = [boxMesh(-5), boxMesh(5)];
      const scene = new Scene().add(before, after);
      scene.children.splice(1, 0, any(fake));
      const index = new SceneIndex(scene);
      expect(index.size, String(fake)).toBe(2);
      index.update();
      expect(index.cull(CAMERA)).toEqual([before, after]);
      expect(validateScene(index)).toEqual([]);
    }
  });

  it('a mesh whose geometry is missing or no geometry is in no result, and harms no other', () => {
    for (const geometry of [undefined, null, {}, { attributes: {} }, { attributes: { position: {} } }]) {
      const scene = new Scene();
      const [bad, good] = [boxMesh(), boxMesh(5)];
      const kept = bad.geometry;
      bad.geometry = any(geometry);
      scene.add(bad, good);
      const index = new SceneIndex(scene);
      good.position.x = 6;
      expect(() => index.update(), JSON.stringify(geometry)).not.toThrow();
      expect(index.cull(CAMERA)).toEqual([good]);
      expect(index.queryPoint(new Vector3(6, 0, 0))).toEqual([good]);
      bad.geometry = kept;
      index.update();
      expect(new Set(index.cull(CAMERA))).toEqual(new Set([bad, good]));
      bad.geometry = any(geometry);
      expect(() => index.update()).not.toThrow();
      expect(index.cull(CAMERA)).toEqual([good]);
      expect(validateScene(index)).toEqual([]);
    }
  });

  it('a skinned mesh without skeleton, bones or weights harms no other', () => {
    const spoilers: ((mesh: THREE.SkinnedMesh) => unknown)[] = [
      (mesh) => Object.assign(mesh, { skeleton: undefined }),
      (mesh) => Object.assign(mesh.skeleton.bones, { length: 1 }),
      (mesh) => Object.assign(mesh, { geometry: new THREE.BufferGeometry() }),
      (mesh) => mesh.geometry.deleteAttribute('skinWeight'),
      (mesh) => mesh.geometry.deleteAttribute('position'),
    ];
    for (const spoil of spoilers) {
      const [bad, good] = [skinnedTower(), boxMesh(5)];
      spoil(bad);
      const index = new SceneIndex(new Scene().add(bad, good));
      good.position.x = 7;
      expect(() => index.update()).not.toThrow();
      expect(index.queryPoint(new Vector3(7, 0, 0))).toEqual([good]);
      expect(validateScene(index)).toEqual([]);
    }
  });

  it('an object without raycast or layers of its own kind is no reason to fail', () => {
    const odd = Object.assign(boxMesh(), { raycast: undefined as Any });
    expect(() => new SceneIndex(new Scene().add(odd, boxMesh(4))).update()).not.toThrow();
  });
});
