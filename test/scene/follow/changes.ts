import * as THREE from 'three';
import { Octree, type SceneIndex } from '../../../src/index.js';
import { skinnedTower } from '../../helpers/scene.js';
import type { Any } from '../../model/scene/Side.js';

/** What lies around the object that changes. */
export interface Around {
  readonly other: THREE.Group;
  readonly lod: THREE.LOD;
  readonly mark: THREE.Mesh;
  /** Tells the index something, and what is asked in its place later. */
  tell(word: (index: SceneIndex) => unknown): void;
}

/** What is done to an object; false where there is nothing to do it to. */
export type Change = (object: Any, around: Around) => unknown;

const paint = (): THREE.Material => new THREE.MeshBasicMaterial({ side: THREE.DoubleSide });
const box = (x = 1, y = 1, z = 1): THREE.Mesh => new THREE.Mesh(new THREE.BoxGeometry(x, y, z), paint());
const sprite = (): THREE.Sprite => new THREE.Sprite(new THREE.SpriteMaterial());
const pointsAt = (...at: number[]): THREE.BufferGeometry =>
  new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(at, 3));
const shift = (x: number, y = 0): THREE.Matrix4 => new THREE.Matrix4().makeTranslation(x, y, 0);

function morphed(): THREE.Mesh {
  const mesh = box();
  mesh.geometry.morphAttributes.position = [1, 2].map((by) => {
    const target = mesh.geometry.attributes.position.clone() as THREE.BufferAttribute;
    for (let i = 0; i < target.count; i++) target.setY(i, target.getY(i) + by);
    return target;
  });
  mesh.updateMorphTargets();
  return mesh;
}

function instanced(): THREE.InstancedMesh {
  const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(), paint(), 8);
  for (let i = 0; i < 8; i++) mesh.setMatrixAt(i, shift(i));
  return mesh;
}

function batched(): THREE.BatchedMesh {
  const mesh = new THREE.BatchedMesh(8, 100, 200, paint());
  const ids = [new THREE.BoxGeometry(), new THREE.BoxGeometry(4, 1, 1)].map((geometry) => mesh.addGeometry(geometry));
  for (let i = 0; i < 4; i++) mesh.setMatrixAt(mesh.addInstance(ids[0]), shift(i));
  return mesh;
}

export const KINDS: { [kind: string]: () => THREE.Object3D } = {
  mesh: () => box(2, 2, 2),
  morphed,
  sprite,
  line: () => new THREE.Line(pointsAt(-1, 0, 0, 1, 1, 0), new THREE.LineBasicMaterial()),
  points: () => new THREE.Points(pointsAt(-1, 0, 0, 1, 1, 0), new THREE.PointsMaterial()),
  instanced,
  batched,
  skinned: () => Object.assign(skinnedTower(), { material: paint() }),
  group: () => new THREE.Group().add(box(2, 2, 2)),
  lod: () => new THREE.LOD().addLevel(box(), 0).addLevel(sprite(), 50),
  spriteLod: () => new THREE.LOD().addLevel(sprite(), 0).addLevel(box(), 900),
};

/** What is drawn of an object: itself, or the first part of a LOD or group. */
const partOf = (object: Any): Any => (object.isLOD || object.isGroup ? (object.children[0] as Any) : object);

type Of = 'geometry' | 'shape' | 'sprite' | 'material' | 'mesh' | 'targets';
const HAS: { [what in Of]: (part: Any) => unknown } = {
  geometry: (part) => part.geometry?.attributes.position && !part.isSprite && !part.isBatchedMesh,
  shape: (part) => part.geometry && !part.isSprite && !part.isBatchedMesh && !part.isSkinnedMesh,
  sprite: (part) => part.isSprite,
  material: (part) => (part.material as THREE.Material | undefined)?.isMaterial,
  mesh: (part) => part.isMesh && !part.isBatchedMesh && !part.isInstancedMesh,
  targets: (part) => part.geometry?.morphAttributes.position,
};

/** A change of the part that is drawn, if it is of some kind. */
const part =
  (what: Of, change: (part: Any, around: Around) => unknown): Change =>
  (object, around) => {
    const drawn = partOf(object);
    return drawn !== undefined && HAS[what](drawn) ? change(drawn, around) : false;
  };
