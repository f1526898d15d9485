import type { BufferGeometry, Material, Texture } from 'three';
import { getOrMake } from '../../core/arrays.js';
import { type FactRule, firstBrokenBy } from '../../scene/facts/factRules.js';
import { materialFacts } from '../../scene/facts/MaterialFacts.js';
import { isInMemory, type VertexAttribute } from '../../scene/objects/attributes.js';
import * as FACTS from '../../three/materialBits.js';
import type { Levels } from './makeLevels.js';

/** Why a draw in a batch has no levels of detail. `LEVEL_REASONS` says each in words. */
export type LevelReason = MaterialReason | GeometryReason | 'notAllowed' | 'part' | 'full';
type MaterialReason = 'cutout' | 'alphaMap' | 'polygonOffset' | 'displacementMap' | 'shader';
type GeometryReason = 'noIndex' | 'few' | 'notInMemory' | 'worker' | 'changes' | 'failed' | 'nothingSaved' | 'waiting';

/** What is known of a geometry that is drawn in batches. */
export interface LeveledGeometry {
  readonly geometry: BufferGeometry;
  /** A number that grows with each change of the geometry, and the time of the last change, in milliseconds. */
  readonly revision: number;
  readonly changedAt: number;
  /** Of its present revision; null while there are none, and whether making them failed. */
  levels: Levels | null;
  levelsFailed: boolean;
  /** The {@link sampledSets} that its levels have been made for. */
  weighed: number;
}

/** One draw of a mesh: of a range of its index, with a material. */
export interface LeveledDraw {
  readonly owner: { readonly isLeveled: boolean };
  readonly joined: { readonly geometry: LeveledGeometry };
  readonly range: { readonly start: number; readonly count: number };
  readonly material: Material;
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
  return firstBrokenBy(materialFacts(material).bits, MATERIAL) ?? (material.alphaMap ? 'alphaMap' : null);
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
  const names = ['position', ...WEIGHED.map(({ name }) => name), ...UV_SETS];
  const { attributes } = geometry;
  const isReadable = (name: string): boolean => !attributes[name] || isInMemory(attributes[name] as VertexAttribute);
  return names.every(isReadable) ? null : 'notInMemory';
}

/** True for a draw of all of its geometry. */
export function isWhole({ range, joined }: LeveledDraw): boolean {
  return range.start === 0 && range.count === joined.geometry.geometry.index?.count;
}

/** Attributes that count for what is drawn, how many of their numbers, and what each weighs beside a distance. */
export const WEIGHED = [
  { name: 'normal', size: 3, weight: 0.5, isTexture: false },
  { name: 'tangent', size: 4, weight: 0.5, isTexture: false },
  { name: 'color', size: 4, weight: 1, isTexture: false },
] as const;

/** Sets of texture coordinates, by the `channel` of the textures that are looked up in each. */
export const UV_SETS = ['uv', 'uv1', 'uv2', 'uv3'] as const;

/** Textures that are looked up by directions or by brightness. */
const BY_OTHERS = new Set(['envMap', 'matcap', 'gradientMap']);

/** The properties that hold all other textures, by type of material. */
const mapsOf = new Map<string, readonly string[]>();

function findMaps(material: Material): string[] {
  const names: string[] = [];
  for (const name in material) if (/map$/i.test(name) && !BY_OTHERS.has(name)) names.push(name);
  return names;
}

/** The sets of texture coordinates that a material looks textures up in: bit n for number n of {@link UV_SETS}. */
export function sampledSets(material: Material): number {
  let sets = 0;
  for (const name of getOrMake(mapsOf, material.type, () => findMaps(material))) {
    const map = material[name as never] as Texture | null | undefined;
    if (map) sets |= 1 << map.channel;
  }
  return sets;
}

/** The sets of texture coordinates that a geometry has. */
export function setsOf({ attributes }: BufferGeometry): number {
  return UV_SETS.reduce((sets, name, set) => (attributes[name] ? sets | (1 << set) : sets), 0);
}

/** True for a geometry with levels that tear no texture which is looked up in some sets of coordinates. */
export function hasLevels({ levels, weighed }: LeveledGeometry, sets: number): boolean {
  return levels !== null && (sets & ~weighed) === 0;
}
