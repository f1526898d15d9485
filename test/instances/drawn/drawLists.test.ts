import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { CulledMesh } from '../../../src/instances/CulledMesh.js';
import { canDrawByIndex } from '../../../src/instances/drawn/BatchDrawing.js';
import { castOf } from '../../../src/three/methods.js';
import { eye } from '../../helpers/cameras.js';
import { throwIt } from '../../helpers/failures.js';
import { random } from '../../helpers/random.js';
import { atWidth } from '../../helpers/width.js';
import { anyCamera, anyMatrix, batchedCrowd, ifPresent, placeAnywhere } from '../table/crowds.js';
import { type Batch, draw, expectSameLists, listsOf, STOCK, twins } from './batchLists.js';

function views(next: () => number, reach: number): THREE.Camera {
  const camera = anyCamera(next, reach);
  if (next() < 0.2) camera.coordinateSystem = THREE.WebGPUCoordinateSystem;
  if (next() > 0.2) return camera;
  const eyes = [0, 1, 2].map(() => anyCamera(next, reach) as THREE.PerspectiveCamera);
  return new THREE.ArrayCamera(eyes.slice(0, Math.floor(4 * next())));
}

/** Changes both in the same way. */
function change(pair: [Batch, Batch], seed: number, reach: number): void {
  for (const mesh of pair) {
    const next = random(seed);
    for (let id = 0; id < mesh.maxInstanceCount; id++) {
      const fate = Math.floor(30 * next());
      const matrix = anyMatrix(next, reach);
      const geometryId = Math.floor(3 * next());
      ifPresent(() => {
        if (fate === 0) mesh.setMatrixAt(id, matrix);
        else if (fate === 1) mesh.setVisibleAt(id, !mesh.getVisibleAt(id));
        else if (fate === 2) mesh.deleteInstance(id);
        else if (fate === 3) mesh.setGeometryIdAt(id, geometryId);
      });
      if (fate === 4 && mesh.instanceCount < mesh.maxInstanceCount) {
        mesh.setMatrixAt(mesh.addInstance(geometryId), matrix);
      }
    }
    mesh.sortObjects = next() < 0.7;
    mesh.perObjectFrustumCulled = next() < 0.8;
    mesh.customSort = next() < 0.2 ? (sortByIndex as never) : null;
    if (next() < 0.1) mesh.optimize();
    if (next() < 0.1) mesh.setInstanceCount(mesh.maxInstanceCount + 5);
  }
}

/** Sorts, changes and leaves out. */
function sortByIndex(list: { start: number; count: number; z: number; index: number }[]): void {
  list.sort((a, b) => b.index - a.index);
  list.length = Math.ceil(list.length / 2);
  for (const item of list) if (item.index % 3 === 0) item.count = 3;
}

/** The instances that a ray hits, by the index where there is one. */
function castAt(mesh: Batch, raycaster: THREE.Raycaster): unknown[] {
  const hits: THREE.Intersection[] = [];
  castOf(mesh).call(mesh, raycaster, hits);
  return hits.map(({ batchId }) => batchId);
}

