import {
  AdditiveBlending,
  type BufferAttribute,
  EqualDepth,
  GreaterDepth,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Object3D,
} from 'three';
import { anyPlace, pick, upTo } from '../../scene/numbers.js';
import { isPlainMesh, makeObject, placeAnywhere } from '../makeObject.js';
import { type Edits, MOST_OBJECTS } from '../PictureSide.js';

const OVERLAYS: readonly (() => Material)[] = [
  () => new MeshBasicMaterial({ colorWrite: false }),
  () => new MeshBasicMaterial({ color: '#f00', transparent: true, opacity: 0.5 }),
  () => new MeshLambertMaterial({ color: '#f0f' }),
  () => new MeshBasicMaterial({ color: '#0ff', depthFunc: EqualDepth }),
  () => new MeshBasicMaterial({ color: '#ff0', polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -4 }),
];
const MASKS = [
  { colorWrite: false },
  { depthWrite: false },
  { depthTest: false },
  { depthFunc: GreaterDepth },
  { blending: AdditiveBlending },
];

/** What comes, goes and is put elsewhere in the scene. */
export const TREE_EDITS: Edits = {
  addAlike(side, next) {
    const mesh = makeObject(side, pick(next, ['mesh', 'alike', 'groups']), next);
    const parent = side.parentFor(next);
    for (let i = 0; i < 6; i++) {
      const { castShadow, receiveShadow } = mesh;
      side.put(Object.assign(placeAnywhere(mesh.clone(), next), { castShadow, receiveShadow }), parent);
    }
  },
  /** Meshes whose arrays are freed once they are uploaded. Nothing else edits them, as three could not draw the result. */
  addFreed(side, next) {
    const geometry = pick(next, side.geometries).clone();
    const parent = side.parentFor(next);
    geometry.computeBoundingSphere();
    for (const attribute of [geometry.index, ...Object.values(geometry.attributes)]) {
      (attribute as BufferAttribute | null)?.onUpload?.(function (this: BufferAttribute) {
        this.array = null as never;
      });
    }
    for (let i = 0; i < 3; i++) {
      const mesh = placeAnywhere(new Mesh(geometry, pick(next, side.materials)), next);
      // three's own throws without arrays.
      mesh.raycast = () => {};
      parent.add(mesh);
    }
  },
  /** The same triangles again: a highlight, a pre-pass, or what is drawn where depths are equal. */
  overlay(side, next) {
    const [kind, isChild, isCopy] = [upTo(next, OVERLAYS.length), next() < 0.7, next() < 0.3];
    const base = side.any(next, isPlainMesh) as Mesh | null;
    if (base === null || side.objects.length >= MOST_OBJECTS) return;
    const overlay = new Mesh(isCopy ? base.geometry.clone() : base.geometry, OVERLAYS[kind]());
    if (kind === 0) overlay.renderOrder = -1;
    if (!isChild) Object.assign(overlay, { matrixAutoUpdate: false }).matrix.copy(base.matrix);
    side.put(overlay, isChild ? base : (base.parent as Object3D));
  },
  /** Opaque, and its place in the order counts. */
  mask(side, next) {
    const [kind, at] = [upTo(next, MASKS.length), anyPlace(next, 8)];
    if (side.objects.length >= MOST_OBJECTS) return;
    const mask = new Mesh(side.geometries[0], new MeshBasicMaterial({ color: '#ff0', ...MASKS[kind] }));
    mask.position.copy(at);
    mask.scale.setScalar(3);
    side.put(mask, side.scene);
  },
  cloneMesh(side, next) {
    const mesh = side.any(next, (object) => isPlainMesh(object) && object.children.length === 0) as Mesh | null;
    const shift = anyPlace(next, 4);
    if (mesh === null) return;
    const clone = mesh.clone();
    clone.name = '';
    clone.position.add(shift);
    side.put(clone, side.scene);
  },
};
