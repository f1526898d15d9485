import * as THREE from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { morphedMesh, skinnedTower } from '../../helpers/scene.js';
import { anyPlace, type Next, pick } from '../scene/numbers.js';
import type { PictureSide } from './PictureSide.js';

export type Kind =
  | 'mesh'
  | 'alike'
  | 'groups'
  | 'group'
  | 'instanced'
  | 'batched'
  | 'points'
  | 'line'
  | 'wide'
  | 'sprite'
  | 'lod'
  | 'skinned'
  | 'morphed'
  | 'light';

/** What batches may draw. */
export const FIRST_KINDS: readonly Kind[] = ['mesh', 'mesh', 'alike', 'groups'];

const mesh = (side: PictureSide, next: Next): THREE.Mesh =>
  new THREE.Mesh(pick(next, side.geometries), pick(next, side.materials));

const MAKERS: { [kind in Kind]: (side: PictureSide, next: Next) => THREE.Object3D } = {
  mesh,
  alike: (side) => new THREE.Mesh(side.geometries[0], side.materials[0]),
  groups: (side, next) =>
    new THREE.Mesh(pick(next, side.geometries), [0, 1, 2].map(() => pick(next, side.materials)) as never) as THREE.Mesh,
  group: () => new THREE.Group(),
  instanced: (side, next) => {
    const count = next() < 0.5 ? 40 : 500;
    const object = new THREE.InstancedMesh(pick(next, side.geometries), pick(next, side.materials), count);
    for (let i = 0; i < count; i++) {
      const turn = new THREE.Quaternion().setFromEuler(new THREE.Euler(next() * 6, next() * 6, 0));
      const size = new THREE.Vector3().setScalar(0.3 + 0.3 * next());
      object.setMatrixAt(i, new THREE.Matrix4().compose(anyPlace(next, 40), turn, size));
    }
    return object;
  },
  batched: (side, next) => {
    const count = next() < 0.5 ? 30 : 300;
    const shapes: THREE.BufferGeometry[] = [
      new THREE.BoxGeometry(),
      new THREE.IcosahedronGeometry(0.6),
      new THREE.ConeGeometry(0.5, 1, 6),
    ];
    const object = new THREE.BatchedMesh(count + 50, 3000, 0, pick(next, side.materials));
    const ids = shapes.map((shape) => object.addGeometry(shape.index === null ? shape : shape.toNonIndexed()));
    for (let i = 0; i < count; i++) {
      object.setMatrixAt(object.addInstance(pick(next, ids)), new THREE.Matrix4().setPosition(anyPlace(next, 40)));
    }
    object.sortObjects = next() < 0.7;
    return object;
  },
  points: (side, next) =>
    new THREE.Points(
      pick(next, side.geometries),
      new THREE.PointsMaterial(next() < 0.5 ? { size: 0.1 + next() * 0.3 } : { size: 25, sizeAttenuation: false }),
    ),
  line: (side, next) => {
    const Kind = pick(next, [THREE.Line, THREE.LineSegments, THREE.LineLoop]);
    return new Kind(pick(next, side.geometries), new THREE.LineBasicMaterial({ color: '#0ff' }));
  },
  wide: (_, next) => {
    const ends = Array.from({ length: 2 }, () => anyPlace(next, 3).toArray()).flat();
    const geometry = new LineSegmentsGeometry().setPositions(ends);
    return new LineSegments2(geometry, new LineMaterial({ color: '#ff0', linewidth: 4 + next() * 20 }));
  },
  sprite: (_, next) => new THREE.Sprite(new THREE.SpriteMaterial({ color: '#f0f', sizeAttenuation: next() < 0.7 })),
  lod: (side, next) => {
    const lod = new THREE.LOD();
    lod.addLevel(mesh(side, next), 0).addLevel(mesh(side, next), 10 + next() * 10, next() * 0.2);
    return next() < 0.3 ? lod.addLevel(new THREE.Group(), 30) : lod;
  },
  skinned: (side, next) => Object.assign(skinnedTower(), { material: pick(next, side.materials) }),
  morphed: (side, next) => Object.assign(morphedMesh(), { material: pick(next, side.materials) }),
  light: (_, next) => {
    const make = [
      () => new THREE.PointLight('white', 60),
      () => new THREE.DirectionalLight(),
      () => new THREE.SpotLight('white', 80),
    ];
    const light: THREE.Light = pick(next, make)();
    light.castShadow = next() < 0.5;
    (light as THREE.DirectionalLight).shadow.mapSize.set(128, 128);
    return light;
  },
};

export const KINDS: readonly Kind[] = Object.keys(MAKERS) as Kind[];

export function makeObject(side: PictureSide, kind: Kind, next: Next): THREE.Object3D {
  return placeAnywhere(MAKERS[kind](side, next), next);
}

export function placeAnywhere<T extends THREE.Object3D>(object: T, next: Next): T {
  object.position.copy(anyPlace(next, 16));
  object.rotation.set(next() * 6, next() * 6, next() * 6);
  object.scale.setScalar(0.5 + next());
  if (next() < 0.2) object.scale.set(0.3 + next(), 0.3 + next(), 0.3 + next());
  const flags = [next() < 0.6, next() < 0.6];
  // Lights have been told whether they cast.
  if (!('isLight' in object)) [object.castShadow, object.receiveShadow] = flags;
  return object;
}

/** One of the kinds of meshes whose geometry and material may be anything. */
export function isPlainMesh(object: THREE.Object3D): object is THREE.Mesh {
  const { isMesh, isInstancedMesh, isBatchedMesh, isSkinnedMesh, morphTargetInfluences } = object as THREE.Mesh &
    Record<string, unknown>;
  return isMesh === true && !isInstancedMesh && !isBatchedMesh && !isSkinnedMesh && !morphTargetInfluences;
}
