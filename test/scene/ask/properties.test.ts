import * as THREE from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { describe, expect, it } from 'vitest';
import { accelerate, SceneIndex } from '../../../src/index.js';
import { eye } from '../../helpers/cameras.js';
import { frustumOf } from '../../helpers/passes.js';
import { morphedMesh, skinnedTower } from '../../helpers/scene.js';

/**
 * A property of a drawable that three's own bounds, culling or `raycast` read (r187), and that acts of the scene scripts
 * never or seldom edit.
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
const mesh = (geometry = box()): THREE.Mesh =>
  new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
const sprite = (x = 0, y = 0): THREE.Sprite => {
  const made = new THREE.Sprite(new THREE.SpriteMaterial());
  made.scale.setScalar(4);
  return made.translateX(x).translateY(y);
};
const along = (x: number, y = 0): THREE.BufferGeometry =>
  new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(x - 2, y, 0), new THREE.Vector3(x + 2, y, 0)]);
const shifted = (x = 50): THREE.Matrix4 => new THREE.Matrix4().makeTranslation(x, 0, 0);
const morphed = (by = 50): THREE.Mesh => {
  const made = mesh();
  made.geometry.morphAttributes.position = [made.geometry.attributes.position.clone().applyMatrix4(shifted(by))];
  made.updateMorphTargets();
  made.morphTargetInfluences?.fill(1);
  return made;
};
const targetsOf = ({ geometry }: THREE.Mesh): THREE.BufferAttribute[] =>
  geometry.morphAttributes.position as THREE.BufferAttribute[];
/** The lower half of the tower hangs on what is moved away with its upper bone. */
const bent = (): THREE.SkinnedMesh => {
  const made = skinnedTower();
  made.skeleton.bones[1].position.x = 50;
  made.geometry.attributes.skinIndex.array.fill(0);
  return made;
};
const batched = (): THREE.BatchedMesh => {
  const made = new THREE.BatchedMesh(9, 999, 999, new THREE.MeshBasicMaterial());
  made.addInstance(made.addGeometry(box()));
  return made;
};
const wide = (x = 0): LineSegments2 => {
  const geometry = new LineSegmentsGeometry().setPositions([x - 2, 0, 0, x + 2, 0, 0]);
  return new LineSegments2(geometry, new LineMaterial({ worldUnits: true, linewidth: 2 }));
};
const fill = (attribute: THREE.BufferAttribute | THREE.InterleavedBufferAttribute, x: number): void => {
  for (let i = 0; i < attribute.count; i++) attribute.setX(i, attribute.getX(i) + x);
  attribute.needsUpdate = true;
};

