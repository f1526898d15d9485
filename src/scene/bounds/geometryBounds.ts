import { Box3, type BufferAttribute, type BufferGeometry, type Sphere, Vector3 } from 'three';
import { getOrMake } from '../../core/arrays.js';
import { type VertexAttribute as Attribute, hasVertices, isInMemory, sourceOf } from '../objects/attributes.js';
import { writeBox } from './transformBox.js';

/** The box of a geometry, and what it was made of. A new object after each change, so it identifies the shape. */
export interface GeometryBounds {
  revision: number;
  vertexRevision: number;
  box: Box3;
  /** `box` as six numbers: minX minY minZ maxX maxY maxZ. */
  readonly sides: Float64Array;
  /** The bounding box that three would compute, of all vertices and morph targets; null where it was not needed. */
  whole: Box3 | null;
  /** Copies of the geometry's own bounds, if three computed them from its vertices, then or before; else null. */
  madeBox: Box3 | null;
  madeSphere: Sphere | null;
}

const known = new WeakMap<BufferGeometry, GeometryBounds>();

/**
 * The box of what a geometry draws in its own space, morph targets included; empty without vertices. Kept while its
 * revision is the same. The result is shared: do not change it.
 *
 * It is computed from the positions, as `geometry.boundingBox` is stale after an edit until it is computed again.
 * Bounds that the user declared larger, for shaders that move vertices, count: the box is widened to hold
 * `boundingBox`, and `boundingSphere` where that is larger than the vertices explain. Bounds that the vertices explain,
 * as they are or as they were when they were last measured, are no declaration: three computes such and does not change
 * them with the vertices. Vertices that only the GPU has, as of a `GLBufferAttribute` or a freed array, lie in the
 * declared bounds, those by three included; a box that was measured before stays.
 */
export function geometryBounds(geometry: BufferGeometry): Box3 {
  return geometry.attributes.position === undefined ? NOTHING : boundsOf(geometry).box;
}

/** What is known of a geometry that has positions: the same object for as long as its shape is the same. */
export function boundsOf(geometry: BufferGeometry): GeometryBounds {
  const revision = revisionOf(geometry);
  const kept = known.get(geometry);
  if (kept?.revision === revision) return kept;
  const bounds = measure(geometry, revision, kept ?? null);
  writeBox(bounds.box, bounds.sides, 0);
  known.set(geometry, bounds);
  return bounds;
}

/** The box computed anew, of a geometry that has positions. */
export function measureGeometry(geometry: BufferGeometry): Box3 {
  return measure(geometry, revisionOf(geometry), known.get(geometry) ?? null).box;
}

/** Has a geometry measured anew when its box is next asked for. */
export function forgetGeometryBounds(geometry: BufferGeometry): void {
  const bounds = known.get(geometry);
  if (bounds !== undefined) bounds.revision = bounds.vertexRevision = Number.NaN;
}

/**
 * The box of what morph targets may add to a vertex. Influences are taken to lie in 0 to 1, in any combination: each
 * target moves a vertex by at most its own delta, so the deltas' boxes add up.
 */
export function morphReach(geometry: BufferGeometry): Box3 {
  const position = geometry.attributes.position as Attribute;
  const reach = new Box3(new Vector3(), new Vector3());
  const delta = new Vector3();
  const base = new Vector3();
  for (const target of (geometry.morphAttributes.position ?? []) as Attribute[]) {
    const low = new Vector3();
    const high = new Vector3();
    for (let i = 0; i < Math.min(target.count, position.count); i++) {
      delta.fromBufferAttribute(target, i);
      if (!geometry.morphTargetsRelative) delta.sub(base.fromBufferAttribute(position, i));
      low.min(delta);
      high.max(delta);
    }
    reach.min.add(low);
    reach.max.add(high);
  }
  return reach;
}

/** What the shape of a geometry depended on when it was last asked about, and how often it had changed by then. */
export class Snapshot {
  position: Attribute | undefined;
  // NaN equals no version, so the first revision is 0.
  version: number = Number.NaN;
  /** The morph targets, each before its version: a sum of these stays the same where one target goes as another changes. */
  targets: readonly unknown[] = [];
  start = 0;
  count = 0;
  index: BufferAttribute | null = null;
  indexVersion = 0;
  revision = -1;
  /** The first revision with these positions and morph targets. */
  vertexRevision = -1;
}

const snapshots = new WeakMap<BufferGeometry, Snapshot>();

/**
 * A number that grows with each change of what a geometry draws: another position attribute, `needsUpdate` of it or of
 * morph targets, other points of wide lines, another `drawRange`, and, where that draws a part of an index, the index.
 * Throws what getters throw.
 */
