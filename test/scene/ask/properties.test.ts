import * as THREE from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { describe, expect, it } from 'vitest';
import { accelerate, SceneIndex } from '../../../src/index.js';
import { skinnedTower } from '../../helpers/scene.js';

/**
 * A property of a drawable that three's own bounds, culling or `raycast` read (r187).
 *
 * After the edit something shows around `at`, where nothing did before: a camera that looks there from 40 away sees it,
 * and so does a ray. `how` is what makes the edit count. `hits` is false where three hits nothing there.
 */
interface Row<T extends THREE.Object3D = THREE.Object3D> {
  make(): T;
  edit(object: T): unknown;
  at?: [x: number, y: number, z: number];
  how?: 'update' | 'touch';
  hits?: boolean;
  /** Of the raycaster, before it is used. */
  params?(raycaster: THREE.Raycaster): unknown;
}

const row = <T extends THREE.Object3D>(name: string, given: Row<T>): [string, Row] => [name, given as never];

const box = (x = 0): THREE.BufferGeometry => new THREE.BoxGeometry(4, 4, 4).translate(x, 0, 0);
const mesh = (): THREE.Mesh => new THREE.Mesh(box(), new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
const sprite = (): THREE.Sprite => {
  const made = new THREE.Sprite(new THREE.SpriteMaterial());
  made.scale.setScalar(4);
  return made;
};
const along = (x: number): THREE.BufferGeometry =>
  new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(x - 2, 0, 0), new THREE.Vector3(x + 2, 0, 0)]);
const morphed = (): THREE.Mesh => {
  const made = mesh();
  const target = made.geometry.attributes.position.clone().applyMatrix4(new THREE.Matrix4().makeTranslation(50, 0, 0));
  made.geometry.morphAttributes.position = [target];
  made.updateMorphTargets();
  return made;
};
const instanced = (): THREE.InstancedMesh => new THREE.InstancedMesh(box(), new THREE.MeshBasicMaterial(), 3);
const shifted = (x = 50): THREE.Matrix4 => new THREE.Matrix4().makeTranslation(x, 0, 0);
const batched = (): THREE.BatchedMesh => {
  const made = new THREE.BatchedMesh(9, 999, 999, new THREE.MeshBasicMaterial());
  for (const x of [0, 50]) made.addGeometry(box(x));
  made.addInstance(0);
  return made;
};
const wide = (): LineSegments2 => {
  const geometry = new LineSegmentsGeometry().setPositions([-2, 0, 0, 2, 0, 0]);
  return new LineSegments2(geometry, new LineMaterial({ worldUnits: true, linewidth: 2 }));
};
const levels = (): THREE.LOD => new THREE.LOD().addLevel(mesh(), 0);
const fill = (attribute: THREE.BufferAttribute | THREE.InterleavedBufferAttribute, x: number): void => {
  for (let i = 0; i < attribute.count; i++) attribute.setX(i, attribute.getX(i) + x);
  attribute.needsUpdate = true;
};

