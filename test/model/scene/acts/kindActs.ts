import * as THREE from 'three';
import { nearby, one } from '../numbers.js';
import type { Any } from '../Side.js';
import { act, actOf, actsOf, editOf } from './Act.js';

const isInstanced = (o: Any) => o.isInstancedMesh;
const isBatched = (o: Any) => o.isBatchedMesh;
const isSprite = (o: Any) => o.isSprite;
const isLOD = (o: Any) => o.isLOD;

function placed([x = 0, y = 0, z = 0]: number[], kind: number): THREE.Matrix4 {
  return kind % 3
    ? new THREE.Matrix4().makeTranslation(x, y, z)
    : new THREE.Matrix4().makeRotationY(x).setPosition(x, y, z);
}

/** What is done to objects of some kind alone. */
export const kindActs = actsOf({
  instance: editOf<THREE.InstancedMesh>(isInstanced, 1.5, nearby, (mesh, v, _side, { b }) => {
    mesh.setMatrixAt(b % 4, placed(v, b));
    mesh.instanceMatrix.needsUpdate = true;
  }),
  instanceCount: editOf(isInstanced, 0.7, one(5), (mesh, [count = 2]) => Object.assign(mesh, { count })),
  instanceBounds: actOf(0.7, one(2), (side, [isNone = 0], { a }) => {
    const mesh = side.of(a, (o) => o.boundingSphere !== undefined);
    if (isNone && mesh) mesh.boundingSphere = null;
    else mesh?.computeBoundingSphere?.();
  }),
  batchInstance: editOf<THREE.BatchedMesh>(isBatched, 1, nearby, (mesh, v, _side, { b }) => {
    const live = liveInstances(mesh);
    if (live.length > 0) mesh.setMatrixAt(live[b % live.length], placed(v, b));
  }),
  batchCount: editOf<THREE.BatchedMesh>(isBatched, 0.7, one(3), (mesh, [what = 0], _side, { b }) => {
    const live = liveInstances(mesh);
    if (what === 0 && live.length < 6) mesh.addInstance(b % 2);
    else if (what === 1 && live.length > 0) mesh.deleteInstance(live[b % live.length]);
    else if (live.length > 0) mesh.setVisibleAt(live[b % live.length], b % 2 === 0);
  }),
  /** three leaves no trace of it, so it takes a word. */
  batchGeometry: act(0.4, (side, { a, b }) => {
    const mesh = side.of(a, isBatched) as unknown as THREE.BatchedMesh | undefined;
    if (!mesh) return;
    const live = liveInstances(mesh);
    if (live.length > 0) mesh.setGeometryIdAt(live[b % live.length], (b >> 3) % 2);
    for (const index of side.indices) index?.touch(mesh);
  }),
  bone: editOf<THREE.Bone>(
    (o) => o.isBone,
    2,
    nearby,
    (bone, [x = 0, y = 0, z = 0], _side, { b }) =>
      b % 2 ? bone.rotation.set(x / 2, y / 2, z / 2) : bone.position.set(x, y, z),
  ),
  bind: editOf<THREE.SkinnedMesh>(
    (o) => o.isSkinnedMesh,
    0.3,
    undefined,
    (mesh) => {
      const isFlat = ({ matrixWorld }: THREE.Object3D) => Math.abs(matrixWorld.determinant()) < 1e-6;
      if (isFlat(mesh) || mesh.skeleton.bones.some(isFlat)) return false;
      mesh.skeleton.calculateInverses();
      return mesh.bind(mesh.skeleton);
    },
  ),
  level: editOf<THREE.LOD>(isLOD, 0.7, one(4), (lod, [far = 1], side, { b }) => {
    const level = new THREE.Mesh(side.shape(b), side.material(b));
    lod.addLevel(level, 6 * far, b % 3 === 0 ? 0.4 : 0);
    side.take(level);
  }),
  removeLevel: actOf(0.3, one(4), (side, [far = 1], { a }) => {
    const lod = side.of(a, isLOD) as unknown as THREE.LOD | undefined;
    // Without a level three's own `raycast` may have none to ask.
    if (lod && lod.levels.length > 1) lod.removeLevel(6 * far);
  }),
  levelUpdates: actOf(0.3, one(2), (side, [on = 0], { a }) =>
    Object.assign(side.of(a, isLOD) ?? {}, { autoUpdate: on === 1 }),
  ),
  spriteCentre: editOf<THREE.Sprite>(isSprite, 0.6, one(7), ({ center }, [x = 0]) => center.set(x - 3, 0.5)),
  spriteTurn: editOf<THREE.Sprite>(isSprite, 0.4, one(7), ({ material }, [rotation = 0]) =>
    Object.assign(material, { rotation }),
  ),
  spriteSize: editOf<THREE.Sprite>(isSprite, 0.4, one(2), ({ material }, [on = 0]) =>
    Object.assign(material, { sizeAttenuation: on === 1 }),
  ),
  /** What users of helpers call when something of theirs changed. */
  helperUpdate: act(1.5, (side, { a }) => {
    const helper = side.of(a, (o) => /Helper/.test(o.constructor.name));
    (helper as { update?(): void } | undefined)?.update?.();
    helper?.traverse((below) => side.edited(below));
  }),
});

function liveInstances(mesh: THREE.BatchedMesh): number[] {
  const { _instanceInfo } = mesh as unknown as { _instanceInfo: { active: boolean }[] };
  return _instanceInfo.flatMap(({ active }, i) => (active ? [i] : []));
}
