import * as THREE from 'three';
import { EITHER_WAY, ItemBuffer } from '../../helpers/occlusion/ItemBuffer.js';
import type { Boxes } from './checkPasses.js';
import { Difference, type Frame } from './Frame.js';
import { type Item, PIXELS } from './RendererStandIn.js';
import type { Any, Side } from './Side.js';
import { entryOf } from './trueBounds.js';

const COVERING = 0;
const HIDDEN = 1;
const buffer = new ItemBuffer(PIXELS, PIXELS);
const identity = new THREE.Matrix4();

/**
 * Fails unless all that was left out is hidden: in a picture of what else is opaque, none of the bounds of what is missing
 * is seen, nor is anything missing that might show there nevertheless.
 */
export function checkHidden(frame: Frame, missing: Item[], opaque: Item[], eye: THREE.Camera, boxes: Boxes): void {
  frame.counters.hidden += missing.length;
  const lost = new Set(missing.map(({ object }) => object));
  const view = eye.matrixWorldInverse.elements;
  buffer.begin(eye.projectionMatrix.elements);
  for (const { object, material } of opaque) {
    if (lost.has(object) || !covers(object as Any, material) || isExcepted(frame.plain, object)) continue;
    const triangles = trianglesOf(object as THREE.Mesh);
    for (const { elements } of placesOf(object))
      buffer.draw(triangles, elements, 0, view, COVERING, windingOf(object, material));
  }
  const known = new Set<THREE.Object3D>();
  for (const { object, material } of missing) {
    const why = whySeen(frame, object as Any, material);
    if (why !== null) throw new Difference('hidden', `${object.name} is left out, though ${why}`);
    const entry = entryOf(object);
    if (known.has(entry)) continue;
    known.add(entry);
    const box = boxes.get(entry) as THREE.Box3;
    if (!Number.isFinite(box.min.length() + box.max.length()))
      throw new Difference('hidden', `${object.name} is left out, though it may be anywhere`);
    buffer.draw(boxTriangles(box), identity.elements, 0, view, HIDDEN + known.size, EITHER_WAY);
  }
  const seen = buffer.ids.find((id) => id >= HIDDEN);
  if (seen === undefined) return;
  throw new Difference('hidden', `${[...known][seen - HIDDEN - 1].name} is left out, though its bounds are seen`);
}

/** True for what covers all of its triangles. */
function covers(object: Any, { transparent, depthTest, depthWrite, type }: THREE.Material): boolean {
  const { isMesh, isSkinnedMesh, isBatchedMesh, geometry, material } = object;
  if (!isMesh || isSkinnedMesh || isBatchedMesh || Array.isArray(material)) return false;
  const isStill = geometry?.morphAttributes.position === undefined;
  return isStill && type === 'MeshBasicMaterial' && !transparent && depthTest && depthWrite;
}

/** Why something may be seen, wherever it is; null where that depends on where it is. */
function whySeen({ plain }: Frame, object: Any, { depthTest }: THREE.Material): string | null {
  if (!object.isMesh) return 'it is no mesh';
  if (!object.frustumCulled) return 'it is never culled';
  if (!depthTest) return 'it is drawn without a depth test';
  return isExcepted(plain, object) ? 'it is excepted' : null;
}

function isExcepted({ occluded }: Side, object: THREE.Object3D): boolean {
  for (let o: THREE.Object3D | null = object; o !== null; o = o.parent) {
    const isOccluded = occluded.get(o);
    if (isOccluded !== undefined) return !isOccluded;
  }
  return false;
}

/** Where the triangles of a mesh are drawn: once, or for each of its instances. */
function placesOf(object: THREE.Object3D): THREE.Matrix4[] {
  if (!(object instanceof THREE.InstancedMesh)) return [object.matrixWorld];
  return Array.from({ length: object.count }, (_, i) => {
    const place = new THREE.Matrix4();
    object.getMatrixAt(i, place);
    return place.premultiply(object.matrixWorld);
  });
}

/** By the numbers of `FrontSide`, `BackSide` and `DoubleSide`. */
function windingOf({ matrixWorld }: THREE.Object3D, { side }: THREE.Material): number {
  return [1, -1, EITHER_WAY][side] * (matrixWorld.determinant() < 0 ? -1 : 1);
}

function trianglesOf({ geometry }: THREE.Mesh): number[] {
  const { index, attributes, drawRange } = geometry;
  const position = attributes.position as THREE.BufferAttribute;
  const end = Math.min((index ?? position).count, drawRange.start + drawRange.count);
  const out: number[] = [];
  for (let i = drawRange.start; i < end; i++) {
    const v = index === null ? i : index.getX(i);
    out.push(position.getX(v), position.getY(v), position.getZ(v));
  }
  return out.slice(0, 9 * Math.floor(out.length / 9));
}

function boxTriangles({ min, max }: THREE.Box3): number[] {
  const corner = (k: number): number[] => [(k & 1 ? max : min).x, (k & 2 ? max : min).y, (k & 4 ? max : min).z];
  return SIDES.flatMap(([a, b, c, d]) => [a, b, c, b, c, d].flatMap(corner));
}

/** Corners of the sides of a box, by bits for x, y and z. */
const SIDES = [
  [0, 1, 2, 3],
  [4, 5, 6, 7],
  [0, 1, 4, 5],
  [2, 3, 6, 7],
  [0, 2, 4, 6],
  [1, 3, 5, 7],
];
