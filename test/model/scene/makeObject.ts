import * as THREE from 'three';
import { random } from '../../helpers/random.js';
import { morphedMesh, skinnedTower, strewn } from '../../helpers/scene.js';
import { type Next, place, upTo } from './numbers.js';
import type { Side } from './Side.js';

type Make = (side: Side, next: Next) => THREE.Object3D;

const shared: Make = (side, next) => new THREE.Mesh(side.shape(upTo(next, 1000)), side.material(upTo(next, 4)));

function instanced(side: Side, next: Next): THREE.Object3D {
  const mesh = new THREE.InstancedMesh(side.geometries[upTo(next, 4)], side.material(upTo(next, 4)), 4);
  for (let i = 0; i < 4; i++)
    mesh.setMatrixAt(i, new THREE.Matrix4().setPosition(new THREE.Vector3(...place(next, 5))));
  return mesh;
}

function batched(side: Side, next: Next): THREE.Object3D {
  const mesh = new THREE.BatchedMesh(6, 200, 500, side.material(upTo(next, 4)));
  const geometries = [new THREE.BoxGeometry(), new THREE.BoxGeometry(2, 0.5, 1)].map((geometry) =>
    mesh.addGeometry(geometry),
  );
  for (let i = 0; i < 3; i++) {
    const instance = mesh.addInstance(geometries[i % 2]);
    mesh.setMatrixAt(instance, new THREE.Matrix4().setPosition(new THREE.Vector3(...place(next, 5))));
  }
  return mesh;
}

function levels(side: Side, next: Next): THREE.Object3D {
  const lod = new THREE.LOD();
  for (let i = 0; i < 1 + upTo(next, 3); i++) {
    const level = next() < 0.2 ? new THREE.Group().add(shared(side, next)) : shared(side, next);
    lod.addLevel(level, 8 * i, i === 2 ? 0.4 : 0);
  }
  return lod;
}

/** A light that casts; its target comes with it, mostly, as part of the scene. */
function directed(light: THREE.DirectionalLight | THREE.SpotLight, next: Next): THREE.Object3D {
  light.castShadow = next() < 0.8;
  if (light instanceof THREE.DirectionalLight) {
    Object.assign(light.shadow.camera, { left: -8, right: 8, top: 8, bottom: -8, near: 0.5, far: 25 });
  } else Object.assign(light.shadow.camera, { far: 25 });
  light.shadow.camera.updateProjectionMatrix();
  light.target.position.set(0, -5, 0);
  if (next() < 0.7) light.add(light.target);
  return light;
}

/** A helper of an object there is, or something plain where there is none. */
const helperOf =
  <T extends THREE.Object3D>(flag: keyof T, make: (object: T) => THREE.Object3D): Make =>
  (side, next) => {
    const object = side.of(upTo(next, 1000), (other) => (other as unknown as T)[flag] === true) as T | undefined;
    return object === undefined ? new THREE.Group() : make(object);
  };

/** All kinds of objects; the first few are the common ones. */
const MAKERS: { [kind: string]: Make } = {
  shared,
  group: () => new THREE.Group(),
  own: (side, next) =>
    new THREE.Mesh(new THREE.BoxGeometry(1 + upTo(next, 3), 1, 1 + upTo(next, 2)), side.material(upTo(next, 4))),
  caster: (side, next) => {
    const mesh = shared(side, next);
    mesh.castShadow = true;
    return mesh;
  },
  points: (_side, next) => new THREE.Points(strewn(next, 6), new THREE.PointsMaterial()),
  sprite: () => new THREE.Sprite(new THREE.SpriteMaterial()),
  line: (_side, next) => new THREE.Line(strewn(next, 4), new THREE.LineBasicMaterial()),
  segments: (_side, next) => new THREE.LineSegments(strewn(next, 4), new THREE.LineBasicMaterial()),
  many: (side, next) =>
    new THREE.Mesh(
      new THREE.BoxGeometry(),
      [0, 1, 2, 3, 0, 1].map((i) => side.material(i + upTo(next, 4))),
    ),
  instanced,
  batched,
  skinned: () => skinnedTower(),
  morphed: () => morphedMesh(),
  lod: levels,
  directional: (_side, next) => directed(new THREE.DirectionalLight(), next),
  spot: (_side, next) => directed(new THREE.SpotLight(), next),
  point: () => new THREE.PointLight(),
  ambient: () => new THREE.AmbientLight(),
  camera: () => new THREE.PerspectiveCamera(30, 1, 1, 5),
  flatCamera: () => new THREE.OrthographicCamera(-1, 1, 1, -1, 1, 5),
  cameraHelper: helperOf<THREE.Camera>('isCamera', (o) => new THREE.CameraHelper(o)),
  pointHelper: helperOf<THREE.PointLight>('isPointLight', (o) => new THREE.PointLightHelper(o, 1)),
  spotHelper: helperOf<THREE.SpotLight>('isSpotLight', (o) => new THREE.SpotLightHelper(o)),
  directionalHelper: helperOf<THREE.DirectionalLight>('isDirectionalLight', (o) => new THREE.DirectionalLightHelper(o)),
  skeletonHelper: helperOf<THREE.SkinnedMesh>('isSkinnedMesh', (o) => new THREE.SkeletonHelper(o)),
  boxHelper: helperOf<THREE.Mesh>('isMesh', (o) => new THREE.BoxHelper(o)),
  boundsHelper: (_side, next) =>
    new THREE.Box3Helper(
      new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(...place(next, 3)).addScalar(4)),
    ),
  planeHelper: (_side, next) => new THREE.PlaneHelper(new THREE.Plane(new THREE.Vector3(0, 1, 0), upTo(next, 4)), 2),
  axesHelper: () => new THREE.AxesHelper(),
  wall: (side, next) => {
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(), side.material(upTo(next, 4)));
    mesh.scale.set(6 + upTo(next, 12), 6 + upTo(next, 8), 0.25);
    if (next() < 0.5) mesh.rotation.y = upTo(next, 4);
    return mesh;
  },
  /** As WebGPU has them: all that lies in one is drawn by rules of its own. */
  clipping: () => Object.assign(new THREE.Group(), { isClippingGroup: true }),
  innerScene: () => new THREE.Scene(),
};

export const KINDS = Object.keys(MAKERS);

/** A new object; the same for the same numbers on both sides. */
export function makeObject(side: Side, kind: number, seed: number): THREE.Object3D {
  return MAKERS[KINDS[kind % KINDS.length]](side, random(seed));
}
