import {
  type BatchedMesh,
  Box3,
  type BufferAttribute,
  type BufferGeometry,
  type InstancedMesh,
  Matrix4,
  type Object3D,
  type SkinnedMesh,
  Sphere,
  type Sprite,
  Vector3,
  Vector4,
} from 'three';
import type { Any } from './Side.js';

/** What the bounds of an object in an index must be, by three's own means. */
export interface TrueBounds {
  /** Empty where nothing is drawn. */
  box: Box3;
  /** Where the user has declared bounds, which are to be in the box as well; null where the box must be exact. */
  declared: Box3 | null;
  /** By how much coordinates may differ, where sums are made in another order. */
  tolerance: number;
}

/** What the user has declared of a geometry, or may have. */
export type Declared = (geometry: BufferGeometry) => Box3 | null;

/**
 * The bounds of something that is drawn, from its vertices and the matrices it has now: nothing is kept from one call to
 * the next, and nothing that three keeps is believed.
 */
export function trueBounds(object: Any, declared: Declared): TrueBounds {
  if (object.isLOD) return unite(object, declared);
  if (object.isSprite) return { box: spriteBox(object as unknown as Sprite), declared: null, tolerance: 1e-9 };
  if (object.isBatchedMesh) {
    return exact(batchBox(object as unknown as BatchedMesh).applyMatrix4(object.matrixWorld));
  }
  const geometry = object.geometry as BufferGeometry;
  const extra = declared(geometry);
  if (object.isSkinnedMesh) {
    const box = skinnedBox(object as unknown as SkinnedMesh);
    return { box, declared: extra === null ? null : everything(), tolerance: 1e-6 };
  }
  const local = shapeBox(geometry);
  const carry = (box: Box3): Box3 =>
    (object.isInstancedMesh ? instancesBox(object as unknown as InstancedMesh, box) : box.clone()).applyMatrix4(
      object.matrixWorld,
    );
  const box = carry(local);
  if (extra === null || local.isEmpty()) return exact(box);
  return { box, declared: carry(extra.clone().union(local)), tolerance: 0 };
}

function exact(box: Box3): TrueBounds {
  return { box, declared: null, tolerance: 0 };
}

function everything(): Box3 {
  return new Box3(new Vector3(-Infinity, -Infinity, -Infinity), new Vector3(Infinity, Infinity, Infinity));
}

/** Around all vertices, or those in a part that is to be drawn alone, wherever morph targets put them. */
function shapeBox({ attributes, morphAttributes, morphTargetsRelative, index, drawRange }: BufferGeometry): Box3 {
  const position = attributes.position as BufferAttribute;
  const box = new Box3();
  const vertex = new Vector3();
  const order = drawRange.start === 0 && drawRange.count === Number.POSITIVE_INFINITY ? null : index;
  const end = Math.min((order ?? position).count, drawRange.start + drawRange.count);
  for (let i = drawRange.start; i < end; i++) {
    box.expandByPoint(vertex.fromBufferAttribute(position, order === null ? i : order.getX(i)));
  }
  if (box.isEmpty()) return box;
  for (const target of (morphAttributes.position ?? []) as BufferAttribute[]) {
    const low = new Vector3();
    const high = new Vector3();
    for (let i = 0; i < Math.min(target.count, position.count); i++) {
      const delta = new Vector3().fromBufferAttribute(target, i);
      if (!morphTargetsRelative) delta.sub(vertex.fromBufferAttribute(position, i));
      low.min(delta);
      high.max(delta);
    }
    box.min.add(low);
    box.max.add(high);
  }
  return box;
}

function instancesBox(mesh: InstancedMesh, local: Box3): Box3 {
  const all = new Box3();
  const matrix = new Matrix4();
  for (let i = 0; i < mesh.count && !local.isEmpty(); i++) {
    mesh.getMatrixAt(i, matrix);
    all.union(local.clone().applyMatrix4(matrix));
  }
  return all;
}

function batchBox(mesh: BatchedMesh): Box3 {
  const kept = mesh.boundingBox;
  mesh.boundingBox = new Box3();
  mesh.computeBoundingBox();
  const box = mesh.boundingBox;
  mesh.boundingBox = kept;
  return box;
}

function spriteBox(sprite: Sprite): Box3 {
  const offset = sprite.center.distanceTo({ x: 0.5, y: 0.5 });
  return new Sphere(new Vector3(), Math.SQRT1_2 + offset).applyMatrix4(sprite.matrixWorld).getBoundingBox(new Box3());
}

/** Around what each bone carries along: a vertex lies between the places where its bones would put it. */
function skinnedBox(mesh: SkinnedMesh): Box3 {
  const { geometry, skeleton, bindMatrix, bindMatrixInverse } = mesh;
  const { position, skinIndex, skinWeight } = geometry.attributes as { [name: string]: BufferAttribute };
  const all = new Box3();
  const vertex = new Vector3();
  skeleton.bones.forEach((bone, b) => {
    const atRest = new Matrix4().multiplyMatrices(skeleton.boneInverses[b], bindMatrix);
    const box = new Box3();
    for (let i = 0; i < position.count; i++) {
      const bones = new Vector4().fromBufferAttribute(skinIndex, i).toArray();
      const weights = new Vector4().fromBufferAttribute(skinWeight, i).toArray();
      if (!bones.some((other, c) => other === b && weights[c] !== 0)) continue;
      box.expandByPoint(vertex.fromBufferAttribute(position, i).applyMatrix4(atRest));
    }
    const toWorld = new Matrix4().multiplyMatrices(mesh.matrixWorld, bindMatrixInverse).multiply(bone.matrixWorld);
    all.union(box.applyMatrix4(toWorld));
  });
  return all;
}

function unite(lod: Any, declared: Declared): TrueBounds {
  const all: TrueBounds = { box: new Box3(), declared: null, tolerance: 0 };
  const within = new Box3();
  let isDeclared = false;
  lod.traverse((part) => {
    if (!isDrawn(part as Any) || (part as Any).isLOD) return;
    const bounds = trueBounds(part as Any, declared);
    all.box.union(bounds.box);
    within.union(bounds.declared ?? bounds.box);
    isDeclared ||= bounds.declared !== null;
    all.tolerance = Math.max(all.tolerance, bounds.tolerance);
  });
  if (isDeclared) all.declared = within;
  return all;
}

/** True for what renderers draw; a LOD stands for all that lies in it. */
export function isDrawn(object: Any): boolean {
  return Boolean(object.isMesh || object.isLine || object.isPoints || object.isSprite || object.isLOD);
}

/** The object whose entry speaks for another: the outermost LOD above it, up to the root if there is one, or itself. */
export function entryOf(object: Object3D, root: Object3D | null = null): Any {
  let entry = object as Any;
  for (let o: Object3D | null = object; o !== null; o = o.parent) {
    if ((o as Any).isLOD) entry = o as Any;
    if (o === root) break;
  }
  return entry;
}
