import {
  Box3,
  type BufferAttribute,
  type BufferGeometry,
  type InstancedMesh,
  Matrix4,
  type Object3D,
  type SkinnedMesh,
  type Sprite,
  Vector3,
  Vector4,
} from 'three';
import { makeEmpty } from '../../core/box.js';
import { type Flags, isDrawable } from '../../three/kinds.js';
import { stampOf } from '../facts/BufferFacts.js';
import { hasVertices, isInMemory } from '../objects/attributes.js';
import { boundsOf, declaredBox, forgetGeometryBounds, geometryBounds, morphReach } from './geometryBounds.js';
import { forgetInstanceBounds, instanceBounds } from './instanceBounds.js';
import { transformBox, widen } from './transformBox.js';

/**
 * World bounds of an object as drawn, by its present world matrix, into `out`: minX minY minZ maxX maxY maxZ. Empty
 * (min above max) when the object draws nothing, NaN when one of its numbers is NaN.
 *
 * | kind | bounds | noticed by `update` |
 * | --- | --- | --- |
 * | mesh, line, points | box of the vertices drawn, see `geometryBounds` | new geometry, position attribute or `drawRange`, `needsUpdate` of positions and morph targets, `setPositions` of wide lines |
 * | instanced | box around all instances | new `instanceMatrix`, `instanceMatrix.needsUpdate`, `count` |
 * | batched | box around all live instances | instances that come, go or get another matrix, geometries edited in place |
 * | skinned | box around the vertices that bones carry, see `skinnedBounds` | any movement of the skeleton, `bind`, `needsUpdate` of skin attributes |
 * | sprite | box of the sphere by which three culls it | another `center` |
 * | LOD | box around all levels and all other descendants | any change below |
 *
 * After any other change call `index.touch(object)`: after `BatchedMesh.setGeometryIdAt`, which leaves no trace, or
 * after `boneInverses` were changed in place.
 */
export function worldBounds(object: Object3D, out: Float64Array): void {
  const kind = object as Object3D & Flags;
  if (kind.isLOD) uniteBelow(object, out);
  else if (kind.isSprite) spriteBounds(object as Sprite, out);
  else if (kind.isSkinnedMesh && (object as SkinnedMesh).skeleton) skinnedBounds(object as SkinnedMesh, out);
  else {
    const geometry = geometryOf(object);
    const hasInstances = kind.isInstancedMesh || kind.isBatchedMesh;
    const local = geometry && (hasInstances ? instanceBounds(object as InstancedMesh) : geometryBounds(geometry));
    if (local === null || local.isEmpty()) makeEmpty(out, 0);
    else transformBox(local, object.matrixWorld, out);
  }
}

/** Forgets the bounds of an object's instances, and of its geometry unless `done` contains that. */
export function forgetBounds(object: Object3D, done: Set<BufferGeometry>): void {
  forgetInstanceBounds(object);
  try {
    const geometry = geometryOf(object);
    if (geometry === null || done.has(geometry)) return;
    done.add(geometry);
    forgetGeometryBounds(geometry);
  } catch {
    // The error is reported by `Entries.#measure`.
  }
}

export function geometryOf(object: Object3D): BufferGeometry | null {
  return (object as { geometry?: BufferGeometry }).geometry ?? null;
}

function uniteBelow(top: Object3D, out: Float64Array): void {
  const box = new Float64Array(6);
  makeEmpty(out, 0);
  const stack = [...top.children];
  while (stack.length > 0) {
    const object = stack.pop();
    if (!object) continue;
    // Children that were set by hand may have no children list.
    for (const child of object.children ?? []) stack.push(child);
    if (!isDrawable(object) || (object as Flags).isLOD) continue;
    worldBounds(object, box);
    widen(out, box);
  }
}

/** Distance of a sprite's `center` from its middle, on which the sprite's bounds depend. */
export function spriteOffset({ center: { x, y } }: Sprite): number {
  return Math.hypot(x - 0.5, y - 0.5);
}

