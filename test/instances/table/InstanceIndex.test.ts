import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { InstanceIndex } from '../../../src/index.js';
import { Bvh } from '../../../src/standalone.js';
import { random } from '../../helpers/random.js';
import { any, type ErrorKind } from '../../helpers/refusals.js';
import { validate } from '../../helpers/validate.js';
import { anyCamera, anyMatrix, batchedCrowd, ifPresent, instancedCrowd, material, placeAnywhere } from './crowds.js';
import { anyVector, asText, expectAsPlain, present } from './plainInstances.js';

describe.each([
  ['InstancedMesh', instancedCrowd],
  ['BatchedMesh', batchedCrowd],
])('InstanceIndex of an %s', (_, make) => {
  it.each([
    [1, 0, 10, false],
    [2, 1, 10, true],
    [3, 40, 10, false],
    [4, 400, 30, true],
    [5, 2000, 100, false],
    [6, 2000, 60, true],
  ])('answers as a loop over all instances, seed %i, %i of them', (seed, count, reach, isTurned) => {
    const next = random(seed);
    const mesh = make(next, count, reach);
    if (isTurned || seed > 4) placeAnywhere(mesh, next, isTurned);
    const index = new InstanceIndex(mesh);
    expectAsPlain(mesh, index, next, reach);
    index.dispose();
  });

  it.each([11, 12, 13])('follows changes, seed %i', (seed) => {
    const next = random(seed);
    const mesh = make(next, 300, 20);
    const core = new Bvh();
    const index = new InstanceIndex(mesh, { structure: core });
    for (let round = 0; round < 12; round++) {
      for (const { id } of present(mesh)) if (next() < 0.1) mesh.setMatrixAt(id, anyMatrix(next, 20));
      if (mesh instanceof THREE.InstancedMesh) {
        if (next() < 0.3) mesh.count = Math.floor(300 * next());
        mesh.instanceMatrix.needsUpdate = true;
      } else {
        for (const { id } of present(mesh)) {
          const fate = Math.floor(20 * next());
          if (fate === 0) mesh.setVisibleAt(id, false);
          else if (fate === 1) mesh.deleteInstance(id);
          else if (fate === 2) mesh.setGeometryIdAt(id, Math.floor(3 * next()));
        }
        for (let k = Math.floor(20 * next()); k > 0 && mesh.instanceCount < 300; k--) {
          mesh.setMatrixAt(mesh.addInstance(Math.floor(3 * next())), anyMatrix(next, 20));
        }
        if (next() < 0.3) for (let id = 0; id < 300; id++) ifPresent(() => mesh.setVisibleAt(id, true));
      }
      index.update();
      expect(validate(core)).toEqual([]);
      expectAsPlain(mesh, index, next, 20);
    }
    index.dispose();
    expect(core.size).toBe(0);
  });
});

