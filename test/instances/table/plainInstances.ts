import * as THREE from 'three';
import { expect } from 'vitest';
import type { InstanceIndex } from '../../../src/index.js';
import { anyCamera, ifPresent } from './crowds.js';

export type Crowd = THREE.InstancedMesh | THREE.BatchedMesh;

/** What a plain loop knows of the instances that are present: ids, matrices, bounds. */
export function present(mesh: Crowd): { id: number; matrix: THREE.Matrix4; box: THREE.Box3; sphere: THREE.Sphere }[] {
  const list = [];
  const limit = mesh instanceof THREE.BatchedMesh ? mesh.maxInstanceCount : mesh.count;
  for (let id = 0; id < limit; id++) {
    const matrix = new THREE.Matrix4();
    const { geometry } = mesh;
    let box = new THREE.Box3();
    const sphere = new THREE.Sphere();
    if (mesh instanceof THREE.BatchedMesh) {
      if (!ifPresent(() => mesh.getVisibleAt(id))) continue;
      const geometryId = mesh.getGeometryIdAt(id);
      mesh.getBoundingBoxAt(geometryId, box);
      mesh.getBoundingSphereAt(geometryId, sphere);
    } else {
      geometry.computeBoundingBox();
      if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
      box = geometry.boundingBox as THREE.Box3;
      sphere.copy(geometry.boundingSphere as THREE.Sphere);
    }
    mesh.getMatrixAt(id, matrix);
    list.push({ id, matrix, box, sphere });
  }
  return list;
}

/** Fails unless an index answers some random questions as a loop over all instances. */
export function expectAsPlain(
  mesh: Crowd,
  index: InstanceIndex,
  next: () => number,
  reach: number,
  questions = 8,
): void {
  const plain = present(mesh);
  expect(index.size).toBe(plain.length);
  const worldBoxes = plain.map(({ id, matrix, box }) => ({
    id,
    box: box.clone().applyMatrix4(matrix.clone().premultiply(mesh.matrixWorld)),
  }));
  const place = () => anyVector(next, 2 * reach);
  for (let k = 0; k < questions; k++) {
    const camera = anyCamera(next, reach);
    const local = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    const frustum = new THREE.Frustum().setFromProjectionMatrix(local.multiply(mesh.matrixWorld));
    const seen = plain.filter(({ sphere, matrix }) => frustum.intersectsSphere(sphere.clone().applyMatrix4(matrix)));
    expect(index.cull(camera).toArray()).toEqual(seen.map(({ id }) => id));

    const centre = place();
    const size = new THREE.Vector3(next(), next(), next()).multiplyScalar(reach);
    const box = new THREE.Box3().setFromCenterAndSize(centre, size);
    expect(index.queryBox(box).toArray()).toEqual(worldBoxes.filter((w) => w.box.intersectsBox(box)).map((w) => w.id));

    const sphere = new THREE.Sphere(centre, reach * next());
    const near = worldBoxes.filter((w) => w.box.distanceToPoint(centre) <= sphere.radius);
    expect(index.querySphere(sphere).toArray()).toEqual(near.map((w) => w.id));
    const inside = worldBoxes.filter((w) => w.box.containsPoint(centre));
    expect(index.queryPoint(centre).toArray()).toEqual(inside.map((w) => w.id));

    const count = next() < 0.1 ? Number.POSITIVE_INFINITY : 1 + Math.floor(next() * 12);
    const nearest = worldBoxes
      .map((w) => ({ instanceId: w.id, distance: w.box.distanceToPoint(centre) }))
      .sort((a, b) => a.distance - b.distance || a.instanceId - b.instanceId)
      .slice(0, count);
    const found = index.nearest(centre, count);
    expect(found.map(({ instanceId }) => instanceId)).toEqual(nearest.map(({ instanceId }) => instanceId));
    for (const [i, { distance }] of found.entries()) expect(distance).toBeCloseTo(nearest[i].distance, 9);

    const from = place().multiplyScalar(1.5);
    const raycaster = new THREE.Raycaster(from, place().sub(from).normalize(), reach * 0.2 * next());
    if (mesh instanceof THREE.InstancedMesh) mesh.computeBoundingSphere();
    expect(asText(index.raycast(raycaster))).toEqual(asText(raycaster.intersectObject(mesh, false)));
  }
}

export function anyVector(next: () => number, size: number): THREE.Vector3 {
  return new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(size);
}

export function asText(hits: THREE.Intersection[]): string[] {
  return hits.map(({ object, ...rest }) => `${object.id} ${JSON.stringify(rest)}`);
}
