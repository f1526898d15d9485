import { Box3, type BufferAttribute, type BufferGeometry, type InterleavedBufferAttribute, Vector3 } from 'three';

type Attribute = BufferAttribute | InterleavedBufferAttribute;

/** The box of a geometry, and what it was made of. Made anew with each change, so that it stands for its shape. */
export interface Shape {
  position: Attribute;
  version: number;
  box: Box3;
}

const known = new WeakMap<BufferGeometry, Shape>();

/** The number of the last change of an attribute's data, as far as it was told by `needsUpdate`. */
export function versionOf(attribute: Attribute): number {
  return 'data' in attribute ? attribute.data.version : attribute.version;
}

/** A number that grows with each change of the positions, or morph targets, of a geometry that has positions. */
export function shapeVersion({ attributes, morphAttributes }: BufferGeometry): number {
  let version = versionOf(attributes.position as Attribute);
  const targets = morphAttributes?.position as Attribute[] | undefined;
  // Each counts one more, so that targets which come or go are noticed.
  if (targets !== undefined) for (const target of targets) version += 1 + versionOf(target);
  return version;
}

/**
 * The box of a geometry's vertices in its own space, morph targets included; empty without vertices. Kept until the
 * position attribute or the version of the shape changes. The result is shared: do not change it.
 *
 * It is made of the positions, not read from `geometry.boundingBox`, which is stale after an edit until it is computed
 * again. Bounds that the user declared larger (for shaders that move vertices) are respected: the box is widened to hold
 * `boundingBox`, and `boundingSphere` where that is larger than the vertices can explain. Vertices that only the GPU has,
 * of a `GLBufferAttribute`, lie in the bounds that are declared.
 */
export function geometryBounds(geometry: BufferGeometry): Box3 {
  return geometry.attributes.position === undefined ? NOTHING : shapeOf(geometry).box;
}

/** What is known of a geometry that has positions: the same object for as long as its shape is the same. */
export function shapeOf(geometry: BufferGeometry): Shape {
  const position = geometry.attributes.position as Attribute;
  const version = shapeVersion(geometry);
  const kept = known.get(geometry);
  if (kept !== undefined && kept.position === position && kept.version === version) return kept;
  const shape = { position, version, box: measureGeometry(geometry) };
  known.set(geometry, shape);
  return shape;
}

/** The box made anew, of a geometry that has positions. */
export function measureGeometry(geometry: BufferGeometry): Box3 {
  const position = geometry.attributes.position as BufferAttribute & { isGLBufferAttribute?: boolean };
  if (position.isGLBufferAttribute) return declaredBox(geometry);
  const box = new Box3().setFromBufferAttribute(position);
  if (box.isEmpty()) return box;
  const { min, max } = morphReach(geometry);
  box.min.add(min);
  box.max.add(max);
  addDeclared(geometry, box);
  return box;
}

/** Forgets the shape of a geometry, to be found again from what it has and declares now. */
export function forgetGeometryBounds(geometry: BufferGeometry): void {
  known.delete(geometry);
}

const NOTHING = new Box3();

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

/** The box around what a geometry declares of itself. */
function declaredBox({ boundingBox, boundingSphere }: BufferGeometry): Box3 {
  const box = new Box3();
  if (boundingSphere) boundingSphere.getBoundingBox(box);
  else if (!boundingBox) throw new Error('its vertices are on the GPU: declare geometry.boundingSphere');
  return boundingBox ? box.union(boundingBox) : box;
}

function addDeclared(geometry: BufferGeometry, box: Box3): void {
  const { boundingBox, boundingSphere } = geometry;
  const largest = (box.getSize(new Vector3()).length() / 2) * 1.0001;
  const shift = boundingSphere ? boundingSphere.center.distanceTo(box.getCenter(new Vector3())) : 0;
  if (boundingBox && !boundingBox.isEmpty()) box.union(boundingBox);
  // A sphere that three computes is centred on the box and reaches no farther than its corners.
  if (boundingSphere && boundingSphere.radius + shift > largest) box.union(boundingSphere.getBoundingBox(new Box3()));
}