describe('InstanceIndex', () => {
  it('does not notice writes that three was not told of, and then does', () => {
    const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(), material, 3);
    const index = new InstanceIndex(mesh);
    mesh.setMatrixAt(1, new THREE.Matrix4().makeTranslation(50, 0, 0));
    index.update();
    expect(index.queryPoint(new THREE.Vector3(50, 0, 0)).length).toBe(0);
    mesh.instanceMatrix.needsUpdate = true;
    index.update();
    expect(index.queryPoint(new THREE.Vector3(50, 0, 0)).toArray()).toEqual([1]);
    expect(index.queryPoint(new THREE.Vector3(0, 0, 0)).toArray()).toEqual([0, 2]);
  });

  it('keeps what is NaN out of places and in view, as three does, and takes it in when it is mended', () => {
    const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(), material, 4);
    mesh.setMatrixAt(2, new THREE.Matrix4().makeTranslation(Number.NaN, 0, 0));
    const index = new InstanceIndex(mesh);
    const camera = anyCamera(random(1), 1);
    camera.position.set(1000, 0, 0);
    camera.lookAt(2000, 0, 0);
    expect(index.cull(camera).toArray()).toEqual([2]);
    expect(index.queryPoint(new THREE.Vector3()).toArray()).toEqual([0, 1, 3]);
    expect(index.nearest(new THREE.Vector3(), 9).length).toBe(3);
    mesh.setMatrixAt(2, new THREE.Matrix4());
    mesh.instanceMatrix.needsUpdate = true;
    index.update();
    expect(index.queryPoint(new THREE.Vector3()).toArray()).toEqual([0, 1, 2, 3]);
    expect(index.cull(camera).toArray()).toEqual([]);
  });

  it('measures anew what an edited geometry has become, and leaves its bounds as they are', () => {
    const geometry = new THREE.BoxGeometry();
    geometry.computeBoundingSphere();
    const sphere = geometry.boundingSphere?.clone();
    const mesh = new THREE.InstancedMesh(geometry, material, 2);
    const index = new InstanceIndex(mesh);
    geometry.attributes.position.setX(0, 30);
    geometry.attributes.position.needsUpdate = true;
    index.update();
    expect(index.queryPoint(new THREE.Vector3(20, 0, 0)).toArray()).toEqual([0, 1]);
    const camera = new THREE.PerspectiveCamera(20, 1, 0.1, 20);
    camera.position.set(20, 0, 10);
    expect(index.cull(camera).toArray()).toEqual([0, 1]);
    const raycaster = new THREE.Raycaster(new THREE.Vector3(25, 0.5, 50), new THREE.Vector3(0, 0, -1));
    geometry.computeBoundingSphere();
    mesh.computeBoundingSphere();
    expect(asText(index.raycast(raycaster))).toEqual(asText(raycaster.intersectObject(mesh)));
    expect(sphere?.radius).toBeLessThan(1);
  });

  it.each([21, 22, 23])('casts through matrices with next to no inverse as three does, seed %i', (seed) => {
    const next = random(seed);
    const mesh = instancedCrowd(next, 60, 10);
    const bend = () => {
      const place = new THREE.Vector3().setFromMatrixPosition(anyMatrix(next, 10));
      const turn = new THREE.Matrix4().extractRotation(anyMatrix(next, 1));
      const flat = new THREE.Matrix4().makeScale(1, next() < 0.3 ? 0 : 10 ** (-17 * next()), 1);
      const matrix = new THREE.Matrix4().multiplyMatrices(turn, flat);
      if (next() < 0.2) matrix.elements[7] = 0.2 * next();
      return matrix.multiply(turn.extractRotation(anyMatrix(next, 1))).setPosition(place);
    };
    for (let i = 0; i < 60; i += 2) mesh.setMatrixAt(i, bend());
    mesh.matrixAutoUpdate = false;
    for (let round = 0; round < 6; round++) {
      const index = new InstanceIndex(mesh);
      for (let k = 0; k < 400; k++) {
        const raycaster = new THREE.Raycaster(anyVector(next, 30), anyVector(next, 1).normalize());
        mesh.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Number.POSITIVE_INFINITY);
        expect(asText(index.raycast(raycaster))).toEqual(asText(raycaster.intersectObject(mesh)));
      }
      index.dispose();
      mesh.matrix.copy(round % 2 === 0 ? new THREE.Matrix4().makeScale(9, 0.3, 1) : bend());
      mesh.updateMatrixWorld(true);
    }
  });

  it('leaves the mesh as it was', () => {
    for (const mesh of [instancedCrowd(random(4), 20, 5), batchedCrowd(random(4), 20, 5)]) {
      const before = Object.entries(mesh);
      const index = new InstanceIndex(mesh);
      index.cull(anyCamera(random(5), 5));
      index.raycast(new THREE.Raycaster(new THREE.Vector3(), new THREE.Vector3(0, 0, 1)));
      index.dispose();
      expect(Object.entries(mesh)).toEqual(before);
    }
  });

  it('refuses what is not legal, before anything changes', () => {
    const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(), material, 3);
    const odd = Object.assign(batchedCrowd(random(1), 5, 5), { _instanceInfo: undefined });
    const full = new Bvh();
    full.add([0, 0, 0, 1, 1, 1]);
    const bad: [error: ErrorKind | string, ...given: unknown[]][] = [
      ...[null, undefined, 5, {}, new THREE.Mesh()].map((value): [ErrorKind, unknown] => [TypeError, value]),
      [TypeError, mesh, null],
      [TypeError, mesh, { structure: {} }],
      [RangeError, mesh, { structure: full }],
      ['not supported', odd],
      [
        "InstanceIndex.structure: must be an index, got bvh: write new Bvh(), or createIndex('bvh')",
        mesh,
        { structure: 'bvh' },
      ],
    ];
    for (const [error, ...given] of bad) expect(() => Reflect.construct(InstanceIndex, given)).toThrow(error);
    const index = any(new InstanceIndex(mesh));
    const [camera, origin] = [anyCamera(random(1), 1), new THREE.Vector3()];
    for (const value of [null, 5, {}]) {
      for (const name of ['cull', 'queryBox', 'querySphere', 'queryPoint', 'nearest', 'raycast']) {
        expect(() => index[name](value), name).toThrow(TypeError);
      }
      expect(() => index.cull(camera, value)).toThrow(TypeError);
    }
    expect(() => index.queryPoint(new THREE.Vector3(Number.NaN, 0, 0))).toThrow(RangeError);
    for (const given of [[-1], [0], [0.5], [Number.NaN], [1, -1], [1, Number.NaN]]) {
      expect(() => index.nearest(origin, ...given)).toThrow(RangeError);
    }
    for (const given of [['1'], [1, '1']]) expect(() => index.nearest(origin, ...given)).toThrow(TypeError);
    for (let i = 0; i < 2; i++) index.dispose();
    expect(index.size).toBe(0);
    expect(() => index.update()).toThrow('disposed');
    expect(() => index.queryPoint(origin)).toThrow('disposed');
  });
});
