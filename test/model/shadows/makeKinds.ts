import * as THREE from 'three';
import { type Next, pick } from '../scene/numbers.js';
import { between, type ShadowWorld } from './ShadowWorld.js';

/** Instances from which on the library culls them one by one. */
const CROWD = 400;
const v = (x: number, y: number, z: number): THREE.Vector3 => new THREE.Vector3(x, y, z);

export const somewhere = (next: Next): THREE.Matrix4 =>
  new THREE.Matrix4().setPosition(between(next, -2, 2), between(next, -1, 1), between(next, -2, 2));

/** Casters of every kind but plain meshes, put into a world. */
export function makeKinds(world: ShadowWorld, next: Next, seed: number) {
  const { materials, geometries } = world;
  const cast = <T extends THREE.Object3D>(object: T): T => {
    world.put(object, next).castShadow = true;
    return object;
  };
  if (seed % 3 === 1) addCalled(world, next);
  const parent = world.put(new THREE.Mesh(geometries[0], materials[0]), next);
  const child = cast(new THREE.Mesh(geometries[1], materials[1]));
  parent.add(child.translateY(0.8));
  const paints = [0, 4, 1, 5, 2, 3].map((i): THREE.Material => materials[i]);
  const sided = world.put(new THREE.Mesh(new THREE.BoxGeometry(), paints), next);
  const instanced = world.put(new THREE.InstancedMesh(new THREE.BoxGeometry(0.4, 0.4, 0.4), materials[1], 12), next);
  for (let i = 0; i < 12; i++) instanced.setMatrixAt(i, somewhere(next));
  const crowd = cast(new THREE.InstancedMesh(new THREE.BoxGeometry(0.1, 0.1, 0.1), materials[1], CROWD));
  for (let i = 0; i < CROWD; i++) crowd.setMatrixAt(i, somewhere(next));
  const line = [v(-1, 0, 0), v(1, 1, 0), v(1, 0, 1)];
  world.put(new THREE.Line(new THREE.BufferGeometry().setFromPoints(line), new THREE.LineBasicMaterial()), next);
  const custom = cast(new THREE.Mesh(geometries[1], materials[0]));
  custom.customDepthMaterial = new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking });
  custom.customDistanceMaterial = new THREE.MeshDistanceMaterial();
  const levels = new THREE.LOD();
  for (const [i, distance] of [0, 14, 18].entries()) {
    const level = new THREE.Mesh(geometries[(i + 1) % 3], materials[i]);
    level.castShadow = true;
    levels.addLevel(level, distance);
  }
  world.scene.add(levels.translateX(-2).translateY(1.5).translateZ(2));
  return {
    sided,
    instanced,
    crowd,
    custom,
    levels,
    skinned: cast(makeSkinned(world)),
    morphed: cast(makeMorphed(world)),
    morphedInstances: cast(makeMorphedInstances(world, next)),
    woven: cast(makeWoven(world)),
    /** What nobody sees: a uniform of a depth material, where the seed has one. */
    hidden: seed % 3 === 0 ? null : addHidden(world, next),
    parent,
    batch: seed % 4 === 1 ? addBatch(world, next) : null,
  };
}

function makeSkinned({ materials }: ShadowWorld): THREE.SkinnedMesh {
  const tube = new THREE.CylinderGeometry(0.2, 0.2, 2, 6, 4);
  const { position } = tube.attributes;
  const indices: number[] = [];
  const weights: number[] = [];
  for (let i = 0; i < position.count; i++) {
    const y = position.getY(i) + 1;
    indices.push(Math.min(1, Math.floor(y)), 1, 0, 0);
    weights.push(1 - Math.min(1, y / 2), Math.min(1, y / 2), 0, 0);
  }
  tube.setAttribute('skinIndex', new THREE.Uint16BufferAttribute(indices, 4));
  tube.setAttribute('skinWeight', new THREE.Float32BufferAttribute(weights, 4));
  const bones = [new THREE.Bone(), new THREE.Bone()];
  bones[0].position.y = -1;
  bones[1].position.y = 1;
  const mesh = new THREE.SkinnedMesh(tube, materials[0]);
  mesh.add(bones[0].add(bones[1]));
  mesh.bind(new THREE.Skeleton(bones));
  return mesh;
}

function makeMorphed({ materials }: ShadowWorld): THREE.Mesh {
  const cube = new THREE.BoxGeometry(0.8, 0.8, 0.8);
  const twice = Array.from(cube.attributes.position.array, (x) => 2 * x);
  cube.morphAttributes.position = [new THREE.Float32BufferAttribute(twice, 3)];
  return new THREE.Mesh(cube, materials[0]);
}

function makeMorphedInstances(world: ShadowWorld, next: Next): THREE.InstancedMesh {
  const { geometry } = makeMorphed(world);
  const mesh = new THREE.InstancedMesh(geometry, world.materials[0], 3);
  for (let i = 0; i < 3; i++) mesh.setMatrixAt(i, somewhere(next));
  setMorphs(mesh, 0.5);
  return mesh;
}

/** Morphs all instances by so much. */
export function setMorphs(mesh: THREE.InstancedMesh, much: number): void {
  const one = new THREE.Mesh(mesh.geometry);
  (one.morphTargetInfluences as number[])[0] = much;
  for (let i = 0; i < mesh.count; i++) mesh.setMorphAt(i, one);
  (mesh.morphTexture as THREE.Texture).needsUpdate = true;
}

function makeWoven({ materials }: ShadowWorld): THREE.Mesh {
  const numbers = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0];
  const buffer = new THREE.InterleavedBuffer(new Float32Array(numbers), 3);
  const position = new THREE.InterleavedBufferAttribute(buffer, 3, 0);
  return new THREE.Mesh(new THREE.BufferGeometry().setAttribute('position', position), materials[2]);
}

function addHidden({ materials, geometries, scene }: ShadowWorld, next: Next): { value: number } {
  const hidden = { value: 0 };
  const material = new THREE.MeshDepthMaterial();
  material.onBeforeCompile = (shader) => {
    shader.uniforms.uHidden = hidden;
    const moved = '#include <begin_vertex>\ntransformed.y += uHidden;';
    shader.vertexShader = `uniform float uHidden;\n${shader.vertexShader.replace('#include <begin_vertex>', moved)}`;
  };
  const mesh = new THREE.Mesh(geometries[2], materials[0]);
  mesh.customDepthMaterial = material;
  mesh.name = 'wavy';
  mesh.castShadow = true;
  mesh.position.set(between(next, -3, 3), 1, between(next, -3, 3));
  scene.add(mesh);
  return hidden;
}

/** A caster with a callback, which may do anything. */
function addCalled({ scene, geometries, materials }: ShadowWorld, next: Next): void {
  const mesh = new THREE.Mesh(pick(next, geometries), materials[0]);
  mesh.name = 'called';
  mesh.castShadow = true;
  mesh.position.set(between(next, -3, 3), 1, between(next, -3, 3));
  mesh.onBeforeShadow = () => {};
  scene.add(mesh);
}

/** A batch of the page's own, whose contents nobody tells of. */
function addBatch({ scene, geometries, materials }: ShadowWorld, next: Next): THREE.BatchedMesh {
  const batch = new THREE.BatchedMesh(8, 2000, 4000, materials[0]);
  const shapes = geometries.slice(0, 3).map((geometry) => batch.addGeometry(geometry));
  for (let i = 0; i < 6; i++) {
    const at = batch.addInstance(pick(next, shapes));
    batch.setMatrixAt(at, somewhere(next));
  }
  batch.castShadow = true;
  batch.position.y = 1.5;
  scene.add(batch);
  return batch;
}