/** A change of an object that is of this kind itself. */
const only =
  <T>(flag: keyof Any, change: (object: T, around: Around) => unknown): Change =>
  (object, around) =>
    object[flag] ? change(object as unknown as T, around) : false;
/** A change of an object that lies in something. */
const below =
  (change: (object: Any, parent: Any, around: Around) => unknown): Change =>
  (object, around) =>
    object.parent?.children.includes(object) ? change(object, object.parent as Any, around) : false;
/** A change of an object that takes children. */
const above =
  (change: (object: Any) => unknown): Change =>
  (object) =>
    object.isLOD ? false : change(object);
const edit = (attribute: THREE.BufferAttribute | null | undefined, at: number, x: number): unknown =>
  attribute ? Object.assign(attribute.setX(at, x), { needsUpdate: true }) : false;
const spriteMaterial = ({ material }: Any) => material as THREE.SpriteMaterial;
const targets = ({ geometry }: Any) => geometry?.morphAttributes.position as THREE.BufferAttribute[];
const hitAnywhere: THREE.Mesh['raycast'] = function (this: THREE.Mesh, _, hits) {
  hits.push({ distance: 1, point: new THREE.Vector3(), object: this });
};
function putByHand(object: Any, parent: Any): void {
  parent.children.push(object);
  object.parent = parent;
}
const takeByHand = (object: Any, { children }: Any): unknown => children.splice(children.indexOf(object), 1);