const ROWS: [string, Row][] = [
  row('geometry', { make: mesh, edit: (it) => Object.assign(it, { geometry: box(50) }) }),
  row('position attribute', {
    make: mesh,
    edit: ({ geometry }) => void geometry.setAttribute('position', box(50).attributes.position),
  }),
  row('position.needsUpdate', { make: mesh, edit: ({ geometry }) => fill(geometry.attributes.position, 50) }),
  row('geometry.drawRange', {
    make: () => {
      const made = mesh();
      const other = box(50).toNonIndexed();
      const both = new Float32Array([
        ...box().toNonIndexed().attributes.position.array,
        ...other.attributes.position.array,
      ]);
      made.geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(both, 3));
      made.geometry.setDrawRange(0, 36);
      return made;
    },
    edit: ({ geometry }) => geometry.setDrawRange(36, 36),
  }),
  row('geometry.index, with a drawRange', {
    make: () => {
      const made = mesh();
      const parts = [...box().attributes.position.array, ...box(50).attributes.position.array];
      const position = new THREE.BufferAttribute(new Float32Array(parts), 3);
      made.geometry = new THREE.BufferGeometry().setAttribute('position', position);
      made.geometry.setIndex(box().index).setDrawRange(0, 36);
      return made;
    },
    edit: ({ geometry }) => {
      const index = geometry.index as THREE.BufferAttribute;
      fill(index, 24);
    },
  }),
  row('geometry.groups, with a list of materials', {
    make: () => {
      const made = mesh();
      made.geometry = box(50);
      made.geometry.clearGroups();
      return Object.assign(made, { material: [new THREE.MeshBasicMaterial()] });
    },
    edit: ({ geometry }) => geometry.addGroup(0, 36, 0),
  }),
  row('geometry.morphTargetsRelative', {
    make: () => {
      const made = morphed();
      const [target] = made.geometry.morphAttributes.position as THREE.BufferAttribute[];
      fill(target, -25);
      fill(made.geometry.attributes.position, 25);
      made.morphTargetInfluences?.fill(1);
      return made;
    },
    edit: ({ geometry }) => Object.assign(geometry, { morphTargetsRelative: true }),
  }),
  row('morph targets that come', {
    make: mesh,
    edit: (it) => {
      it.geometry.morphAttributes.position = morphed().geometry.morphAttributes.position;
      it.updateMorphTargets();
      it.morphTargetInfluences?.fill(1);
    },
  }),
  row('morphTargetInfluences, from 0 to 1', { make: morphed, edit: (it) => void it.morphTargetInfluences?.fill(1) }),
  row('boundingSphere, declared for a shader', {
    make: mesh,
    edit: ({ geometry }) => Object.assign(geometry, { boundingSphere: new THREE.Sphere(new THREE.Vector3(), 60) }),
    how: 'touch',
    hits: false,
  }),
  row('boundingBox, declared for a shader', {
    make: mesh,
    edit: ({ geometry }) => {
      geometry.boundingBox = new THREE.Box3(new THREE.Vector3(-60, -9, -9), new THREE.Vector3(60, 9, 9));
      geometry.boundingSphere = geometry.boundingBox.getBoundingSphere(new THREE.Sphere());
    },
    how: 'touch',
    hits: false,
  }),
  row('frustumCulled', { make: mesh, edit: (it) => Object.assign(it, { frustumCulled: false }), hits: false }),
  row('intersectsFrustum', {
    make: mesh,
    edit: (it) => Object.assign(it, { intersectsFrustum: () => true }),
    how: 'touch',
    hits: false,
  }),
  row('raycast', {
    make: () => Object.assign(mesh(), { frustumCulled: false }),
    edit: (it) => {
      it.raycast = (_, hits) => hits.push({ distance: 7, object: it, point: new THREE.Vector3() });
    },
  }),
  row('layers', {
    make: () => {
      const made = mesh();
      made.position.x = 50;
      made.layers.set(3);
      return made;
    },
    edit: ({ layers }) => layers.set(0),
  }),
  row('material.side', {
    make: () => {
      const made = new THREE.Mesh(new THREE.PlaneGeometry(4, 4).rotateY(Math.PI), new THREE.MeshBasicMaterial());
      made.position.x = 50;
      return made;
    },
    edit: (it) => Object.assign(it.material, { side: THREE.BackSide }),
  }),
  row('material', {
    make: () => Object.assign(mesh(), { geometry: box(50), material: undefined }) as unknown as THREE.Mesh,
    edit: (it) => Object.assign(it, { material: new THREE.MeshBasicMaterial() }),
  }),
  row('scale', { make: mesh, edit: ({ scale }) => scale.set(30, 1, 1) }),
  row('pivot', {
    make: mesh,
    edit: (it) => {
      it.pivot = new THREE.Vector3(25, 0, 0);
      it.rotation.y = Math.PI;
    },
  }),
  row('matrix', {
    make: () => Object.assign(mesh(), { matrixAutoUpdate: false }),
    edit: (it) => {
      it.matrix.copy(shifted());
      it.matrixWorldNeedsUpdate = true;
    },
  }),
  row('skeleton: a bone', { make: skinnedTower, edit: ({ skeleton }) => skeleton.bones[0].position.set(50, 0, 0) }),
  row('skeleton: another', {
    make: skinnedTower,
    edit: (it) => {
      const bones = it.skeleton.bones.map(() => new THREE.Bone());
      it.add(...bones);
      for (const bone of bones) bone.position.x = 50;
      it.bind(new THREE.Skeleton(bones, it.skeleton.boneInverses), it.bindMatrix);
    },
  }),
  row('bindMatrix', { make: skinnedTower, edit: (it) => void it.bindMatrix.copy(shifted()) }),
  row('boneInverses', {
    make: skinnedTower,
    edit: ({ skeleton }) => {
      for (const inverse of skeleton.boneInverses) inverse.premultiply(shifted());
    },
    how: 'touch',
  }),
  row('skinIndex.needsUpdate', {
    make: () => {
      const made = skinnedTower();
      made.skeleton.bones[1].position.x = 50;
      (made.geometry.attributes.skinIndex.array as Uint16Array).fill(0);
      return made;
    },
    edit: ({ geometry: { attributes } }) => {
      attributes.skinIndex.array.fill(1);
      attributes.skinIndex.needsUpdate = true;
    },
  }),
  row('instanceMatrix.needsUpdate', {
    make: instanced,
    edit: (it) => {
      it.setMatrixAt(1, shifted());
      it.instanceMatrix.needsUpdate = true;
    },
  }),
  row('instanceMatrix', {
    make: instanced,
    edit: (it) => {
      const matrices = Array.from({ length: 3 }, () => shifted().elements).flat();
      it.instanceMatrix = new THREE.InstancedBufferAttribute(new Float32Array(matrices), 16);
    },
  }),
  row('count', {
    make: () => {
      const made = instanced();
      made.setMatrixAt(2, shifted());
      made.count = 2;
      return made;
    },
    edit: (it) => Object.assign(it, { count: 3 }),
  }),
  row('a batch: setMatrixAt', { make: batched, edit: (it) => void it.setMatrixAt(0, shifted()) }),
  row('a batch: addInstance', { make: batched, edit: (it) => void it.addInstance(1) }),
  row('a batch: setVisibleAt', {
    make: () => {
      const made = batched();
      made.setVisibleAt(made.addInstance(1), false);
      return made;
    },
    edit: (it) => void it.setVisibleAt(1, true),
  }),
  row('a batch: setGeometryAt', { make: batched, edit: (it) => void it.setGeometryAt(0, box(50)) }),
  row('a batch: setGeometryIdAt', { make: batched, edit: (it) => void it.setGeometryIdAt(0, 1), how: 'touch' }),
  ...[THREE.Line, THREE.LineSegments, THREE.LineLoop].map((Kind) =>
    row(`${Kind.name}: geometry`, {
      make: () => new Kind(along(0), new THREE.LineBasicMaterial()),
      edit: (it) => Object.assign(it, { geometry: along(50) }),
    }),
  ),
  row('a line: scale, by which thresholds count', {
    make: () => new THREE.Line(along(50).translate(0, 8, 0)),
    edit: (it) => it.scale.set(1, 1, 0.01),
    params: ({ params }) => Object.assign(params.Line, { threshold: 7 }),
  }),
  row('Raycaster.params.Line', {
    make: () => new THREE.Line(along(50).translate(0, 3, 0)),
    edit: () => {},
    params: ({ params }) => Object.assign(params.Line, { threshold: 4 }),
  }),
  row('Raycaster.params.Points', {
    make: () => new THREE.Points(along(50).translate(0, 3, 0)),
    edit: () => {},
    params: ({ params }) => Object.assign(params.Points, { threshold: 6 }),
  }),
  row('points: geometry', {
    make: () => new THREE.Points(along(0)),
    edit: (it) => Object.assign(it, { geometry: along(52) }),
  }),
  row('wide lines: setPositions', {
    make: wide,
    edit: ({ geometry }) => void geometry.setPositions([48, 0, 0, 52, 0, 0]),
  }),
  row('wide lines: setPositions of a geometry that was smaller', {
    make: wide,
    edit: (it) => {
      it.geometry.setPositions([0, 0, 0, 0.1, 0, 0]);
      it.geometry.setPositions([30, 0, 0, 60, 0, 0]);
    },
  }),
  row('wide lines: linewidth', {
    make: () => {
      const made = wide();
      made.geometry.setPositions([48, 0, 0, 52, 0, 0]);
      made.position.y = 2;
      return made;
    },
    edit: (it) => Object.assign(it.material, { linewidth: 9 }),
  }),
  row('a sprite: center', { make: sprite, edit: ({ center }) => center.set(-12, 0.5) }),
  row('a sprite: another center', {
    make: sprite,
    edit: (it) => void Object.assign(it, { center: new THREE.Vector2(-12, 0.5) }),
  }),
  row('a sprite: material.rotation', {
    make: () => {
      const made = sprite();
      made.center.set(13, 0.5);
      return made;
    },
    edit: ({ material }) => Object.assign(material, { rotation: Math.PI }),
  }),
  row('a sprite: sizeAttenuation', {
    make: () => {
      const made = sprite();
      made.position.set(50, 60, 0);
      return made;
    },
    edit: ({ material }) => Object.assign(material, { sizeAttenuation: false }),
  }),
  row('a sprite: a material without sizeAttenuation', {
    make: () => {
      const made = sprite();
      made.position.set(50, 60, 0);
      return made;
    },
    edit: (it) => Object.assign(it, { material: new THREE.SpriteMaterial({ sizeAttenuation: false }) }),
  }),
  row('a LOD: a level that comes', {
    make: levels,
    edit: (it) => {
      const level = mesh();
      level.geometry = box(50);
      it.addLevel(level, 20);
    },
  }),
  row('a LOD: the distance of a level', {
    make: () => {
      const far = mesh();
      far.geometry = box(50);
      return levels().addLevel(far, 1000);
    },
    edit: (it) => Object.assign(it.levels[1], { distance: 10 }),
  }),
  row('a LOD: the center of a sprite in it', {
    make: () => new THREE.LOD().addLevel(sprite(), 0),
    edit: (it) => (it.children[0] as THREE.Sprite).center.set(-12, 0.5),
  }),
];

