import type { Camera, Object3D } from 'three';
import type { BatchedMeshState } from '../batching/BatchedMeshState.js';
import type { LeveledInstances } from '../batching/LeveledInstances.js';
import type { LevelQueue } from '../batching/LevelQueue.js';
import type { PlacedLevels } from '../batching/PlacedGeometry.js';
import type { LevelReason } from '../batching/whyNoLevels.js';
import { BATCH_REASONS, sentenceOf } from './batchReasons.js';

/** Each reason why a mesh has no levels of detail, in words, and advice. */
export const LEVEL_REASONS: Readonly<Record<LevelReason, readonly [sentence: string, advice: string]>> = {
  notAllowed: ['levels are switched off for it or an ancestor', 'Call index.levels(object, true) with that object.'],
  cutout: ['its material has alphaTest, alphaToCoverage or alphaHash', 'Nothing: the holes would move.'],
  alphaMap: ['its material has an alphaMap', 'Nothing: what is cut out would move.'],
  polygonOffset: ['its material has polygonOffset', 'Nothing: it may lie on a surface, and would vanish in it.'],
  displacementMap: ['its material has a displacementMap', 'Nothing: that needs the vertices.'],
  shader: ['its material has a shader of its own', 'Nothing: that may need the vertices.'],
  part: ['it draws a part of its geometry, by drawRange', 'Give the part a group, or a geometry of its own.'],
  alone: [
    'it is in no batch, and they would spare fewer than 2,000 of its triangles',
    'Nothing: a batch of its own would cost more. Meshes that are alike get one together.',
  ],
  few: ['its geometry has fewer than 256 triangles', 'Nothing: levels would spare next to none.'],
  notInMemory: ['its geometry is not in memory', 'Keep the arrays of its attributes and its index.'],
  restless: [
    'its geometry has changed a short time ago',
    'Nothing: levels are made when it has rested for a quarter of a second.',
  ],
  failed: ['making them failed', 'See the warning on the console.'],
  nothingSaved: ['none would save enough triangles', 'Nothing: all of its vertices matter.'],
  waiting: ['they have yet to be made', 'Nothing: they are made between frames.'],
  ordered: [
    'its material is transparent, or its draws depend on their order',
    'Nothing: levels would draw its instances in another order.',
  ],
  full: ['batches have reached their memory limit (maxBytes)', 'Raise the option batch.maxBytes.'],
};

/** Why a mesh has no levels of detail; null for a mesh that has some, or would have some in a batch. */
export function whyUnleveled(state: BatchedMeshState, levels: LevelQueue): LevelReason | null {
  const [draw] = state.draws;
  if (draw === undefined) return 'waiting';
  const { slot, group } = draw;
  const why = levels.whyNone(draw);
  if (why !== null || slot < 0 || group.batch?.slots.levelsAt(slot) !== null) return why;
  return group.batch.geometry.copies.isCopying(group.batch.slots.geometryAt(slot)) ? 'waiting' : 'full';
}

/** Why the instances of a mesh have no levels of detail, and advice; null for a mesh that has levels. */
export function whyInstancesUnleveled(instances: LeveledInstances): readonly [sentence: string, advice: string] | null {
  const { geometryReason, record } = instances;
  if (geometryReason !== null) return [sentenceOf(geometryReason, record.object), BATCH_REASONS[geometryReason][1]];
  const why = instances.whyNone();
  return why && LEVEL_REASONS[why];
}

function howInstancesLeveled(instances: LeveledInstances): string {
  const why = whyInstancesUnleveled(instances);
  if (why !== null) return `It has no levels of detail: ${why[0]}.`;
  const { levels, triangles } = instances;
  const all = `Its instances have ${levels} levels of detail`;
  if (triangles === null) return `${all}, of which the last picture shows none.`;
  const { drawn, spared } = triangles;
  return `${all}: in the last picture they were drawn with ${drawn} of ${drawn + spared} triangles.`;
}

/** Says which level of detail draws a mesh, or why none does; null for a scene without levels. */
export function howLeveled(
  object: Object3D,
  state: BatchedMeshState | undefined,
  levels: LevelQueue | null,
  camera: Camera,
): string | null {
  const instances = levels?.instances.get(object);
  if (instances !== undefined) return howInstancesLeveled(instances);
  if (levels === null || !state?.joined) return null;
  const [draw] = state.draws;
  const slot = draw?.slot ?? -1;
  const { batch = null } = draw?.group ?? {};
  const why = whyUnleveled(state, levels);
  const inCells = why === null || why === 'nothingSaved' ? (batch?.choice?.lastCells(slot) ?? null) : null;
  if (inCells !== null) {
    const { cells, triangles } = inCells;
    const count = batch?.slots.levelsAt(slot)?.counts.length ?? 0;
    const none = count === 0 ? 'no level of detail that suits' : `${count} levels of detail, none of which suits`;
    const shown = `${cells} ${cells === 1 ? 'cell' : 'cells'}, by ${triangles} of ${draw.range.count / 3} triangles`;
    return `It has ${none} all of it: it is drawn in ${shown}.`;
  }
  if (why !== null) return `It has no levels of detail: ${LEVEL_REASONS[why][0]}.`;
  if (slot < 0) return 'It has no levels of detail while it is in no batch.';
  const { range } = draw;
  const placed = batch?.slots.levelsAt(slot) as PlacedLevels;
  const last = batch?.choice?.lastAt(slot, camera) ?? null;
  const all = `It has ${placed.counts.length} levels of detail`;
  if (last === null) return `${all}, of which this camera has shown none yet.`;
  const { level, pixels } = last;
  if (level === 0) return `${all}, but is drawn with all ${range.count / 3} triangles: no level would be near enough.`;
  const drawn = `by number ${level} it is drawn with ${placed.counts[level - 1] / 3} of ${range.count / 3} triangles`;
  return `${all}: ${drawn}, off by at most ${Number(pixels.toPrecision(2))} pixels.`;
}
