import * as THREE from 'three';
import { expect } from 'vitest';
import { CulledMesh } from '../../../src/instances/CulledMesh.js';
import { canDrawByIndex } from '../../../src/instances/drawn/BatchDrawing.js';
import { throwIt } from '../../helpers/failures.js';
import { random } from '../../helpers/random.js';
import { batchedCrowd } from '../table/crowds.js';

export type Format = 'multiDraw' | 'merged';
/** Private parts of three, and what a renderer calls. */
export type Batch = THREE.BatchedMesh & {
  _updateDrawParameters(
    camera: THREE.Camera,
    geometry: THREE.BufferGeometry,
    material: THREE.Material,
    format?: Format,
  ): void;
  _multiDrawStarts: Int32Array;
  _multiDrawCounts: Int32Array;
  _multiDrawCount: number;
  _multiDrawBytesPerElement: number;
  _mergedDrawStarts: Int32Array;
  _mergedDrawCounts: Int32Array;
  _mergedDrawInstanceCounts: Int32Array;
  _mergedDrawCount: number;
  _indirectTexture: { image: { data: Uint32Array }; version: number };
  _visibilityChanged: boolean;
  _instanceInfo: { active: boolean }[];
};

export const STOCK = { batched: THREE.BatchedMesh.prototype.raycast, instanced: null };

/** Has a batch drawn by an index. */
export function draw(mesh: Batch): CulledMesh {
  expect(canDrawByIndex(mesh)).toBe(true);
  const drawing = new CulledMesh(mesh, STOCK, throwIt, () => null);
  while (!drawing.build(0));
  return drawing;
}

/** All that three writes for a renderer. */
export function listsOf(mesh: Batch): unknown {
  const drawn = mesh._multiDrawCount;
  const merged = mesh._mergedDrawCount;
  return {
    drawn,
    merged,
    size: mesh._multiDrawBytesPerElement,
    version: mesh._indirectTexture.version,
    isChanged: mesh._visibilityChanged,
    starts: [...mesh._multiDrawStarts],
    counts: [...mesh._multiDrawCounts],
    mergedStarts: [...(mesh._mergedDrawStarts ?? [])],
    mergedCounts: [...(mesh._mergedDrawCounts ?? [])],
    instanceCounts: [...(mesh._mergedDrawInstanceCounts ?? [])],
    indirect: [...mesh._indirectTexture.image.data],
  };
}

/** The same batch twice, from the same seed: drawn by three, and by an index. */
export function twins(seed: number, count: number, reach: number): [Batch, Batch] {
  const pair: [Batch, Batch] = [0, 1].map(() => batchedCrowd(random(seed), count, reach) as Batch) as never;
  // r186 measures depths from elsewhere in a pass in which it makes spheres.
  for (const mesh of pair) for (let id = 0; id < 3; id++) mesh.getBoundingSphereAt(id, new THREE.Sphere());
  return pair;
}

/** Until r187 three made the lists in \`onBeforeRender\`. */
export function drawOne(mesh: Batch, camera: THREE.Camera, material: THREE.Material, format: Format): void {
  if (typeof mesh._updateDrawParameters === 'function')
    mesh._updateDrawParameters(camera, mesh.geometry, material, format);
  else
    (mesh as THREE.BatchedMesh).onBeforeRender({} as never, {} as never, camera, mesh.geometry, material, {} as never);
}

export function expectSameLists(
  [plain, indexed]: [Batch, Batch],
  camera: THREE.Camera,
  material: THREE.Material = new THREE.MeshBasicMaterial(),
  format: Format = 'multiDraw',
): void {
  for (const mesh of [plain, indexed]) drawOne(mesh, camera, material, format);
  expect(listsOf(indexed)).toEqual(listsOf(plain));
}
