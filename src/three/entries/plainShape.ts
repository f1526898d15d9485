import type { Object3D, SkinnedMesh } from 'three';
import { type Shape, shapeOf } from '../bounds/geometryBounds.js';
import type { Flags, ObjectRecord } from '../objects/ObjectRecord.js';

/**
 * The shape of the geometry that a record names, if the bounds of its object are those of the geometry, carried by the
 * world matrix; else null. It is good for as long as its revision is that of the record.
 */
export function plainShape({ object, geometry, hasInstances }: ObjectRecord): Shape | null {
  const kind = object as Object3D & Flags;
  if (geometry === null || hasInstances || kind.isLOD || kind.isSprite) return null;
  if (kind.isSkinnedMesh && (object as SkinnedMesh).skeleton) return null;
  return geometry.attributes.position === undefined ? null : shapeOf(geometry);
}
