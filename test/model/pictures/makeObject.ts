import {
  BatchedMesh,
  BoxGeometry,
  type BufferGeometry,
  ConeGeometry,
  DirectionalLight,
  Euler,
  Group,
  IcosahedronGeometry,
  InstancedMesh,
  type Light,
  Line,
  LineBasicMaterial,
  LineLoop,
  LineSegments,
  LOD,
  Matrix4,
  Mesh,
  type Object3D,
  PointLight,
  Points,
  PointsMaterial,
  Quaternion,
  SpotLight,
  Sprite,
  SpriteMaterial,
  Vector3,
} from 'three';
import { morphedMesh, skinnedTower } from '../../helpers/scene.js';
import type { Next } from '../scene/numbers.js';
import { anyPlace, pick } from './chance.js';
import type { Side } from './Side.js';

export type Kind =
  | 'mesh'
  | 'alike'
  | 'groups'
  | 'group'
  | 'instanced'
  | 'batched'
  | 'points'
  | 'line'
  | 'sprite'
  | 'lod'
  | 'skinned'
  | 'morphed'
  | 'light';

/** What batches may draw. */
export const FIRST_KINDS: readonly Kind[] = ['mesh', 'mesh', 'alike', 'groups'];

const mesh = (side: Side, next: Next): Mesh => new Mesh(pick(next, side.geometries), pick(next, side.materials));

const MAKERS: { [kind in Kind]: (side: Side, next: Next) => Object3D } = {
  mesh,
  alike: (side) => new Mesh(side.geometries[0], side.materials[0]),
  groups: (side, next) =>
    new Mesh(pick(next, side.geometries), [0, 1, 2].map(() => pick(next, side.materials)) as never) as Mesh,
  group: () => new Group(),
  instanced: (side, next) => {
    const count = next() < 0.5 ? 40 : 500;
    const object = new InstancedMesh(pick(next, side.geometries), pick(next, side.materials), count);
    for (let i = 0; i < count; i++) {
      const turn = new Quaternion().setFromEuler(new Euler(next() * 6, next() * 6, 0));
      const size = new Vector3().setScalar(0.3 + 0.3 * next());
      object.setMatrixAt(i, new Matrix4().compose(anyPlace(next, 40), turn, size));
    }
    return object;
  },
  batched: (side, next) => {
    const count = next() < 0.5 ? 30 : 300;
    const shapes: BufferGeometry[] = [new BoxGeometry(), new IcosahedronGeometry(0.6), new ConeGeometry(0.5, 1, 6)];
    const object = new BatchedMesh(count + 50, 3000, 0, pick(next, side.materials));
    const ids = shapes.map((shape) => object.addGeometry(shape.index === null ? shape : shape.toNonIndexed()));
    for (let i = 0; i < count; i++) {
      object.setMatrixAt(object.addInstance(pick(next, ids)), new Matrix4().setPosition(anyPlace(next, 40)));
    }
    object.sortObjects = next() < 0.7;
    return object;
  },
  points: (side, next) => {
    const points = new Points(pick(next, side.geometries), new PointsMaterial({ size: 0.1 + next() * 0.3 }));
    // The shaders of three's shadows set no size of points, which is then anything.
    return Object.defineProperty(points, 'castShadow', { get: () => false, set: () => {} });
  },
  line: (side, next) => {
    const Kind = pick(next, [Line, LineSegments, LineLoop]);
    return new Kind(pick(next, side.geometries), new LineBasicMaterial({ color: '#0ff' }));
  },
  sprite: (_, next) => new Sprite(new SpriteMaterial({ color: '#f0f', sizeAttenuation: next() < 0.7 })),
  lod: (side, next) => {
    const lod = new LOD();
    lod.addLevel(mesh(side, next), 0).addLevel(mesh(side, next), 10 + next() * 10, next() * 0.2);
    return next() < 0.3 ? lod.addLevel(new Group(), 30) : lod;
  },
  skinned: (side, next) => Object.assign(skinnedTower(), { material: pick(next, side.materials) }),
  morphed: (side, next) => Object.assign(morphedMesh(), { material: pick(next, side.materials) }),
  light: (side, next) => {
    const make = [() => new PointLight('white', 60), () => new DirectionalLight(), () => new SpotLight('white', 80)];
    const light: Light = pick(next, make)();
    if (side.shadows < 3 && next() < 0.5) castShadows(light, side);
    return light;
  },
};

export const KINDS: readonly Kind[] = Object.keys(MAKERS) as Kind[];

export function castShadows(light: Light, side: Side): void {
  side.shadows++;
  light.castShadow = true;
  (light as DirectionalLight).shadow.mapSize.set(128, 128);
}

export function makeObject(side: Side, kind: Kind, next: Next): Object3D {
  return placeAnywhere(MAKERS[kind](side, next), next);
}

export function placeAnywhere<T extends Object3D>(object: T, next: Next): T {
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
export function isPlainMesh(object: Object3D): object is Mesh {
  const { isMesh, isInstancedMesh, isBatchedMesh, isSkinnedMesh, morphTargetInfluences } = object as Mesh &
    Record<string, unknown>;
  return isMesh === true && !isInstancedMesh && !isBatchedMesh && !isSkinnedMesh && !morphTargetInfluences;
}
