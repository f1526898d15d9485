import type { BatchedMesh, InstancedMesh, Object3D } from 'three';
import { geometryBounds, measureGeometry } from '../scene/bounds/geometryBounds.js';
import { instanceBounds, measureInstances } from '../scene/bounds/instanceBounds.js';
import { geometryOf, worldBounds } from '../scene/bounds/worldBounds.js';
import type { Entries } from '../scene/follow/Entries.js';
import { describeError } from '../scene/objects/describe.js';
import type { Flags, ObjectRecord } from '../scene/objects/ObjectRecord.js';
import { adviceFor } from './labels.js';

/** Bounds that an entry has not, or that are not those of now. */
export function whyNoBounds(record: ObjectRecord, entry: ObjectRecord, entries: Entries): string[] {
  const whose = record === entry ? 'Its' : `The LOD's`;
  const now = new Float64Array(6);
  try {
    worldBounds(entry.object, now);
  } catch (error) {
    return [`${whose} bounds cannot be computed, so it has no place in the index: ${describeError(error)}.`];
  }
  if (now.some(Number.isNaN)) {
    const isPlaced = !entry.object.matrixWorld.elements.some(Number.isNaN);
    return [
      `${whose} bounds are NaN, so it has no place in the index: so is its ${isPlaced ? 'geometry' : 'world matrix'}.`,
    ];
  }
  if (entries.quarantined.has(entry)) return [`${whose} bounds were NaN at the last update: ${adviceFor(entry)}.`];
  if (now[0] > now[3])
    return [`${whose} bounds are empty, so it has no place in the index: ${whyEmpty(entry.object)}.`];
  if (entry.id < 0) return [`${whose} bounds are not in the index yet: ${adviceFor(entry)}.`];
  const filed = entries.index.getBox(entry.id);
  if (filed.some((value, i) => value !== now[i]) || hasUnnoticedInstances(entry)) {
    const then = entry.isStatic ? '' : ', and index.touch() with it where that changes nothing';
    return [`${whose} bounds in the index are not those of now: ${adviceFor(entry)}${then}.`];
  }
  const geometry = geometryOf(record.object);
  if (!geometry?.attributes.position || measureGeometry(geometry).equals(geometryBounds(geometry))) return [];
  return ['Its vertices changed unnoticed: set needsUpdate of its positions, or call index.touch() with it.'];
}

/** True when instances are not where they were when they were measured last. */
function hasUnnoticedInstances({ hasInstances, object }: ObjectRecord): boolean {
  if (!hasInstances) return false;
  const mesh = object as InstancedMesh | BatchedMesh;
  return !measureInstances(mesh).equals(instanceBounds(mesh));
}

function whyEmpty(object: Object3D & Flags): string {
  const { count, instanceCount } = object as { count?: number; instanceCount?: number };
  if (object.isLOD) return 'nothing that is drawn lies in it';
  const geometry = geometryOf(object);
  if (geometry === null) return 'it has no geometry';
  if (object.isInstancedMesh && count === 0) return 'its count is 0';
  if (object.isBatchedMesh && instanceCount === 0) return 'it has no instances';
  return geometry.attributes.position?.count > 0 ? 'nothing of it is shown' : 'its geometry has no vertices';
}
