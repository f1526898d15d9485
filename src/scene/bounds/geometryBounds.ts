import { Box3, type BufferAttribute, type BufferGeometry, type Sphere, Vector3 } from 'three';
import { geometryFacts, isWhole } from '../facts/GeometryFacts.js';
import { type VertexAttribute as Attribute, hasVertices, isInMemory } from '../objects/attributes.js';
import { writeBox } from './transformBox.js';

/** The box of a geometry, and its sources. Each change makes a new object, so the object identifies the shape. */
export interface GeometryBounds {
  /** The stamps of the shape and vertices that the box was made from; NaN once the box is to be made anew. */
  shape: number;
  vertices: number;
  box: Box3;
  /** `box` as six numbers: minX minY minZ maxX maxY maxZ. */
  readonly sides: Float64Array;
  /** The bounding box that three would compute, of all vertices and morph targets; null while it is not needed. */
  whole: Box3 | null;
  /** Copies of the geometry's own bounds, if three computed them from its vertices, present or past; else null. */
  madeBox: Box3 | null;
  madeSphere: Sphere | null;
}

const boundsOfGeometries = new WeakMap<BufferGeometry, GeometryBounds>();

/**
 * The box of the drawn vertices of a geometry in its own space, morph targets included; empty without vertices. It is
 * kept while the shape is the same. The result is shared: do not change it.
 *
 * The box is computed from the positions, as `geometry.boundingBox` is stale after an edit until it is computed again.
 * Larger bounds declared by the user, for shaders that move vertices, count: the box is widened to hold
 * `boundingBox`, and `boundingSphere` if it is larger than the vertices explain. Bounds explained by the present
 * vertices, or by those last measured, are no declaration: three computes such bounds and does not change them with the
 * vertices. If only the GPU has the vertices, as of a `GLBufferAttribute` or a freed array, the declared bounds count,
 * also if three computed these bounds; a box measured earlier stays.
 */
export function geometryBounds(geometry: BufferGeometry): Box3 {
  return geometry.attributes.position === undefined ? NO_BOX : boundsOf(geometry).box;
}

/** The bounds of a geometry that has positions: the same object for as long as its shape is the same. */
export function boundsOf(geometry: BufferGeometry): GeometryBounds {
  const shape = geometryFacts(geometry).lookAtShape();
  const kept = boundsOfGeometries.get(geometry);
  if (kept?.shape === shape) return kept;
  const bounds = measure(geometry);
  writeBox(bounds.box, bounds.sides, 0);
  boundsOfGeometries.set(geometry, bounds);
  return bounds;
}

/** The box of a geometry that has positions, computed anew. */
export function measureGeometry(geometry: BufferGeometry): Box3 {
  return measure(geometry).box;
}

/** Marks a geometry to be measured anew when its box is next asked for. */
export function forgetGeometryBounds(geometry: BufferGeometry): void {
  const bounds = boundsOfGeometries.get(geometry);
  if (bounds !== undefined) bounds.shape = bounds.vertices = Number.NaN;
}

/**
 * The box of the offsets that morph targets may add to a vertex. Influences are taken to lie in 0 to 1, in any
 * combination: each target moves a vertex by at most its own delta, so the deltas' boxes add up.
 */
export function morphReach(geometry: BufferGeometry): Box3 {
  const { count } = geometry.attributes.position;
  const reach = new Box3(new Vector3(), new Vector3());
  for (const target of (geometry.morphAttributes.position ?? []) as Attribute[]) {
    const low = new Vector3();
    const high = new Vector3();
    for (let i = 0; i < Math.min(target.count, count); i++) {
      low.min(morphDelta(geometry, target, i));
      high.max(delta);
    }
    reach.min.add(low);
    reach.max.add(high);
  }
  return reach;
}

/** The offset by which a morph target moves a vertex; the next call overwrites it. */
export function morphDelta(geometry: BufferGeometry, target: Attribute, vertex: number): Vector3 {
  delta.fromBufferAttribute(target, vertex);
  if (geometry.morphTargetsRelative) return delta;
  return delta.sub(base.fromBufferAttribute(geometry.attributes.position, vertex));
}

const delta = new Vector3();
const base = new Vector3();
const NO_BOX = new Box3();

