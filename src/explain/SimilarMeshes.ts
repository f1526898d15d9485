import type { BufferGeometry, Material, Object3D, Texture } from 'three';
import type { BatchedMeshState } from '../batching/BatchedMeshState.js';
import type { BatchGroup, DrawEntry } from '../batching/BatchGroup.js';
import { getOrMake } from '../core/arrays.js';
import { inWords } from '../core/options.js';
import { drawnProperties, wordFor as exactWordFor, isEqual } from '../scene/facts/MaterialTraits.js';

interface Difference {
  readonly name: string;
  readonly here: string;
  readonly there: string;
}

/** A mesh that is similar to another, and in what they differ. */
export interface SimilarMesh {
  readonly object: Object3D;
  readonly differences: readonly Difference[];
}

/** A mesh is compared with one of each of so many groups, the largest. */
const MOST = 24;

/** Finds the meshes with which others would share a batch after the fewest changes. */
export class SimilarMeshes {
  /** One draw of each group, the largest groups first. */
  readonly #draws: readonly DrawEntry[];
  readonly #found = new Map<BatchGroup | null, SimilarMesh | null>();

  /** @param states All meshes that share batches, or could. */
  constructor(states: Iterable<BatchedMeshState>) {
    const byGroup = new Map<BatchGroup, DrawEntry>();
    for (const { entries } of states) {
      for (const entry of entries) if (entry.group !== null) byGroup.set(entry.group, entry);
    }
    const bySize = [...byGroup].sort(([a], [b]) => b.entries.size - a.entries.size);
    this.#draws = bySize.slice(0, MOST).map(([, draw]) => draw);
  }

  /** The mesh that is most similar to one that waits for others; null for none. The same for all of its group. */
  to(state: BatchedMeshState): SimilarMesh | null {
    const entry = waitingDrawOf(state);
    return getOrMake(this.#found, entry.group, () => this.#nearest(entry));
  }

  #nearest(draw: DrawEntry): SimilarMesh | null {
    const { known, group } = draw;
    const names = known === null ? [] : (drawnProperties(known.material) ?? []);
    let nearest: SimilarMesh | null = null;
    for (const other of this.#draws) {
      if (other.group === group) continue;
      const differences = differencesOf(draw, other, names);
      if (nearest === null || differences.length < nearest.differences.length) {
        nearest = { object: other.owner.mesh, differences };
      }
      if (nearest.differences.length === 1) break;
    }
    return nearest;
  }
}

/** Lists of batches, by a mesh of each, that would be one batch if textures of the same image were one texture. */
export function batchesOfOneImage(states: Iterable<BatchedMeshState>): ReadonlyMap<BatchGroup, Object3D>[] {
  const byWords = new Map<string, Map<BatchGroup, Object3D>>();
  const seen = new Set<BatchGroup>();
  for (const { mesh, entries } of states) {
    for (const { group, known } of entries) {
      if (!group?.batch || known === null || seen.has(group)) continue;
      seen.add(group);
      const { material } = known;
      const values = (drawnProperties(material) ?? []).map((name) => exactWordFor(imageOf((material as Loose)[name])));
      // What else keeps draws apart stands behind the material's name.
      const words = `${values} ${group.key.slice(group.key.indexOf(' '))}`;
      byWords.set(words, (byWords.get(words) ?? new Map()).set(group, mesh));
    }
  }
  return [...byWords.values()].filter(({ size }) => size > 1);
}

/** For a texture what it shows and how; anything else as it is. A file that is loaded twice has two images of one name. */
function imageOf(value: unknown): unknown {
  const texture = value as Texture | null | undefined;
  if (texture?.isTexture !== true) return value;
  const { source, name, wrapS, wrapT, magFilter, minFilter, colorSpace, channel, flipY, matrix } = texture;
  const image = source.data as { src?: string; width?: number; height?: number } | null;
  const shown = image?.src || (name && `${name} ${image?.width} ${image?.height}`) || source.uuid;
  return `${[shown, wrapS, wrapT, magFilter, minFilter, colorSpace, channel, flipY]} ${matrix.elements}`;
}

/** The draw of a mesh that has no batch, or its first one. */
export function waitingDrawOf(state: BatchedMeshState): DrawEntry {
  return state.entries.find(({ group }) => !group?.batch) ?? state;
}

function differencesOf(a: DrawEntry, b: DrawEntry, names: readonly string[]): Difference[] {
  const found: Difference[] = [];
  const compare = (name: string, here: unknown, there: unknown): void => {
    if (here !== there && !isEqual(here, there)) found.push({ name, here: wordFor(here), there: wordFor(there) });
  };
  const [mesh, other] = [a.owner.mesh, b.owner.mesh];
  compare('layers.mask', mesh.layers.mask, other.layers.mask);
  for (const name of ['renderOrder', 'castShadow', 'receiveShadow'] as const) compare(name, mesh[name], other[name]);
  compare('renderOrder of the group above', a.owner.groupOrder, b.owner.groupOrder);
  compare('mirroring', a.owner.isMirrored, b.owner.isMirrored);
  const [geometry, another] = [mesh.geometry, other.geometry];
  compare('index', geometry.index !== null, another.index !== null);
  for (const name of new Set([...Object.keys(geometry.attributes), ...Object.keys(another.attributes)])) {
    compare(`attribute ${name}`, kindOf(geometry, name), kindOf(another, name));
  }
  const [known, unlike] = [a.known, b.known];
  if (known && unlike && known.drawn !== unlike.drawn) {
    const [here, there] = [known.material as Loose, unlike.material as Loose];
    for (const name of here.type === there.type ? names : ['type'])
      compare(`material.${name}`, here[name], there[name]);
  }
  // What is told apart by nothing that is known here, as materials that are not merged.
  if (found.length === 0) compare('material', 'an object of its own', 'another');
  return found;
}

/** What vertices have of an attribute: a number of values of a type. */
function kindOf({ attributes }: BufferGeometry, name: string): string {
  const attribute = attributes[name];
  if (attribute === undefined) return 'none';
  return `${attribute.itemSize} of ${attribute.normalized ? 'normalized ' : ''}${attribute.array?.constructor.name}`;
}

type Loose = Material & { readonly [name: string]: unknown };

function wordFor(value: unknown): string {
  const { getHexString, name } = (value ?? {}) as { getHexString?: () => string; name?: string };
  if (typeof getHexString === 'function') return `#${getHexString.call(value)}`;
  return typeof value === 'object' && name ? `"${inWords(name)}"` : inWords(value);
}
