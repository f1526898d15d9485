import {
  type BatchedMesh,
  Box3,
  BufferGeometry,
  type InstancedMesh,
  type Intersection,
  type Material,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Ray,
  type Raycaster,
  Sphere,
} from 'three';
import { Hits } from '../../core/Hits.js';
import { IdList } from '../../core/ids.js';
import { isFaithfulMatrix } from '../../scene/objects/distortion.js';
import { GEOMETRIES, INSTANCES, type Internals } from '../../three/batches.js';
import type { IndexedInstances } from './IndexedInstances.js';
import { isBatch } from './InstanceSource.js';

/** Boxes are widened for rays by this share of the largest coordinate: see `isFaithful`. */
const CAST_ROUNDING = 1e-6;

const NO_GEOMETRY = new BufferGeometry();
const ANY_MATERIAL = new MeshBasicMaterial();
/** A mesh that stands for one instance after the other. */
const one: Mesh<BufferGeometry, Material | Material[]> = /* @__PURE__ */ new Mesh(NO_GEOMETRY, ANY_MATERIAL);
/** The range of a batch that draws the instance. */
const part = /* @__PURE__ */ Object.assign(/* @__PURE__ */ new BufferGeometry(), {
  boundingBox: /* @__PURE__ */ new Box3(),
  boundingSphere: /* @__PURE__ */ new Sphere(),
});
const hitsOfOne: Intersection[] = [];
const matrix = new Matrix4();
const inverse = new Matrix4();
const ray = new Ray();
const sphere = new Sphere();
const met = new Hits();
const all = new IdList();

/** The ids of all instances that a ray may hit, in ascending order. */
function idsOnRay(instances: IndexedInstances, { ray: given }: Raycaster): number[] {
  const { matrixWorld } = instances.source.mesh;
  ray.copy(given).applyMatrix4(inverse.copy(matrixWorld).invert());
  const { origin: o, direction: d } = ray;
  const sum = o.x + o.y + o.z + d.x + d.y + d.z;
  const hasDirection = d.x !== 0 || d.y !== 0 || d.z !== 0;
  if (!isFaithfulMatrix(matrixWorld) || !Number.isFinite(sum) || !hasDirection) {
    instances.listAll(all);
    return all.toArray();
  }
  const largest = Math.abs(o.x) + Math.abs(o.y) + Math.abs(o.z) + instances.table.farthest;
  // Distances differ between the frame of the mesh and the world: near and far are left to three.
  instances.index.raycast(
    { origin: [o.x, o.y, o.z], direction: [d.x, d.y, d.z], margin: CAST_ROUNDING * largest },
    met,
  );
  instances.toInstances(met);
  const ids = Array.from(met.ids.subarray(0, met.length));
  const others = [...instances.unindexed, ...instances.table.distorted];
  return (others.length === 0 ? ids : [...new Set([...ids, ...others])]).sort((a, b) => a - b);
}

/** The first test of three's `InstancedMesh.raycast`: whether the ray meets the sphere around all instances. */
export function mayHit(mesh: InstancedMesh, { ray: given }: Raycaster): boolean {
  if (mesh.boundingSphere === null) mesh.computeBoundingSphere();
  return given.intersectsSphere(sphere.copy(mesh.boundingSphere as Sphere).applyMatrix4(mesh.matrixWorld));
}

/** Casts at the instances that a ray may hit, as three's `raycast` casts at all. */
export function castAtSome(instances: IndexedInstances, raycaster: Raycaster, hits: Intersection[]): void {
  const { mesh } = instances.source;
  const ids = idsOnRay(instances, raycaster);
  if (ids.length === 0 || mesh.material === undefined) return;
  try {
    one.material = mesh.material;
    if (isBatch(mesh)) castBatched(mesh, ids, raycaster, hits);
    else castInstanced(mesh, ids, raycaster, hits);
  } finally {
    reset();
  }
}

function castInstanced(mesh: InstancedMesh, ids: number[], raycaster: Raycaster, hits: Intersection[]): void {
  one.geometry = mesh.geometry;
  for (const id of ids) {
    if (id >= mesh.count) continue;
    mesh.getMatrixAt(id, matrix);
    one.matrixWorld.multiplyMatrices(mesh.matrixWorld, matrix);
    castOne(mesh, id, raycaster, hits);
  }
}

function castBatched(mesh: BatchedMesh, ids: number[], raycaster: Raycaster, hits: Intersection[]): void {
  const { [INSTANCES]: infos, [GEOMETRIES]: ranges } = mesh as unknown as Internals;
  part.index = mesh.geometry.index;
  part.attributes = mesh.geometry.attributes;
  one.geometry = part;
  for (const id of ids) {
    // The instance may have gone since the last update of the index.
    if (infos[id]?.active !== true || !infos[id].visible) continue;
    const { geometryIndex } = infos[id];
    const { start, count } = ranges[geometryIndex];
    part.setDrawRange(start, count);
    mesh.getMatrixAt(id, one.matrixWorld).premultiply(mesh.matrixWorld);
    mesh.getBoundingBoxAt(geometryIndex, part.boundingBox);
    mesh.getBoundingSphereAt(geometryIndex, part.boundingSphere);
    castOne(mesh, id, raycaster, hits);
  }
}

/** Casts at the mesh that stands for an instance, and names the instance in its hits. */
function castOne(mesh: InstancedMesh | BatchedMesh, id: number, raycaster: Raycaster, hits: Intersection[]): void {
  one.raycast(raycaster, hitsOfOne);
  for (const hit of hitsOfOne.splice(0)) {
    hit[isBatch(mesh) ? 'batchId' : 'instanceId'] = id;
    hit.object = mesh;
    hits.push(hit);
  }
}

/** Empties `one`, so that it keeps no mesh alive, and drops the hits of a cast that threw. */
function reset(): void {
  hitsOfOne.length = 0;
  one.geometry = NO_GEOMETRY;
  part.index = null;
  part.attributes = {};
  one.material = ANY_MATERIAL;
}
