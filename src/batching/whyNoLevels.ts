import type { BufferGeometry, Material, Texture } from 'three';
import { getOrMake } from '../core/arrays.js';
import { type FactRule, firstBrokenBy } from '../scene/facts/factRules.js';
import { materialFacts } from '../scene/facts/MaterialFacts.js';
import { isInMemory, type VertexAttribute } from '../scene/objects/attributes.js';
import * as FACTS from '../three/materialBits.js';
import type { LeveledPart } from './LeveledPart.js';

/** Why a draw in a batch has no levels of detail. `LEVEL_REASONS` puts each reason in words. */
export type LevelReason = MaterialLevelReason | PartLevelReason | 'notAllowed' | 'part' | 'alone' | 'full' | 'ordered';
type MaterialLevelReason = 'cutout' | 'alphaMap' | 'polygonOffset' | 'displacementMap' | 'shader';
type PartLevelReason = 'few' | 'notInMemory' | 'restless' | 'failed' | 'nothingSaved' | 'waiting';

/** Parts with fewer triangles get no levels. */
export const FEWEST_TRIANGLES = 256;

const LEVEL_RULES: readonly FactRule<MaterialLevelReason>[] = [
  // Holes move with the texture coordinates.
  [FACTS.cutout, 'cutout'],
  // Stickers may lie nearer to a surface than the error of a level.
  [FACTS.polygonOffset, 'polygonOffset'],
  [FACTS.displaced, 'displacementMap'],
  // A shader that was accepted on trust may move vertices.
  [FACTS.otherShader | FACTS.onBeforeCompile | FACTS.nodes, 'shader'],
];

export function whyUnleveledMaterial(material: Material & { alphaMap?: object | null }): MaterialLevelReason | null {
  return firstBrokenBy(materialFacts(material).bits, LEVEL_RULES) ?? (material.alphaMap ? 'alphaMap' : null);
}

export function whyUnleveledPart({ known, levels, hasFailed, triangles }: LeveledPart): PartLevelReason | null {
  if (levels !== null) return levels.counts.length === 0 ? 'nothingSaved' : null;
  if (triangles < FEWEST_TRIANGLES) return 'few';
  if (hasFailed) return 'failed';
  const { attributes, index } = known.geometry;
  const names = ['position', ...WEIGHED.map(({ name }) => name), ...UV_SETS];
  const isReadable = (name: string): boolean => !attributes[name] || isInMemory(attributes[name] as VertexAttribute);
  return names.every(isReadable) && (index === null || isInMemory(index)) ? null : 'notInMemory';
}

/** Attributes that count in pictures, how many of their numbers, and the weight of each beside a distance. */
export const WEIGHED = [
  { name: 'normal', size: 3, weight: 0.5, isTexture: false },
  { name: 'tangent', size: 4, weight: 0.5, isTexture: false },
  { name: 'color', size: 4, weight: 1, isTexture: false },
] as const;

/** Sets of texture coordinates, by the `channel` of the textures that are looked up in each set. */
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

/** Stands for the sets of a material that is drawn with all triangles. */
export const NO_SETS = -1;

/** The sets in use, bit n for number n of {@link UV_SETS}; {@link NO_SETS} if levels do not suit the material. */
export function setsFor(material: Material): number {
  if (whyUnleveledMaterial(material) !== null) return NO_SETS;
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