export function revisionOf(geometry: BufferGeometry, snapshot: Snapshot = snapshotOf(geometry)): number {
  const { attributes } = geometry as { attributes: { [name: string]: Attribute | undefined } };
  // Wide lines have the corners of one segment as positions; their class declares new bounds with each `setPositions`.
  const position = attributes.instanceStart ?? attributes.position;
  const { start, count } = geometry.drawRange;
  const index = isWhole(geometry) ? null : geometry.index;
  const indexVersion = index?.version ?? 0;
  const version = (position === undefined ? 0 : versionOf(position)) + (geometry.morphTargetsRelative ? 0.5 : 0);
  const targets = (geometry.morphAttributes?.position ?? NO_TARGETS) as Attribute[];
  const hasSameVertices =
    snapshot.position === position && snapshot.version === version && hasTargets(snapshot, targets);
  const isSame = hasSameVertices && snapshot.index === index && snapshot.indexVersion === indexVersion;
  if (isSame && snapshot.start === start && snapshot.count === count) return snapshot.revision;
  snapshot.revision++;
  if (!hasSameVertices) {
    snapshot.vertexRevision = snapshot.revision;
    snapshot.targets = targets.flatMap((target) => [target, versionOf(target)]);
  }
  return Object.assign(snapshot, { position, version, start, count, index, indexVersion }).revision;
}

const NO_TARGETS: readonly Attribute[] = [];

function hasTargets({ targets }: Snapshot, now: readonly Attribute[]): boolean {
  for (let i = 0; i < now.length; i++) {
    if (now[i] !== targets[2 * i] || versionOf(now[i]) !== targets[2 * i + 1]) return false;
  }
  return 2 * now.length === targets.length;
}

/** The snapshot of a geometry, which stays the same object. Finding it takes long, so who asks often keeps it. */
export function snapshotOf(geometry: BufferGeometry): Snapshot {
  return getOrMake(snapshots, geometry, () => new Snapshot());
}

/** The number of changes of an attribute's data for which `needsUpdate` was set. */
export function versionOf(attribute: Attribute): number {
  return sourceOf(attribute).version;
}

/** True when `drawRange` has all vertices drawn. */
function isWhole({ drawRange }: BufferGeometry): boolean {
  return drawRange.start <= 0 && drawRange.count === Number.POSITIVE_INFINITY;
}

const NOTHING = new Box3();

function measure(geometry: BufferGeometry, revision: number, before: GeometryBounds | null): GeometryBounds {
  const position = geometry.attributes.position as BufferAttribute;
  const { vertexRevision } = snapshotOf(geometry);
  const box = new Box3();
  const bounds: GeometryBounds = {
    revision,
    vertexRevision,
    box,
    sides: new Float64Array(6),
    whole: before?.vertexRevision === vertexRevision ? before.whole : null,
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
  const all = (): Box3 => {
    bounds.whole ??= boxByThree(geometry, isAllDrawn ? box : null);
    return bounds.whole;
  };
  if (geometry.morphAttributes.position === undefined) {
    if (isAllDrawn) bounds.whole = box.clone();
  } else {
    all();
    if (!box.isEmpty()) {
      const reach = morphReach(geometry);
      box.min.add(reach.min);
      box.max.add(reach.max);
    }
  }
  const { boundingBox, boundingSphere } = geometry;
  if (boundingBox && !boundingBox.isEmpty()) {
    if (isMadeBox(boundingBox, before, all)) bounds.madeBox = boundingBox.clone();
    else if (!box.isEmpty()) box.union(boundingBox);
  }
  if (boundingSphere && !boundingSphere.isEmpty()) {
    if (isMadeSphere(boundingSphere, before, all)) bounds.madeSphere = boundingSphere.clone();
    else if (!box.isEmpty()) box.union(boundingSphere.getBoundingBox(new Box3()));
  }
  return bounds;
}

/**
 * What `computeBoundingBox` would make.
 * @param positions The box of the positions, where it is known.
 */
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
 * The box around the bounds that a geometry, or an object with instances or bones, has been given, or three has computed.
 * @throws an error that says `otherwise` where there are none.
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

/** True when the vertices explain a bounding box: those of now, of the last measurement, or those it was made from. */
function isMadeBox(box: Box3, before: GeometryBounds | null, all: () => Box3): boolean {
  return before?.madeBox?.equals(box) || before?.whole?.containsBox(box) || all().containsBox(box);
}

function isMadeSphere(sphere: Sphere, before: GeometryBounds | null, all: () => Box3): boolean {
  if (before?.madeSphere?.equals(sphere)) return true;
  return (before?.whole != null && explains(before.whole, sphere)) || explains(all(), sphere);
}

/** True when a sphere reaches no farther than the corners of a box, as do those that three computes around it. */
function explains(box: Box3, sphere: Sphere): boolean {
  const largest = (box.getSize(new Vector3()).length() / 2) * 1.0001;
  return !box.isEmpty() && sphere.radius + sphere.center.distanceTo(box.getCenter(new Vector3())) <= largest;
}
