import { BatchedMesh, type InstancedMesh, type Intersection, Matrix4, Raycaster, Scene, Vector3 } from 'three';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { setClock, stopClock } from '../helpers/clock.js';
import { loadBatchCode } from '../helpers/drawnByIndex.js';
import { accelerated } from '../helpers/indexed.js';
import { random } from '../helpers/random.js';
import { anyMatrix, batchedCrowd, ifPresent, instancedCrowd, placeAnywhere } from '../instances/table/crowds.js';

stopClock();

type Crowd = InstancedMesh | BatchedMesh;

const asText = (hits: Intersection[]): string[] => hits.map(({ object, ...rest }) => JSON.stringify(rest));

function anyRay(next: () => number): Raycaster {
  const place = () => new Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(60);
  const from = place();
  return new Raycaster(from, place().sub(from).normalize(), 0, next() < 0.5 ? 20 : undefined);
}

/** How many instances three asks about during some work. */
function asked(mesh: Crowd, work: () => void): number {
  const spy = vi.spyOn(mesh, 'getMatrixAt');
  work();
  const { length } = spy.mock.calls;
  spy.mockRestore();
  return length;
}

describe.each([
  ['InstancedMesh', instancedCrowd],
  ['BatchedMesh', batchedCrowd],
])('picks of an %s in an accelerated scene', (_, make) => {
  beforeAll(loadBatchCode);
  afterEach(() => vi.restoreAllMocks());

  const crowd = (seed: number): Crowd => {
    const mesh = make(random(seed), 400, 20);
    placeAnywhere(mesh, random(seed), true);
    return mesh;
  };

  it.each([0, 0.1])('are those of three, with a clock that goes on by %f ms', (step) => {
    setClock(step);
    const mesh = crowd(1);
    const twin = crowd(1);
    const scene = new Scene().add(mesh);
    const plain = new Scene().add(twin);
    const index = accelerated(scene);
    const next = random(2);
    let most = 0;
    for (let frame = 0; frame < 60; frame++) {
      for (const one of [scene, plain]) one.updateMatrixWorld();
      const raycaster = anyRay(next);
      const expected = asText(raycaster.intersectObject(plain));
      expect(asText(raycaster.intersectObject(scene))).toEqual(expected);
      expect(asText(raycaster.intersectObjects(scene.children))).toEqual(expected);
      expect(asText(index.raycast(raycaster))).toEqual(expected);
      const count = asked(mesh, () => expect(asText(raycaster.intersectObject(mesh))).toEqual(expected));
      if (frame >= 30) most = Math.max(most, count);
      for (const one of [mesh, twin]) {
        const matrix = anyMatrix(random(frame), 20);
        if (one instanceof BatchedMesh && frame % 3 === 0) one.setVisibleAt(presentId(one, frame), false);
        if (one instanceof BatchedMesh) one.setMatrixAt(presentId(one, frame), matrix);
        else {
          one.setMatrixAt(frame, matrix);
          one.instanceMatrix.needsUpdate = true;
          one.computeBoundingSphere();
        }
      }
    }
    expect(most).toBeLessThan(100);
    index.dispose();
    expect(
      asked(mesh, () => new Raycaster(new Vector3(0, 0, 99), new Vector3(0, 0, -1)).intersectObject(mesh)),
    ).not.toBe(1);
  });

  it('ask for none that is hidden by a scale of 0, though a ray goes through its place', () => {
    const mesh = crowd(6);
    const twin = crowd(6);
    const place = new Vector3(3, 2, 1);
    const isThere = (id: number) => !(mesh instanceof BatchedMesh) || presentId(mesh, id) === id;
    for (let id = 0; id < 400; id++) {
      if (id % 8 === 0 || !isThere(id)) continue;
      const hidden = new Matrix4().makeScale(0, 0, 0).setPosition(id % 8 === 1 ? place : mesh.position);
      for (const one of [mesh, twin]) one.setMatrixAt(id, hidden);
    }
    const scene = new Scene().add(mesh);
    accelerated(scene);
    const next = random(7);
    let most = 0;
    for (let frame = 0; frame < 30; frame++) {
      scene.updateMatrixWorld();
      twin.updateMatrixWorld();
      const raycaster = anyRay(next);
      if (frame % 2 === 0) {
        const target = place.clone().applyMatrix4(mesh.matrixWorld);
        raycaster.set(target.clone().setZ(50), new Vector3(0, 0, -1));
      }
      const expected = asText(raycaster.intersectObject(twin));
      const count = asked(mesh, () => expect(asText(raycaster.intersectObject(mesh))).toEqual(expected));
      if (frame > 1 && frame % 2 === 1) most = Math.max(most, count);
    }
    expect(most).toBeLessThan(60);
  });

  it('are left to a method that somebody has put there, on the mesh or its class', () => {
    const mesh = crowd(3);
    const scene = new Scene().add(mesh);
    accelerated(scene);
    const aim = new Raycaster(new Vector3(0, 0, 99), new Vector3(0, 0, -1));
    for (let k = 0; k < 3; k++) {
      scene.updateMatrixWorld();
      aim.intersectObject(scene);
    }
    const calls: string[] = [];
    const kind = Object.getPrototypeOf(mesh);
    vi.spyOn(kind, 'raycast').mockImplementation(() => void calls.push('class'));
    scene.updateMatrixWorld();
    aim.intersectObject(scene);
    mesh.raycast = () => void calls.push('own');
    scene.updateMatrixWorld();
    aim.intersectObject(scene);
    expect(calls).toEqual(['class', 'own']);
  });
});

/** An instance that is there, hidden or not. */
function presentId(mesh: BatchedMesh, from: number): number {
  return ifPresent(() => mesh.getVisibleAt(from)) === undefined ? presentId(mesh, from + 1) : from;
}