function measure(geometry: BufferGeometry): GeometryBounds {
  const position = geometry.attributes.position as BufferAttribute;
  const facts = geometryFacts(geometry);
  const shape = facts.lookAtShape();
  const vertices = facts.lookAtVertices();
  const before = boundsOfGeometries.get(geometry);
  const box = new Box3();
  const bounds: GeometryBounds = {
    shape,
    vertices,
    box,
    sides: new Float64Array(6),
    whole: before?.vertices === vertices ? before.whole : null,
    madeBox: null,
    madeSphere: null,
  };
  const isAllDrawn = isWhole(geometry);
  if (!hasVertices(geometry) || !(isAllDrawn || geometry.index === null || isInMemory(geometry.index))) {
    box.copy(declaredBox(geometry, 'its vertices exist only on the GPU: set geometry.boundingSphere'));
    return bounds;
  }
  if (isAllDrawn) box.setFromBufferAttribute(position);
  else addDrawn(geometry, position, box);
  const hasMorphs = geometry.morphAttributes.position !== undefined;
  // The whole box is computed from the box of the positions, before that box is widened below.
  if (isAllDrawn || hasMorphs) bounds.whole ??= boxByThree(geometry, isAllDrawn ? box : null);
  if (hasMorphs && !box.isEmpty()) {
    const reach = morphReach(geometry);
    box.min.add(reach.min);
    box.max.add(reach.max);
  }
  addDeclared(geometry, bounds, before);
  return bounds;
}

/** Widens a box to hold the declared bounds of its geometry: bounds that no vertices explain. */
function addDeclared(geometry: BufferGeometry, bounds: GeometryBounds, before: GeometryBounds | undefined): void {
  const { box } = bounds;
  const all = (): Box3 => {
    bounds.whole ??= boxByThree(geometry, null);
    return bounds.whole;
  };
  // The present vertices, or the vertices last measured, may explain bounds.
  const isExplained = (byBox: (whole: Box3) => boolean): boolean =>
    (before?.whole != null && byBox(before.whole)) || byBox(all());
  const { boundingBox, boundingSphere } = geometry;
  if (boundingBox && !boundingBox.isEmpty()) {
    const isMade = before?.madeBox?.equals(boundingBox) || isExplained((whole) => whole.containsBox(boundingBox));
    if (isMade) bounds.madeBox = boundingBox.clone();
    else if (!box.isEmpty()) box.union(boundingBox);
  }
  if (boundingSphere && !boundingSphere.isEmpty()) {
    const isMade =
      before?.madeSphere?.equals(boundingSphere) || isExplained((whole) => explains(whole, boundingSphere));
    if (isMade) bounds.madeSphere = boundingSphere.clone();
    else if (!box.isEmpty()) box.union(boundingSphere.getBoundingBox(new Box3()));
  }
}

/** The box that `computeBoundingBox` would make, by the box of the `positions` if that is known. */
function boxByThree(geometry: BufferGeometry, positions: Box3 | null): Box3 {
  const { attributes, morphAttributes, morphTargetsRelative } = geometry;
  const box = positions?.clone() ?? new Box3().setFromBufferAttribute(attributes.position as BufferAttribute);
  const part = new Box3();
  for (const target of (morphAttributes.position ?? []) as BufferAttribute[]) {
    part.setFromBufferAttribute(target);
    if (morphTargetsRelative) {
      box.expandByPoint(part.min.add(box.min));
      box.expandByPoint(part.max.add(box.max));
    } else {
      box.union(part);
    }
  }
  return box;
}

/** Widens a box to hold the vertices within `drawRange`. */
function addDrawn({ drawRange, index }: BufferGeometry, position: BufferAttribute, box: Box3): void {
  const vertex = new Vector3();
  const start = Math.max(0, drawRange.start);
  const end = Math.min((index ?? position).count, start + drawRange.count);
  for (let i = start; i < end; i++) {
    box.expandByPoint(vertex.fromBufferAttribute(position, index === null ? i : index.getX(i)));
  }
}

/**
 * The box around the bounds of a geometry, or of an object with instances or bones, declared or computed by three.
 * @throws an error that says `otherwise` when there are no bounds.
 */
export function declaredBox(
  { boundingBox, boundingSphere }: { boundingBox?: Box3 | null; boundingSphere?: Sphere | null },
  otherwise: string,
): Box3 {
  if (!boundingBox && !boundingSphere) throw new Error(otherwise);
  const box = new Box3();
  boundingSphere?.getBoundingBox(box);
  return boundingBox ? box.union(boundingBox) : box;
}

/** True when a sphere reaches no farther than the corners of a box, like the spheres that three computes for it. */
function explains(box: Box3, sphere: Sphere): boolean {
  const largest = (box.getSize(new Vector3()).length() / 2) * 1.0001;
  return !box.isEmpty() && sphere.radius + sphere.center.distanceTo(box.getCenter(new Vector3())) <= largest;
}