/** The box of the sphere of three's `Frustum.intersectsSprite`, whatever way the sprite faces. */
function spriteBounds(sprite: Sprite, out: Float64Array): void {
  const radius = (Math.SQRT1_2 + spriteOffset(sprite)) * sprite.matrixWorld.getMaxScaleOnAxis();
  for (let c = 0; c < 3; c++) {
    out[c] = sprite.matrixWorld.elements[12 + c] - radius;
    out[c + 3] = sprite.matrixWorld.elements[12 + c] + radius;
  }
}

/**
 * For each skinned mesh: a box per bone around the vertices that the bone moves, in the bone's rest space; and the
 * sources of the boxes: `bindMatrix`, the shape, skin attributes and inverses.
 */
const boxesOfBones = new WeakMap<SkinnedMesh, { madeOf: readonly unknown[]; bindMatrix: Matrix4; boxes: Box3[] }>();
const matrix = new Matrix4();
const toWorld = new Matrix4();
const part = new Float64Array(6);

/**
 * World bounds of a skinned mesh in its present pose, into `out`.
 *
 * Skinning puts a vertex at a weighted mean of the positions to which its bones carry it. So in any pose the vertex
 * lies in the box around the boxes that the bones carry along: never too small, seldom much too large. If vertices or
 * weights exist only on the GPU, and were not measured before, three's own bounds of the mesh count.
 */
function skinnedBounds(mesh: SkinnedMesh, out: Float64Array): void {
  const { skeleton } = mesh;
  const boxes = boneBoxes(mesh);
  if (boxes === null) {
    const declared = declaredBox(mesh, 'its vertices exist only on the GPU: set its boundingSphere');
    transformBox(declared, mesh.matrixWorld, out);
    return;
  }
  toWorld.multiplyMatrices(mesh.matrixWorld, mesh.bindMatrixInverse);
  makeEmpty(out, 0);
  boxes.forEach((box, i) => {
    const bone = skeleton.bones[i];
    if (box.isEmpty() || bone === undefined) return;
    transformBox(box, matrix.multiplyMatrices(toWorld, bone.matrixWorld), part);
    widen(out, part);
  });
}

/** The boxes of all bones; null when they cannot be measured. */
function boneBoxes(mesh: SkinnedMesh): Box3[] | null {
  const { geometry, skeleton, bindMatrix } = mesh;
  const { position, skinIndex, skinWeight } = geometry.attributes as { [name: string]: BufferAttribute };
  const { boneInverses } = skeleton;
  const stamps = [stampOf(skinIndex), stampOf(skinWeight)];
  // three replaces all inverses in one call, in the same list: so the first inverse stands for all.
  const madeOf = [boundsOf(geometry), skinIndex, skinWeight, ...stamps, boneInverses, boneInverses[0]];
  const kept = boxesOfBones.get(mesh);
  if (kept?.madeOf.every((each, i) => each === madeOf[i]) && kept.bindMatrix.equals(bindMatrix)) return kept.boxes;
  if (!hasVertices(geometry) || !isInMemory(skinIndex) || !isInMemory(skinWeight)) return null;
  const boxes = skeleton.bones.map(() => new Box3());
  const reach = morphReach(geometry);
  const vertex = new Vector3();
  const around = new Box3();
  const bones = new Vector4();
  const weights = new Vector4();
  const atRest = boneInverses.map((inverse) => new Matrix4().multiplyMatrices(inverse, bindMatrix));
  for (let i = 0; i < position.count; i++) {
    vertex.fromBufferAttribute(position, i);
    bones.fromBufferAttribute(skinIndex, i);
    weights.fromBufferAttribute(skinWeight, i);
    for (let c = 0; c < 4; c++) {
      const bone = bones.getComponent(c);
      if (weights.getComponent(c) === 0 || boxes[bone] === undefined) continue;
      around.min.copy(vertex).add(reach.min);
      around.max.copy(vertex).add(reach.max);
      boxes[bone].union(around.applyMatrix4(atRest[bone]));
    }
  }
  boxesOfBones.set(mesh, { madeOf, bindMatrix: bindMatrix.clone(), boxes });
  return boxes;
}