describe('draw lists of a batch by its index', () => {
  it.each(Array.from({ length: atWidth(150, 60) }, (_, i) => i))('are those that three makes, seed %i', (seed) => {
    const next = random(seed);
    const reach = 5 + 50 * next();
    const pair = twins(seed, Math.floor(240 + 240 * next()), reach);
    const place = next();
    for (const mesh of pair) placeAnywhere(mesh, random(seed + 1), place < 0.5);
    const drawing = draw(pair[1]);
    for (let round = 0; round < 5; round++) {
      const material = new THREE.MeshBasicMaterial({ transparent: next() < 0.4, wireframe: next() < 0.2 });
      const format = next() < 0.5 ? 'merged' : 'multiDraw';
      expectSameLists(pair, views(next, reach), material, format);
      change(pair, seed + 7 * round, reach);
    }
    drawing.dispose();
    expectSameLists(pair, views(next, reach));
  });

  it('sorts ties, zeros of both signs, infinite and NaN depths as three does', () => {
    const pair = twins(3, 420, 10);
    for (const mesh of pair) {
      mesh.perObjectFrustumCulled = false;
      for (let id = 0; id < 420; id++) {
        const matrix = anyMatrix(random(id % 10), 10);
        const special = [0, -0, 1e-320, -1e-300, Number.POSITIVE_INFINITY, Number.NaN, 1e300, 5, 5.0000001][id % 13];
        if (special !== undefined) matrix.setPosition(special, special, special);
        ifPresent(() => mesh.setMatrixAt(id, matrix));
      }
    }
    const drawing = draw(pair[1]);
    const camera = new THREE.PerspectiveCamera();
    // Looks into the negative of all axes, so that a depth may be -0.
    camera.lookAt(-1, -1, -1);
    camera.updateMatrixWorld();
    for (const transparent of [false, true]) {
      expectSameLists(pair, camera, new THREE.MeshBasicMaterial({ transparent }));
    }
    drawing.dispose();
  });

  it('follow what changed while the index was built, of which only three was told', () => {
    const pair = twins(5, 500, 10);
    const drawing = new CulledMesh(pair[1], STOCK, throwIt, () => null);
    const camera = eye(0, 0, 20, { far: 100 });
    expect(drawing.build(0)).toBe(false);
    for (let round = 0; round < 3; round++) {
      change(pair, round, 10);
      expectSameLists(pair, camera);
      drawing.build(0);
    }
    while (!drawing.build(0));
    for (const mesh of pair) mesh.sortObjects = mesh.perObjectFrustumCulled = true;
    expectSameLists(pair, camera);
    drawing.dispose();
  });

  it('leave to three what it was told, however often the batch is cast at', () => {
    const pair = twins(8, 500, 10);
    const drawing = draw(pair[1]);
    const camera = eye(0, 0, 20, { far: 100 });
    const raycaster = new THREE.Raycaster(new THREE.Vector3(0, 0, 20), new THREE.Vector3(0, 0, -1));
    for (let round = 0; round < 6; round++) {
      for (const mesh of pair) mesh.perObjectFrustumCulled = mesh.sortObjects = round % 2 === 0;
      expectSameLists(pair, camera);
      for (let turn = 0; turn < 2; turn++) {
        change(pair, 2 * round + turn, 10);
        for (const mesh of pair) mesh.perObjectFrustumCulled = mesh.sortObjects = false;
        const [plain, indexed] = pair.map((mesh) => castAt(mesh, raycaster));
        expect(indexed).toEqual(plain);
        expect(listsOf(pair[1])).toEqual(listsOf(pair[0]));
      }
      expectSameLists(pair, camera);
    }
    drawing.dispose();
    expectSameLists(pair, camera);
  });

  it('are made by three while there are few instances, and by the index once there are many', () => {
    const pair = twins(6, 600, 10);
    const kept = 450 + pair[0]._instanceInfo.slice(450).findIndex(({ active }) => active);
    const drawing = draw(pair[1]);
    const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
    for (const few of [true, false, true, false]) {
      for (const mesh of pair) {
        const next = random(7);
        for (let id = 0; few && id < 450; id++) ifPresent(() => mesh.deleteInstance(id));
        while (!few && mesh.instanceCount < 600) mesh.setMatrixAt(mesh.addInstance(1), anyMatrix(next, 10));
      }
      expectSameLists(pair, camera);
      for (const mesh of pair) mesh.setVisibleAt(kept, !few);
      expectSameLists(pair, camera, new THREE.MeshBasicMaterial(), 'merged');
    }
    drawing.dispose();
  });

  it('are left alone where somebody has replaced the methods, or three keeps its instances otherwise', () => {
    const own = batchedCrowd(random(1), 5, 5);
    own.onBeforeRender = () => {};
    expect(canDrawByIndex(own)).toBe(false);
    const odd = batchedCrowd(random(1), 5, 5) as unknown as Record<string, unknown>;
    const parts = ['_instanceInfo', '_indirectTexture', '_multiDrawStarts', '_visibilityChanged'];
    if ('_mergedDrawStarts' in odd) parts.push('_mergedDrawStarts');
    for (const part of parts) {
      const kept = odd[part];
      odd[part] = undefined;
      expect(canDrawByIndex(odd as never), part).toBe(false);
      odd[part] = kept;
    }
    expect(canDrawByIndex(odd as never)).toBe(true);
    expect(canDrawByIndex(Object.freeze(batchedCrowd(random(1), 5, 5)))).toBe(false);
  });
});
