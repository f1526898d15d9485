import * as THREE from 'three';
import { createIndex } from '../../../../src/index.js';
import { pick } from '../../scene/numbers.js';
import type { Edits } from '../runShadows.js';
import { between } from '../ShadowWorld.js';

/** What is done to objects and where they hang. */
export const TREE_EDITS: Edits = {
  move(world, next) {
    const step = new THREE.Vector3(between(next, -1, 1), between(next, -0.3, 0.3), between(next, -1, 1));
    world.any(next).position.add(step);
  },
  turn: (world, next) => void world.any(next).rotation.set(between(next, 0, 3), between(next, 0, 3), 0),
  mirror(world, next) {
    world.any(next).scale.x *= -1;
  },
  scale: (world, next) => void world.any(next).scale.setScalar(between(next, 0.5, 1.5)),
  add: (world, next) => void world.addMesh(next),
  remove: (world, next) => void world.any(next).removeFromParent(),
  bringBack(world, next) {
    for (const mesh of world.meshes) if (mesh.parent === null && next() < 0.7) world.scene.add(mesh);
  },
  hide(world, next) {
    const mesh = world.any(next);
    mesh.visible = !mesh.visible;
  },
  hideGroup(world, next) {
    const group = pick(next, world.groups);
    group.visible = !group.visible;
  },
  moveGroup(world, next) {
    pick(next, world.groups).position.x += between(next, -0.5, 0.5);
  },
  cast(world, next) {
    const mesh = world.any(next);
    mesh.castShadow = !mesh.castShadow;
  },
  receive(world, next) {
    const mesh = world.any(next);
    mesh.receiveShadow = !mesh.receiveShadow;
  },
  castAll(world, next) {
    const name = next() < 0.5 ? 'castShadow' : 'receiveShadow';
    const isOn = next() < 0.7;
    for (const mesh of world.meshes) if (next() < 0.3) mesh[name] = isOn;
  },
  reparent(world, next) {
    const mesh = world.any(next);
    if (mesh.parent) pick(next, [world.scene, ...world.groups]).attach(mesh);
  },
  /** Below a light, or a mesh that has children of its own. */
  reparentDeep(world, next) {
    const mesh = world.any(next);
    const above = pick(next, [...world.lights, world.kinds.parent, world.kinds.sided, world.kinds.instanced]);
    let at: THREE.Object3D | null = above;
    while (at && at !== mesh) at = at.parent;
    if (mesh.parent && at === null) above.attach(mesh);
  },
  layer: (world, next) => world.any(next).layers.set(pick(next, [0, 0, 1])),
  layerOfGroup: (world, next) => pick(next, world.groups).layers.set(pick(next, [0, 1])),
  frustumCulled(world, next) {
    const mesh = world.any(next);
    mesh.frustumCulled = !mesh.frustumCulled;
  },
  manual(world, next) {
    const mesh = world.any(next);
    mesh.matrixAutoUpdate = !mesh.matrixAutoUpdate;
    if (!mesh.matrixAutoUpdate) mesh.matrix.setPosition(between(next, -4, 4), 1, between(next, -4, 4));
    mesh.matrixWorldNeedsUpdate = true;
  },
  /** A world matrix that is written by hand. */
  manualWorld(world, next) {
    const mesh = world.any(next);
    mesh.matrixWorldAutoUpdate = !mesh.matrixWorldAutoUpdate;
    if (!mesh.matrixWorldAutoUpdate) mesh.matrixWorld.setPosition(between(next, -4, 4), 1, between(next, -4, 4));
  },
  /** The page does all matrices, or none. */
  manualScene(world, next) {
    const { scene } = world;
    scene.matrixWorldAutoUpdate = !scene.matrixWorldAutoUpdate;
    if (scene.matrixWorldAutoUpdate) return;
    world.any(next).position.x += between(next, -1, 1);
    scene.updateMatrixWorld();
  },
  /** Out of what the lights see, and back. */
  far(world, next) {
    const mesh = world.any(next);
    mesh.position.x += mesh.position.x > 20 ? -40 : 40;
  },
  farGroup(world, next) {
    const group = pick(next, world.groups);
    group.position.x += group.position.x > 20 ? -40 : 40;
  },
  /** To the border of what a light sees. */
  border(world, next) {
    world.any(next).position.set(between(next, -12, 12), between(next, 0, 3), between(next, -12, 12));
  },
  broken(world, next) {
    const mesh = world.any(next);
    mesh.position.y = Number.isNaN(mesh.position.y) ? 1 : Number.NaN;
  },
  flat(world, next) {
    const mesh = world.any(next);
    mesh.scale.y = mesh.scale.y === 0 ? 1 : 0;
  },
  crowd(world, next) {
    for (let n = 0; n < 12; n++) {
      const mesh = world.addMesh(next);
      mesh.scale.setScalar(0.5);
    }
  },
  leaveCrowd(world, next) {
    for (const mesh of world.meshes.slice(40)) if (next() < 0.8) mesh.removeFromParent();
  },
  moveMany(world, next) {
    world.scene.traverse((object) => {
      if (object.name.startsWith('rest') && next() < 0.6) object.position.y += 0.1;
    });
  },
  moveSome(world, next) {
    world.scene.traverse((object) => {
      if (object.name.startsWith('rest') && next() < 0.1) object.rotation.y += 0.3;
    });
  },
  hideScene(world) {
    world.scene.visible = !world.scene.visible;
  },
  levelsOff(world) {
    const { levels } = world.kinds;
    levels.autoUpdate = !levels.autoUpdate;
  },
  moveLevels(world, next) {
    world.kinds.levels.position.z = between(next, -6, 6);
  },
  castLevel(world, next) {
    const level = pick(next, world.kinds.levels.children);
    level.castShadow = !level.castShadow;
  },
  swapLevel(world, next) {
    const [level] = world.kinds.levels.levels;
    const other = new THREE.Mesh(pick(next, world.geometries), pick(next, world.materials));
    other.castShadow = true;
    world.kinds.levels.remove(level.object);
    world.kinds.levels.add(other);
    level.object = other;
  },
  /** Without bounds until it has a geometry. */
  empty(world, next) {
    const mesh = world.any(next);
    mesh.geometry = mesh.geometry.attributes.position ? new THREE.BufferGeometry() : pick(next, world.geometries);
  },
  /** The index is told to leave something out, or to take it again. */
  leaveOut(world, next) {
    const mesh = world.any(next);
    const isIn = next() < 0.5;
    if (mesh.parent === null || world.index === null) return;
    if (isIn) world.index.add(mesh);
    else world.index.remove(mesh);
  },
  static(world, next) {
    const mesh = world.any(next);
    const isStatic = next() < 0.6;
    if (mesh.parent === null || world.index === null) return;
    world.index.setStatic(mesh, isStatic);
    if (isStatic) world.statics.push(mesh);
  },
  touch: (world, next) => void world.index?.touch(world.any(next)),
  structure(world, next) {
    const name = pick(next, ['packed', 'looseOctree', 'bvh'] as const);
    world.index?.setStructure(createIndex(name));
  },
  batch(world, next) {
    const object = pick(next, [world.any(next), world.any(next), world.scene]);
    world.index?.batch(object, next() < 0.7);
  },
};
