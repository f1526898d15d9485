import { type BatchedMesh, type InstancedMesh, type LOD, Matrix4, Mesh, type SkinnedMesh, type Sprite } from 'three';
import { nearby, one } from '../numbers.js';
import { actsOf } from './Act.js';

function placed([x = 0, y = 0, z = 0]: number[], kind: number): Matrix4 {
  return kind % 3 ? new Matrix4().makeTranslation(x, y, z) : new Matrix4().makeRotationY(x).setPosition(x, y, z);
}

/** What is done to objects of some kind alone. */
export const kindActs = actsOf({
  instance: {
    weight: 1.5,
    values: nearby,
    apply: (side, { a, b, v }) => {
      const mesh = side.of(a, (o) => o.isInstancedMesh) as unknown as InstancedMesh | undefined;
      if (!mesh) return;
      mesh.setMatrixAt(b % 4, placed(v, b));
      mesh.instanceMatrix.needsUpdate = true;
      side.edited(mesh);
    },
  },
  instanceCount: {
    weight: 0.7,
    values: one(5),
    apply: (side, { a, v: [count = 2] }) => {
      const mesh = side.of(a, (o) => o.isInstancedMesh) as unknown as InstancedMesh | undefined;
      if (!mesh) return;
      mesh.count = count;
      side.edited(mesh);
    },
  },
  instanceBounds: {
    weight: 0.7,
    values: one(2),
    apply: (side, { a, v: [isNone = 0] }) => {
      const mesh = side.of(a, (o) => o.boundingSphere !== undefined) as unknown as InstancedMesh | undefined;
      if (isNone && mesh) mesh.boundingSphere = null;
      else mesh?.computeBoundingSphere();
    },
  },
  batchInstance: {
    weight: 1,
    values: nearby,
    apply: (side, { a, b, v }) => {
      const mesh = side.of(a, (o) => o.isBatchedMesh) as unknown as BatchedMesh | undefined;
      if (!mesh) return;
      const live = liveInstances(mesh);
      if (live.length > 0) mesh.setMatrixAt(live[b % live.length], placed(v, b));
      side.edited(mesh);
    },
  },
  batchCount: {
    weight: 0.7,
    values: one(3),
    apply: (side, { a, b, v: [what = 0] }) => {
      const mesh = side.of(a, (o) => o.isBatchedMesh) as unknown as BatchedMesh | undefined;
      if (!mesh) return;
      const live = liveInstances(mesh);
      if (what === 0 && live.length < 6) mesh.addInstance(b % 2);
      else if (what === 1 && live.length > 0) mesh.deleteInstance(live[b % live.length]);
      else if (live.length > 0) mesh.setVisibleAt(live[b % live.length], b % 2 === 0);
      side.edited(mesh);
    },
  },
  /** three leaves no trace of it, so it takes a word. */
  batchGeometry: {
    weight: 0.4,
    apply: (side, { a, b }) => {
      const mesh = side.of(a, (o) => o.isBatchedMesh) as unknown as BatchedMesh | undefined;
      if (!mesh) return;
      const live = liveInstances(mesh);
      if (live.length > 0) mesh.setGeometryIdAt(live[b % live.length], (b >> 3) % 2);
      for (const index of side.indices) index?.touch(mesh);
    },
  },
  bone: {
    weight: 2,
    values: nearby,
    apply: (side, { a, b, v: [x = 0, y = 0, z = 0] }) => {
      const bone = side.of(a, (o) => o.isBone);
      if (!bone) return;
      if (b % 2) bone.rotation.set(x / 2, y / 2, z / 2);
      else bone.position.set(x, y, z);
      side.edited(bone);
    },
  },
  bind: {
    weight: 0.3,
    apply: (side, { a }) => {
      const mesh = side.of(a, (o) => o.isSkinnedMesh) as unknown as SkinnedMesh | undefined;
      if (!mesh || Math.abs(mesh.matrixWorld.determinant()) < 1e-6) return;
      if (mesh.skeleton.bones.some((bone) => Math.abs(bone.matrixWorld.determinant()) < 1e-6)) return;
      mesh.skeleton.calculateInverses();
      mesh.bind(mesh.skeleton);
      side.edited(mesh);
    },
  },
  level: {
    weight: 0.7,
    values: one(4),
    apply: (side, { a, b, v: [far = 1] }) => {
      const lod = side.of(a, (o) => o.isLOD) as unknown as LOD | undefined;
      if (!lod) return;
      const level = new Mesh(side.shape(b), side.material(b));
      lod.addLevel(level, 6 * far);
      side.take(level);
      side.edited(lod);
    },
  },
  removeLevel: {
    weight: 0.3,
    values: one(4),
    apply: (side, { a, v: [far = 1] }) => {
      const lod = side.of(a, (o) => o.isLOD) as unknown as LOD | undefined;
      // Without a level three's own `raycast` may have none to ask.
      if (lod && lod.levels.length > 1) lod.removeLevel(6 * far);
    },
  },
  levelUpdates: {
    weight: 0.3,
    values: one(2),
    apply: (side, { a, v: [on = 0] }) => {
      const lod = side.of(a, (o) => o.isLOD) as unknown as LOD | undefined;
      if (lod) lod.autoUpdate = on === 1;
    },
  },
  /** Nothing tells of it but a word. */
  spriteCentre: {
    weight: 0.4,
    values: one(3),
    apply: (side, { a, v: [x = 0] }) => {
      const sprite = side.of(a, (o) => o.isSprite) as unknown as Sprite | undefined;
      if (!sprite) return;
      sprite.center.set(x / 2, 0.5);
      for (const index of side.indices) index?.touch(sprite);
    },
  },
  /** What users of helpers call when something of theirs changed. */
  helperUpdate: {
    weight: 1.5,
    apply: (side, { a }) => {
      const helper = side.of(a, (o) => /Helper/.test(o.constructor.name));
      (helper as { update?(): void } | undefined)?.update?.();
      helper?.traverse((below) => side.edited(below));
    },
  },
});

function liveInstances(mesh: BatchedMesh): number[] {
  const { _instanceInfo } = mesh as unknown as { _instanceInfo: { active: boolean }[] };
  return _instanceInfo.flatMap(({ active }, i) => (active ? [i] : []));
}
