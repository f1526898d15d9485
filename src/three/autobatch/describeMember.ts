import type { Member } from './Member.js';

/** A sentence that says how a mesh is drawn. */
export function describeMember(member: Member | undefined): string {
  const reason = member === undefined ? 'no picture has shown it yet' : whyNotSeated(member);
  if (member === undefined || reason !== null) return `It is drawn by itself, not in a batch: ${reason}.`;
  const batches = member.parts.map(({ group }) => `${group?.batch?.size} draws`);
  return `It is drawn in ${batches.length === 1 ? 'a batch' : `${batches.length} batches`} of ${batches.join(' and ')}.`;
}

/** Why a mesh is in no batch; null where it is. */
function whyNotSeated({ reason, geometry, parts, awaySince }: Member): string | null {
  if (reason !== null) return reason;
  if (geometry === null) return 'it is to be looked at with the next picture';
  if (awaySince >= 0) return 'its material is not the one that it joined with, to which it may go back';
  if (parts.every(({ slot }) => slot >= 0)) return null;
  if (parts.some(({ slot, isRefused }) => slot < 0 && isRefused)) return 'batches may take no more memory (maxBytes)';
  return parts.some(({ group }) => !group?.batch) ? 'too few others are like it' : 'it joins with the next picture';
}
