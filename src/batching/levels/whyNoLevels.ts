import type { BufferGeometry, Material } from 'three';
import { isInMemory, type VertexAttribute } from '../../scene/objects/attributes.js';
import * as FACTS from '../../scene/objects/facts.js';
import { type FactRule, firstBrokenBy, materialFacts } from '../../scene/objects/materialFacts.js';
import type { Levels } from './makeLevels.js';

/** Why a draw in a batch has no levels of detail. `LEVEL_REASONS` says each in words. */
export type LevelReason = MaterialReason | GeometryReason | 'notAllowed' | 'part' | 'full';
type MaterialReason = 'cutout' | 'alphaMap' | 'polygonOffset' | 'displacementMap' | 'shader';
type GeometryReason = 'noIndex' | 'few' | 'notInMemory' | 'worker' | 'changes' | 'failed' | 'nothingSaved' | 'waiting';

/** What is known of a geometry that is drawn in batches. */
export interface LeveledGeometry {
  readonly geometry: BufferGeometry;
  readonly vertices: number;
  /** Grows with each change of its numbers; and the frame of the last one. */
  readonly revision: number;
  readonly changedIn: number;
  /** Of its present revision; null while there are none, and whether making them failed. */
  levels: Levels | null;
  levelsFailed: boolean;
}

/** One draw of a mesh: of a range of its index, with a material. */
export interface LeveledDraw {
  readonly owner: { readonly geometry: LeveledGeometry | null; readonly isLeveled: boolean };
  readonly range: { readonly start: number; readonly count: number };
  readonly known: { readonly material: Material } | null;
}

/** Geometries with fewer triangles stay as they are. */
const FEWEST_TRIANGLES = 256;
/** One step for so many triangles takes 4 ms: geometries with more are left to a worker. */
const MOST_TRIANGLES = 12_000;

const MATERIAL: readonly FactRule<MaterialReason>[] = [
  // What is cut out moves with the texture coordinates.
  [FACTS.cutout, 'cutout'],
  // Stickers, which lie nearer to something than a level may be off.
  [FACTS.polygonOffset, 'polygonOffset'],
  [FACTS.displaced, 'displacementMap'],
  // Taken on trust; it may move vertices.
  [FACTS.otherShader | FACTS.onBeforeCompile | FACTS.nodes, 'shader'],
];

export function whyUnleveledMaterial(material: Material & { alphaMap?: object | null }): MaterialReason | null {
  return firstBrokenBy(materialFacts(material), MATERIAL) ?? (material.alphaMap ? 'alphaMap' : null);
}

/** @param hasWorker Whether the simplifier works elsewhere, so that it may take long. */
export function whyUnleveledGeometry(known: LeveledGeometry, hasWorker: boolean): GeometryReason | null {
  const { geometry, levels } = known;
  if (levels !== null) return levels.counts.length === 0 ? 'nothingSaved' : null;
  if (geometry.index === null) return 'noIndex';
  const triangles = geometry.index.count / 3;
  if (triangles < FEWEST_TRIANGLES) return 'few';
  if (triangles > MOST_TRIANGLES && !hasWorker) return 'worker';
  if (known.levelsFailed) return 'failed';
  const isThere = WEIGHED.every(([name]) => isReadable(geometry, name));
  return isThere && isReadable(geometry, 'position') ? null : 'notInMemory';
}

function isReadable({ attributes }: BufferGeometry, name: string): boolean {
  return !attributes[name] || isInMemory(attributes[name] as VertexAttribute);
}

/** True for a draw of all of its geometry. */
export function isWhole({ range, owner }: LeveledDraw): boolean {
  return range.start === 0 && range.count === owner.geometry?.geometry.index?.count;
}

/** Attributes that count for what is drawn, how many of their numbers, and what each weighs beside a distance. */
export const WEIGHED: readonly (readonly [name: string, numbers: number, weight: number])[] = [
  ['normal', 3, 0.5],
  ['uv', 2, 0.5],
  ['color', 4, 1],
];