/** Looks at the place from 40 away. */
function lookAt([x, y, z]: [number, number, number]): THREE.PerspectiveCamera {
  const camera = new THREE.PerspectiveCamera(2, 1, 0.1, 200);
  camera.position.set(x, y, z + 40);
  camera.updateMatrixWorld();
  return camera;
}

function rayOf(camera: THREE.PerspectiveCamera, { params }: Row): THREE.Raycaster {
  const raycaster = new THREE.Raycaster();
  raycaster.setFromCamera(new THREE.Vector2(0.13, 0.17), camera);
  params?.(raycaster);
  return raycaster;
}

const told = (hits: THREE.Intersection[]): unknown[] =>
  hits.map(({ distance, faceIndex }) => [distance, faceIndex ?? 0]);

/** True when a renderer would draw some of it. */
function isSeen(top: THREE.Object3D, camera: THREE.Camera): boolean {
  const frustum = new THREE.Frustum();
  frustum.setFromProjectionMatrix(
    new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
  );
  let isIn = false;
  top.traverse((part) => {
    isIn ||= !part.frustumCulled || (part.layers.test(camera.layers) && part.intersectsFrustum(frustum));
  });
  return isIn;
}

describe.each(ROWS)('%s', (_name, given) => {
  const { make, edit, at = [50, 0, 0], how = 'update', hits = true } = given;
  /** What plain three answers of an object that was made so. */
  const plain = (() => {
    const object = make();
    const scene = new THREE.Scene().add(object);
    edit(object);
    scene.updateMatrixWorld(true);
    const camera = lookAt(at);
    return { isSeen: isSeen(object, camera), hits: told(rayOf(camera, given).intersectObject(scene)) };
  })();

  it(how === 'update' ? 'is noticed by an update' : 'counts once the object is touched', () => {
    expect(plain.hits.length > 0).toBe(hits);
    for (const isFast of [false, true]) {
      const object = make();
      const scene = new THREE.Scene().add(object);
      const index = isFast ? accelerate(scene) : new SceneIndex(scene);
      index.update();
      index.cull(lookAt([0, 0, 0]));
      edit(object);
      if (how === 'touch') index.touch(object);
      scene.updateMatrixWorld();
      index.update();
      const camera = lookAt(at);
      if (plain.isSeen) expect(index.cull(camera)).toEqual([object]);
      expect(told(index.raycast(rayOf(camera, given)))).toEqual(plain.hits);
      expect(told(rayOf(camera, given).intersectObject(scene))).toEqual(plain.hits);
      index.dispose();
    }
  });
});
