import { Box3, Matrix4, type Object3D, Vector3 } from 'three';
import { OBB } from 'three/addons/math/OBB.js';
import { checkOBB, checkObject } from '../objects/checks.js';
import type { Flags } from '../objects/ObjectRecord.js';
import { localBounds, worldBounds } from './worldBounds.js';

/** A difference of vectors that is shorter than this share of them may be all rounding, without direction. */
const ROUNDING = 1e-8;

/**
 * Returns the oriented bounding box of an object, by its current world matrix.
 *
 * It is the box of the object's geometry, rotated, moved and scaled with it. For an exact test after `findPairs`, which
 * compares axis-aligned boxes.
 *
 * - Mirrored and flattened objects (negative or zero scale) are handled.
 * - A sheared object, below a rotated parent with non-uniform scale, is no box in the world. It gets one around it,
 *   along its own x axis and as near to its y axis as right angles allow.
 * - Instanced and batched meshes get one box around all instances. Skinned meshes, sprites and LODs get their world
 *   bounds, aligned with the world's axes.
 * - An object that draws nothing gets half sizes of -Infinity, so it touches nothing.
 *
 * Unlike `OBB.applyMatrix4`, which moves the centre without rotating it, this works for geometry away from its origin.
 *
 * @param target Overwritten. Default a new OBB.
 * @throws TypeError for an invalid object or target.
 * @example
 * ```ts
 * import { findPairs, orientedBoxOf } from 'three-scene-index';
 *
 * for (const [a, b] of findPairs(index)) {
 *   if (orientedBoxOf(a).intersectsOBB(orientedBoxOf(b))) console.log(a.name, 'touches', b.name);
 * }
 * ```
 */
export function orientedBoxOf(object: Object3D, target: OBB = new OBB()): OBB {
  checkObject(object, 'orientedBoxOf.object');
  checkOBB(target, 'orientedBoxOf.target');
  const { isLOD, isSprite, isSkinnedMesh } = object as Flags;
  const isAligned = isLOD || isSprite || isSkinnedMesh;
  const bounds = isAligned ? alignedBounds(object) : localBounds(object);
  const matrix = isAligned ? IDENTITY : object.matrixWorld;
  findAxes(matrix);
  // Row by row: the axes are its columns.
  target.rotation.set(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z);
  bounds.getCenter(target.center).applyMatrix4(matrix);
  if (bounds.isEmpty()) {
    target.halfSize.setScalar(Number.NEGATIVE_INFINITY);
    return target;
  }
  bounds.getSize(half).multiplyScalar(0.5);
  target.halfSize.set(reachAlong(x), reachAlong(y), reachAlong(z));
  return target;
}

const IDENTITY = new Matrix4();
const box = new Box3();
const world = new Float64Array(6);
const half = new Vector3();
/** Columns of the matrix: where it takes the three axes. */
const columns = [new Vector3(), new Vector3(), new Vector3()];
/** Unit vectors at right angles. */
const x = new Vector3();
const y = new Vector3();
const z = new Vector3();

function alignedBounds(object: Object3D): Box3 {
  worldBounds(object, world);
  box.min.set(world[0], world[1], world[2]);
  box.max.set(world[3], world[4], world[5]);
  return box;
}

/** Half the length of the transformed box along an axis. */
function reachAlong(axis: Vector3): number {
  const [a, b, c] = columns;
  return half.x * Math.abs(a.dot(axis)) + half.y * Math.abs(b.dot(axis)) + half.z * Math.abs(c.dot(axis));
}

/**
 * Brings the axes of a matrix to right angles (Gram and Schmidt). An axis that it flattens is replaced by any direction
 * at right angles to the others.
 */
function findAxes(matrix: Matrix4): void {
  const [a, b, c] = columns;
  for (let i = 0; i < 3; i++) columns[i].setFromMatrixColumn(matrix, i);
  x.copy(a);
  if (a.length() === 0 && isShort(x.crossVectors(b, c), b.length() * c.length())) across(b.length() > 0 ? b : c, x);
  x.normalize();
  y.copy(b).addScaledVector(x, -b.dot(x));
  if (isShort(y, b.length()) && isShort(y.crossVectors(c, x), c.length())) across(x, y);
  y.normalize();
  z.crossVectors(x, y);
}

/** True for what rounding may have left of vectors that cancel out. */
function isShort(v: Vector3, length: number): boolean {
  return v.length() <= ROUNDING * length;
}

/** Some direction at right angles to a vector; any direction for zero. */
function across(v: Vector3, out: Vector3): void {
  out.set(0, -v.z, v.y);
  if (Math.abs(v.x) > Math.abs(v.y) + Math.abs(v.z)) out.set(-v.z, 0, v.x);
  if (v.length() === 0) out.set(1, 0, 0);
}
