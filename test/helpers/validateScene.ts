import type { Entries } from '../../src/scene/follow/Entries.js';
import type { Hierarchy } from '../../src/scene/follow/Hierarchy.js';
import { partsOf, type SceneIndex } from '../../src/scene/SceneIndex.js';
import { validate } from './validate.js';

/** Problems found in the inner state of an index, in words; empty when healthy. Slow: for tests. */
export function validateScene(index: SceneIndex): string[] {
  const { entries, follower } = partsOf(index, 'validateScene');
  return [...validate(entries.measured), ...validateEntries(entries, follower.hierarchy)];
}

/** Ids and records must name each other, and what has an entry or is in quarantine must be followed. */
function validateEntries({ byId, measured, quarantined }: Entries, { records }: Hierarchy): string[] {
  const problems: string[] = [];
  let count = 0;
  byId.records.forEach((record, id) => {
    if (record === null) return;
    count++;
    if (byId.objects[id] !== record.object || byId.parents[id] !== record.parent) {
      problems.push(`id ${id} has the object or parent of another`);
    }
    if (record.id !== id) problems.push(`the object of id ${id} believes to have id ${record.id}`);
    if (!measured.has(id)) problems.push(`id ${id} has an object, but no box`);
    if (records.get(record.object) !== record) problems.push(`id ${id} belongs to an object that is not followed`);
  });
  if (count !== measured.size) problems.push(`${count} objects have ids, but ${measured.size} boxes are filed`);
  for (const record of quarantined) {
    if (records.get(record.object) !== record) problems.push('an object in quarantine is not followed');
  }
  return problems;
}