/** What a follower looks at, and what is done to objects all at once. */
export const CHANGES = {
  move: ({ position }) => Object.assign(position, { x: position.x + 0.5 }),
  turn: ({ rotation }) => Object.assign(rotation, { z: rotation.z + 0.4 }),
  scale: ({ scale }) => scale.set(1.5, 2, 1),
  mirror: ({ scale }) => Object.assign(scale, { x: -scale.x }),
  pivot: (object) => Object.assign(object, { pivot: new THREE.Vector3(1, 0, 0) }),
  movePart: (object) => (partOf(object) === object ? false : partOf(object)?.translateY(0.3)),
  moveParent: below((_, { position }) => Object.assign(position, { y: position.y + 0.4 })),
  stretchParent: below((_, { scale }) => scale.set(1, 2, 1)),
  matrix: (object) => {
    object.matrixAutoUpdate = false;
    object.matrix.makeTranslation(2, 2, 0);
    object.matrixWorldNeedsUpdate = true;
  },
  newMatrix: (object) => Object.assign(object, { matrix: new THREE.Matrix4() }),
  world: ({ matrixWorld }) => matrixWorld.makeTranslation(1, 1, -10),
  ownWorld: (object) => {
    object.matrixWorldAutoUpdate = false;
    object.matrixWorld.makeTranslation(1, 1, -10);
  },
  projective: (object) => {
    if (object.isLOD || object.isGroup) return false;
    object.matrixAutoUpdate = false;
    object.matrix.elements[3] = object.matrix.elements[3] === 0 ? 0.1 : 0;
    object.matrixWorldNeedsUpdate = true;
    return true;
  },
  ownUpdate: (object) => {
    object.updateMatrixWorld = function (this: THREE.Object3D, force) {
      this.position.y = 0.75;
      Object.getPrototypeOf(this).updateMatrixWorld.call(this, force);
    };
  },
  updatedElsewhere: (object) => {
    const { x } = object.position;
    object.position.x = 50;
    object.updateMatrixWorld();
    object.position.x = x;
  },
  geometry: part('shape', (drawn) =>
    Object.assign(drawn, { geometry: drawn.isMesh ? new THREE.SphereGeometry(3, 6, 4) : pointsAt(-4, 0, 0, 4, 1, 0) }),
  ),
  sharedGeometry: part('shape', (drawn, { mark: { geometry } }) => drawn.isMesh && Object.assign(drawn, { geometry })),
  noGeometry: part('mesh', (drawn) => !drawn.isSkinnedMesh && Object.assign(drawn, { geometry: pointsAt() })),
  vertices: part('geometry', ({ geometry }) => edit(geometry?.attributes.position as THREE.BufferAttribute, 0, -5)),
  positions: part('geometry', ({ geometry }) => {
    const position = geometry?.attributes.position.clone() as THREE.BufferAttribute;
    geometry?.setAttribute('position', position.applyMatrix4(new THREE.Matrix4().makeTranslation(0, 0, 2)));
  }),
  drawRange: part('geometry', ({ geometry }) => geometry?.setDrawRange(0, geometry.index ? 6 : 1)),
  wholeRange: part('geometry', ({ geometry }) => geometry?.setDrawRange(0, Number.POSITIVE_INFINITY)),
  index: part('geometry', ({ geometry }) => {
    geometry?.setDrawRange(0, 3);
    return edit(geometry?.index, 0, 5);
  }),
  newIndex: part('geometry', ({ geometry }) => {
    geometry?.setDrawRange(0, 3);
    return geometry?.index ? geometry.setIndex([0, 1, 2]) : false;
  }),
  target: part('targets', (drawn) => edit(targets(drawn)[0], 0, 9)),
  fewerTargets: part('targets', (drawn) => targets(drawn).pop()),
  otherTarget: part('targets', (drawn) => {
    targets(drawn)[0] = targets(drawn)[0].clone().setX(1, 12);
  }),
  relative: part('targets', ({ geometry }) => Object.assign(geometry as object, { morphTargetsRelative: true })),
  centre: part('sprite', (drawn) => (drawn as unknown as THREE.Sprite).center.set(0, 0)),
  keepSize: part('sprite', (drawn) => Object.assign(spriteMaterial(drawn), { sizeAttenuation: false })),
  loseSize: part('sprite', (drawn) => Object.assign(spriteMaterial(drawn), { sizeAttenuation: true })),
  turnSprite: part('sprite', (drawn) => Object.assign(spriteMaterial(drawn), { rotation: 1 })),
  spriteMaterial: part('sprite', (drawn) =>
    Object.assign(drawn, { material: new THREE.SpriteMaterial({ sizeAttenuation: false }) }),
  ),
  lastKeepsSize: only('isLOD', ({ children }: Any) => {
    const last = children.at(-1) as Any;
    return last.isSprite ? Object.assign(spriteMaterial(last), { sizeAttenuation: false }) : false;
  }),
  instance: only('isInstancedMesh', (mesh: THREE.InstancedMesh) => {
    mesh.setMatrixAt(3, shift(0, 6));
    mesh.instanceMatrix.needsUpdate = true;
  }),
  count: only('isInstancedMesh', (mesh: THREE.InstancedMesh) => Object.assign(mesh, { count: mesh.count - 3 })),
  instances: only('isInstancedMesh', (mesh: THREE.InstancedMesh) =>
    Object.assign(mesh, { instanceMatrix: mesh.instanceMatrix.clone().applyMatrix4(shift(0, 1)) }),
  ),
  batchInstance: only('isBatchedMesh', (mesh: THREE.BatchedMesh) => mesh.setMatrixAt(2, shift(0, 6))),
  fewerInstances: only('isBatchedMesh', (mesh: THREE.BatchedMesh) => mesh.instanceCount > 3 && mesh.deleteInstance(3)),
  moreInstances: only('isBatchedMesh', (mesh: THREE.BatchedMesh) =>
    mesh.setMatrixAt(mesh.addInstance(1), shift(0, -4)),
  ),
  hideInstance: only('isBatchedMesh', (mesh: THREE.BatchedMesh) => mesh.setVisibleAt(0, false)),
  batchGeometry: only('isBatchedMesh', (mesh: THREE.BatchedMesh) =>
    mesh.setGeometryAt(0, new THREE.BoxGeometry(1, 3, 1)),
  ),
  otherInBatch: only('isBatchedMesh', (mesh: THREE.BatchedMesh, { tell }) => {
    mesh.setGeometryIdAt(0, 1);
    tell((index) => index.touch(mesh));
  }),
  bone: only('isSkinnedMesh', ({ skeleton }: THREE.SkinnedMesh) => skeleton.bones[1].translateY(3)),
  bind: only('isSkinnedMesh', (mesh: THREE.SkinnedMesh) => {
    const bones = [0, 1].map((x) => new THREE.Bone().translateX(x));
    mesh.add(...bones).bind(new THREE.Skeleton(bones));
  }),
  weights: only('isSkinnedMesh', ({ geometry }: THREE.SkinnedMesh) => {
    const weights = geometry.attributes.skinWeight as THREE.BufferAttribute;
    for (let i = 0; i < weights.count; i++) weights.setXY(i, 0, 1);
    weights.needsUpdate = true;
  }),
  boneElsewhere: only('isSkinnedMesh', ({ skeleton: { bones } }: THREE.SkinnedMesh, { other }) => other.add(bones[0])),
  level: only('isLOD', (lod: THREE.LOD) => lod.addLevel(box(1, 5, 1), 20)),
  spriteLevel: only('isLOD', (lod: THREE.LOD) => {
    lod.addLevel(Object.assign(sprite(), { material: new THREE.SpriteMaterial({ sizeAttenuation: false }) }), 20);
  }),
  fewerLevels: only('isLOD', (lod: THREE.LOD) => lod.levels.length > 1 && lod.removeLevel(lod.levels[0].distance)),
  inLevel: only('isLOD', ({ children }: Any) => children[0].add(box(6, 1, 1))),
  neverCulled: part('material', (drawn) => Object.assign(drawn, { frustumCulled: false })),
  culled: part('material', (drawn) => Object.assign(drawn, { frustumCulled: true })),
  raycast: part('material', (drawn) => Object.assign(drawn, { raycast: hitAnywhere })),
  stockRaycast: part('material', (drawn) => Reflect.deleteProperty(drawn, 'raycast')),
  layers: ({ layers }) => layers.set(1),
  newLayers: (object) => Object.assign(object, { layers: new THREE.Layers() }),
  hide: (object) => Object.assign(object, { visible: !object.visible }),
  material: part('material', (drawn) => Object.assign(drawn, { material: (drawn.material as THREE.Material).clone() })),
  materials: part('mesh', (drawn) => Object.assign(drawn, { material: Array.from({ length: 6 }, paint) })),
  backSide: part('material', ({ material }) => Object.assign(material as object, { side: THREE.BackSide })),
  reparent: (object, { other }) => other.add(object),
  attach: (object, { other }) => {
    // What is projective or flat is carried to places that are no numbers.
    if (!object.matrixAutoUpdate || object.updateMatrixWorld !== Object.getPrototypeOf(object).updateMatrixWorld)
      return false;
    return other.attach(object);
  },
  wrap: below((object, parent) => parent.add(new THREE.Group().translateY(1).add(object))),
  outAndIn: below((object, parent) => parent.remove(object).add(object)),
  parentOutAndIn: below((_, parent) => parent.parent?.remove(parent).add(parent)),
  remove: (object) => object.removeFromParent(),
  intoLod: (object, { lod }) => !object.isLOD && lod.addLevel(object, 5),
  child: above((object) => object.add(box(9, 1, 1))),
  childByHand: above((object) => putByHand(box(1, 9, 1) as Any, object)),
  noChildByHand: above((object) => !object.isSkinnedMesh && object.children.pop()),
  siblingByHand: below((_, parent) => putByHand(box(1, 9, 1).translateZ(-12) as Any, parent)),
  elsewhereByHand: below((object, parent, { other }) => {
    takeByHand(object, parent);
    putByHand(object, other as Any);
  }),
  removeByHand: below((object, parent) => {
    takeByHand(object, parent);
    object.parent = null;
  }),
  newChildren: below((_, parent) => Object.assign(parent, { children: [...parent.children].reverse() })),
  touch: (object, { tell }) => tell((index) => index.touch(object)),
  rest: (object, { tell }) => tell((index) => index.setStatic(object)),
  restWithAll: below((_, parent, { tell }) => tell((index) => index.setStatic(parent))),
  wake: (object, { tell }) => tell((index) => index.setStatic(object, false)),
  flag: (object, { tell }) => {
    object.static = true;
    tell((index) => index.touch(object));
  },
  structure: (_, { tell }) => tell((index) => index.setStructure(new Octree())),
} satisfies { [name: string]: Change };

export type ChangeName = keyof typeof CHANGES;
