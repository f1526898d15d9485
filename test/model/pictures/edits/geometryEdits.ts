import * as THREE from 'three';
import { anyPlace, oneOf, pick, upTo } from '../../scene/numbers.js';
import { colorsFor, makeGeometry, makeModel, partIntoGroups } from '../makeLooks.js';
import { isPlainMesh } from '../makeObject.js';
import type { Edits } from '../PictureSide.js';

/** What geometries are, who has which, and the instances of meshes. */
export const GEOMETRY_EDITS: Edits = {
  newGeometry(side, next) {
    const fresh = makeGeometry(next);
    const place = upTo(next, side.geometries.length);
    const old = side.geometries[place];
    side.geometries[place] = fresh;
    for (const object of side.objects) if (isPlainMesh(object) && object.geometry === old) object.geometry = fresh;
    if (next() < 0.4) old.dispose();
  },
  /** Models come in place of what stood in for them, or of other models. */
  standIns(side, next) {
    const meshes = side.objects.filter(isPlainMesh);
    for (let n = 0; n < 8; n++) {
      const mesh = pick(next, meshes);
      mesh.geometry = makeModel(next);
      mesh.material = side.materials[0];
    }
  },
  disposeGeometry: (side, next) => pick(next, side.geometries).dispose(),
  editVertices(side, next) {
    const geometry = pick(next, side.geometries);
    const { position } = geometry.attributes;
    const stretch = 0.6 + next();
    for (let i = 0; i < position.count; i++) position.setY(i, position.getY(i) * stretch);
    position.needsUpdate = true;
    geometry.computeBoundingSphere();
    if (geometry.boundingBox !== null) geometry.computeBoundingBox();
    if (next() < 0.5) geometry.computeVertexNormals();
  },
  editRange(side, next) {
    const geometry = pick(next, side.geometries);
    const position = geometry.attributes.position as THREE.BufferAttribute;
    const stretch = 0.6 + next();
    const edited = 1 + upTo(next, position.count);
    for (let i = 0; i < edited; i++) position.setY(i, position.getY(i) * stretch);
    position.addUpdateRange(0, 3 * edited);
    position.needsUpdate = true;
    geometry.computeBoundingSphere();
  },
  attribute(side, next) {
    const geometry = pick(next, side.geometries);
    const { count } = geometry.attributes.position;
    oneOf(
      next,
      () => geometry.setAttribute('color', colorsFor(geometry, next)),
      () => geometry.deleteAttribute('color'),
      () => geometry.deleteAttribute('uv'),
      () => geometry.setAttribute('uv', new THREE.Float32BufferAttribute(new Float32Array(2 * count).fill(next()), 2)),
      () => geometry.index && geometry.setIndex(Array.from(geometry.index.array).reverse()),
      () => geometry.setAttribute('anything', new THREE.Float32BufferAttribute(new Float32Array(count), 1)),
    );
  },
  groups(side, next) {
    const geometry = pick(next, side.geometries);
    const [chance, place] = [next(), upTo(next, 3)];
    if (chance < 0.3) geometry.clearGroups();
    else if (chance < 0.6 || geometry.groups.length === 0) partIntoGroups(geometry);
    else pick(next, geometry.groups).materialIndex = place;
  },
  instances(side, next) {
    const mesh = side.any(next, (object) => 'isInstancedMesh' in object) as THREE.InstancedMesh | null;
    if (mesh === null) return;
    const { count } = mesh.instanceMatrix;
    if (next() < 0.3) mesh.count = upTo(next, count);
    for (let i = next() < 0.5 ? 3 : count; i > 0; i--) {
      const matrix = new THREE.Matrix4().makeRotationY(next()).setPosition(anyPlace(next, 40));
      mesh.setMatrixAt(upTo(next, count), matrix);
    }
    mesh.instanceMatrix.needsUpdate = true;
    mesh.computeBoundingSphere();
    if (mesh.boundingBox !== null) mesh.computeBoundingBox();
  },
  batch(side, next) {
    const mesh = side.any(next, (object) => 'isBatchedMesh' in object) as THREE.BatchedMesh | null;
    if (mesh === null) return;
    // None is deleted, so that ids are those from 0 on.
    for (let i = 0; i < 5; i++) {
      const id = upTo(next, mesh.instanceCount);
      mesh.setMatrixAt(id, new THREE.Matrix4().makeRotationZ(next()).setPosition(anyPlace(next, 40)));
      mesh.setVisibleAt(upTo(next, mesh.instanceCount), next() < 0.5);
      if (next() < 0.1) mesh.setColorAt(id, new THREE.Color().setHSL(next(), 1, 0.5));
      if (mesh.instanceCount < mesh.maxInstanceCount) mesh.setMatrixAt(mesh.addInstance(0), new THREE.Matrix4());
    }
    for (const material of [mesh.material].flat()) material.needsUpdate = true;
    mesh.computeBoundingSphere();
    if (mesh.boundingBox !== null) mesh.computeBoundingBox();
  },
};