const ROWS: [string, Row][] = [
  row('geometry.index, with a drawRange', {
    make: () => {
      const parts = [...box().attributes.position.array, ...box(50).attributes.position.array];
      const position = new THREE.BufferAttribute(new Float32Array(parts), 3);
      const geometry = new THREE.BufferGeometry().setAttribute('position', position);
      geometry.setIndex(box().index).setDrawRange(0, 36);
      return mesh(geometry);
    },
    edit: ({ geometry }) => fill(geometry.index as THREE.BufferAttribute, 24),
  }),
  row('geometry.morphTargetsRelative', {
    make: () => {
      const made = morphed(25);
      fill(made.geometry.attributes.position, 25);
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
  row('morph targets that go', {
    make: morphedMesh,
    edit: (it) => Object.assign(targetsOf(it), { length: 0 }),
    hits: false,
  }),
  row('intersectsFrustum', {
    make: mesh,
    edit: (it) => Object.assign(it, { intersectsFrustum: () => true }),
    how: 'touch',
    hits: false,
  }),
  row('skeleton: another', {
    make: skinnedTower,
    edit: (it) => {
      const bones = it.skeleton.bones.map(() => new THREE.Bone());
      it.add(...bones);
      for (const bone of bones) bone.position.x = 50;
      it.bind(new THREE.Skeleton(bones, it.skeleton.boneInverses), it.bindMatrix);
    },
  }),
  row('bind, in the present pose', {
    make: () => {
      const made = skinnedTower();
      made.skeleton.bones[0].position.x = 50;
      return made;
    },
    edit: (it) => it.bind(it.skeleton),
    at: [0, 2, 0],
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
    make: bent,
    edit: ({ geometry: { attributes } }) => {
      attributes.skinIndex.array.fill(1);
      attributes.skinIndex.needsUpdate = true;
    },
  }),
  row('skinIndex, of the same version', {
    make: bent,
    edit: ({ geometry }) => {
      geometry.setAttribute('skinIndex', geometry.attributes.skinIndex.clone());
      geometry.attributes.skinIndex.array.fill(1);
    },
  }),
  row('skinWeight.needsUpdate', {
    make: () => {
      const made = skinnedTower();
      made.skeleton.bones[1].position.x = 50;
      for (let i = 0; i < made.geometry.attributes.skinWeight.count; i++)
        made.geometry.attributes.skinWeight.setXY(i, 1, 0);
      return made;
    },
    edit: ({ geometry: { attributes } }) => {
      for (let i = 0; i < attributes.skinWeight.count; i++) attributes.skinWeight.setXY(i, 0, 1);
      attributes.skinWeight.needsUpdate = true;
    },
  }),
  row('morph targets of a skinned mesh', {
    make: () => {
      const made = skinnedTower();
      made.geometry.morphAttributes.position = [made.geometry.attributes.position.clone() as THREE.BufferAttribute];
      made.updateMorphTargets();
      made.morphTargetInfluences?.fill(1);
      return made;
    },
    edit: (it) => fill(targetsOf(it)[0], 50),
  }),
  row('instanceMatrix, of the same version', {
    make: () => new THREE.InstancedMesh(box(), new THREE.MeshBasicMaterial(), 3),
    edit: (it) => {
      const matrices = Array.from({ length: 3 }, () => shifted().elements).flat();
      it.instanceMatrix = new THREE.InstancedBufferAttribute(new Float32Array(matrices), 16);
    },
  }),
  row('a batch: setGeometryAt', { make: batched, edit: (it) => void it.setGeometryAt(0, box(50)) }),
  row('a line: scale, by which thresholds count', {
    make: () => new THREE.Line(along(50, 8)),
    edit: (it) => it.scale.set(1, 1, 0.01),
    params: ({ params }) => Object.assign(params.Line, { threshold: 7 }),
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
    make: () => wide(50).translateY(2),
    edit: (it) => Object.assign(it.material, { linewidth: 9 }),
  }),
  row('a sprite: another center', {
    make: sprite,
    edit: (it) => void Object.assign(it, { center: new THREE.Vector2(-12, 0.5) }),
  }),
  row('a sprite: a material without sizeAttenuation', {
    make: () => sprite(50, 60),
    edit: (it) => Object.assign(it, { material: new THREE.SpriteMaterial({ sizeAttenuation: false }) }),
  }),
  row('a LOD: the distance of a level', {
    make: () => new THREE.LOD().addLevel(mesh(), 0).addLevel(mesh(box(50)), 1000),
    edit: (it) => Object.assign(it.levels[1], { distance: 10 }),
  }),
  row('a LOD: the center of a sprite in it', {
    make: () => new THREE.LOD().addLevel(sprite(), 0),
    edit: (it) => (it.children[0] as THREE.Sprite).center.set(-12, 0.5),
  }),
];

const lookAt = ([x, y, z]: [number, number, number]): THREE.PerspectiveCamera =>
  eye(x, y, z + 40, { fov: 2, far: 200, lookAt: [x, y, z] });

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
  const frustum = frustumOf(camera);
  let isIn = false;
  top.traverse((part) => {
    isIn ||= !part.frustumCulled || (part.layers.test(camera.layers) && part.intersectsFrustum(frustum));
  });
  return isIn;
}

describe.each(ROWS)('%s', (_name, given) => {
  const { make, edit, at = [50, 0, 0], how = 'update', hits = true } = given;
  /** What plain three answers of an object that was made so, and the bounds that an index made afterwards has of it. */
  const plain = (() => {
    const object = make();
    const scene = new THREE.Scene().add(object);
    edit(object);
    scene.updateMatrixWorld(true);
    const camera = lookAt(at);
    const fresh = new SceneIndex(scene).getBox(object, new THREE.Box3());
    return { isSeen: isSeen(object, camera), hits: told(rayOf(camera, given).intersectObject(scene)), fresh };
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
      expect(index.getBox(object, new THREE.Box3())).toEqual(plain.fresh);
      index.dispose();
    }
  });
});
