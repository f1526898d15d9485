import { revisionOf } from '../bounds/geometryRevision.js';
import { instanceRevision, instancesOf } from '../bounds/instanceBounds.js';
import { geometryOf } from '../bounds/worldBounds.js';
import type { ObjectRecord } from '../objects/ObjectRecord.js';

/**
 * Writes to a record what the bounds of its object are made of: its geometry, the shape of that, its instances. True
 * when that differs from what was there, or cannot be read.
 */
export function noteShape(record: ObjectRecord): boolean {
  const { object } = record;
  try {
    const geometry = geometryOf(object);
    const shapeRevision = geometry === null ? 0 : revisionOf(geometry);
    const isSame = geometry === record.geometry && shapeRevision === record.shapeRevision;
    record.geometry = geometry;
    record.shapeRevision = shapeRevision;
    if (!record.hasInstances) return !isSame;
    const instances = instancesOf(object);
    const revision = instanceRevision(object);
    const isAsBefore = isSame && instances === record.instances && revision === record.revision;
    record.instances = instances;
    record.revision = revision;
    return !isAsBefore;
  } catch {
    // Reported by `Entries.#measure`.
    return true;
  }
}
