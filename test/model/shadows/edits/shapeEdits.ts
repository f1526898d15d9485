import * as THREE from 'three';
import { pick, upTo } from '../../scene/numbers.js';
import { setMorphs, somewhere } from '../makeKinds.js';
import type { Edits } from '../runShadows.js';
import { between } from '../ShadowWorld.js';

/** What is done to geometries, instances, bones and morph targets. */
export const SHAPE_EDITS: Edits = {
  vertices(world, next) {
    const geometry = pick(next, world.geometries);
    const { position } = geometry.attributes;
    const i = upTo(next, position.count);
    const [x, y] = [between(next, -0.3, 0.3), between(next, -0.3, 0.3)];
    position.setXYZ(i, position.getX(i) + x, position.getY(i) + y, position.getZ(i));
    position.needsUpdate = true;
  },
  index(world, next) {
    const { index } = pick(next, world.geometries);
    if (!index) return;
    const i = upTo(next, index.count);
    index.setX(i, index.getX(upTo(next, index.count)));
    index.needsUpdate = true;
  },
  otherPositions(world, next) {
    const geometry = pick(next, world.geometries);
    const position = geometry.attributes.position.clone();
    position.setY(0, position.getY(0) + between(next, -0.4, 0.4));
    geometry.setAttribute('position', position);
  },
  interleaved(world, next) {
    const position = world.kinds.woven.geometry.attributes.position as THREE.InterleavedBufferAttribute;
    const { data } = position;
    if (!data) return;
    data.array[upTo(next, data.array.length)] += between(next, -0.4, 0.4);
    data.needsUpdate = true;
  },
  geometry(world, next) {
    const mesh = world.any(next);
    if (world.geometries.includes(mesh.geometry)) mesh.geometry = pick(next, world.geometries);
  },
  range: (world, next) => pick(next, world.geometries).setDrawRange(0, pick(next, [12, 30, Number.POSITIVE_INFINITY])),
  rangeStart: (world, next) => pick(next, world.geometries).setDrawRange(6 * upTo(next, 3), 30),
  groups(world, next) {
    const { groups } = world.kinds.sided.geometry;
    if (groups.length > 0) pick(next, groups).materialIndex = upTo(next, 6);
  },
  groupRange(world, next) {
    const { groups } = world.kinds.sided.geometry;
    if (groups.length > 0) pick(next, groups).count = 3 * upTo(next, 3);
  },
  lastGroup(world) {
    const { groups } = world.kinds.sided.geometry;
    if (groups.length > 4) groups.pop();
  },
  instance(world, next) {
    const { instanced } = world.kinds;
    instanced.setMatrixAt(upTo(next, 12), somewhere(next));
    instanced.instanceMatrix.needsUpdate = true;
  },
  count(world, next) {
    world.kinds.instanced.count = 1 + upTo(next, 12);
  },
  otherMatrices(world, next) {
    const { instanced } = world.kinds;
    instanced.instanceMatrix = instanced.instanceMatrix.clone() as THREE.InstancedBufferAttribute;
    instanced.setMatrixAt(upTo(next, 12), somewhere(next));
  },
  crowdMoves(world, next) {
    const { crowd } = world.kinds;
    for (let n = 0; n < 20; n++) crowd.setMatrixAt(upTo(next, crowd.count), somewhere(next));
    crowd.instanceMatrix.needsUpdate = true;
    crowd.computeBoundingSphere();
  },
  crowdCasts(world, next) {
    const mesh = pick(next, [world.kinds.crowd, world.kinds.instanced, world.kinds.morphedInstances]);
    mesh.castShadow = !mesh.castShadow;
  },
  crowdCount(world, next) {
    world.kinds.crowd.count = 200 + upTo(next, 200);
  },
  bones(world, next) {
    pick(next, world.kinds.skinned.skeleton.bones).rotation.set(between(next, -0.5, 0.5), 0, between(next, -0.5, 0.5));
  },
  farBone(world, next) {
    pick(next, world.kinds.skinned.skeleton.bones).position.x = between(next, -3, 3);
  },
  bind(world, next) {
    const { skinned } = world.kinds;
    skinned.bindMode = next() < 0.5 ? THREE.AttachedBindMode : THREE.DetachedBindMode;
    skinned.bindMatrix.makeTranslation(0, between(next, -0.5, 0.5), 0);
    skinned.bindMatrixInverse.copy(skinned.bindMatrix).invert();
  },
  boneInverses(world, next) {
    pick(next, world.kinds.skinned.skeleton.boneInverses).makeTranslation(between(next, -0.5, 0.5), 1, 0);
  },
  swapBones: (world) => void world.kinds.skinned.skeleton.bones.reverse(),
  otherSkeleton(world) {
    const { skinned } = world.kinds;
    skinned.skeleton = new THREE.Skeleton([...skinned.skeleton.bones], [...skinned.skeleton.boneInverses]);
  },
  morph(world, next) {
    const { morphTargetInfluences } = world.kinds.morphed;
    if (morphTargetInfluences) morphTargetInfluences[0] = next();
  },
  morphRelative(world) {
    const { geometry } = world.kinds.morphed;
    geometry.morphTargetsRelative = !geometry.morphTargetsRelative;
  },
  morphInstances: (world, next) => setMorphs(world.kinds.morphedInstances, next()),
  otherMorphs(world, next) {
    const { morphedInstances } = world.kinds;
    const version = morphedInstances.morphTexture?.version ?? 0;
    morphedInstances.morphTexture?.dispose();
    morphedInstances.morphTexture = null;
    setMorphs(morphedInstances, next());
    (morphedInstances.morphTexture as THREE.Texture | null)!.version = version;
  },
  /** Has three cull by other spheres, as pages do that move vertices in shaders. */
  sphere(world, next) {
    const { boundingSphere } = pick(next, [...world.geometries, world.kinds.morphed.geometry]);
    if (boundingSphere) boundingSphere.radius *= between(next, 0.9, 3);
  },
  sphereGoes(world, next) {
    const geometry = pick(next, world.geometries);
    const isAway = geometry.boundingSphere !== null && geometry.boundingSphere.center.x > 50;
    if (isAway) geometry.computeBoundingSphere();
    else if (geometry.boundingSphere) geometry.boundingSphere.center.x += 100;
  },
  sphereAnew: (world, next) => pick(next, world.geometries).computeBoundingSphere(),
  sphereOfInstances(world, next) {
    const { instanced } = world.kinds;
    if (next() < 0.5) instanced.computeBoundingSphere();
    else instanced.boundingSphere = null;
  },
  disposeGeometry: (world, next) => pick(next, world.geometries).dispose(),
  batchOfPage(world, next) {
    const { batch } = world.kinds;
    const [at, matrix, isShown] = [upTo(next, 6), somewhere(next), next() < 0.7];
    batch?.setMatrixAt(at, matrix);
    batch?.setVisibleAt(at, isShown);
  },
};
