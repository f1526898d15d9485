import type { BufferGeometry, Material, Object3D } from 'three';
import type { BatchedMeshState } from '../batching/BatchedMeshState.js';
import type { BatchGroup, Draw } from '../batching/BatchGroup.js';
import { isTexture, type SameTextures, settingsOf } from '../batching/SameTextures.js';
import { getOrMake } from '../core/arrays.js';
import { inWords } from '../core/options.js';
import { drawnProperties, isEqualValue, wordFor } from '../three/MaterialTraits.js';

interface Difference {
  readonly name: string;
  readonly here: string;
  readonly there: string;
  /** Whether the difference is a setting of two textures with the same image. */
  readonly isSetting?: boolean;
}

export interface SimilarMesh {
  readonly object: Object3D;
  readonly differences: readonly Difference[];
}

/** Most groups compared, the largest first: a mesh is compared with one mesh of each. */
const MOST_GROUPS = 24;

/** Finds for a mesh another one with which it would share a batch after the fewest changes. */
export class SimilarMeshes {
  /** One draw of each group, the largest groups first. */
  readonly #draws: readonly Draw[];
  readonly #found = new Map<BatchGroup, SimilarMesh | null>();

  readonly #textures: SameTextures | null;

  /** @param states All meshes that share batches, or could. */
  constructor(states: Iterable<BatchedMeshState>, textures: SameTextures | null) {
    this.#textures = textures;
    const byGroup = new Map<BatchGroup, Draw>();
    for (const { draws } of states) for (const draw of draws) byGroup.set(draw.group, draw);
    const bySize = [...byGroup].sort(([a], [b]) => b.draws.size - a.draws.size);
    this.#draws = bySize.slice(0, MOST_GROUPS).map(([, draw]) => draw);
  }

  /** The mesh that is most similar to a waiting mesh; null for none. The answer is the same for a whole group. */
  to(state: BatchedMeshState): SimilarMesh | null {
    const draw = waitingDrawOf(state);
    return getOrMake(this.#found, draw.group, () => this.#nearest(draw));
  }

  #nearest(draw: Draw): SimilarMesh | null {
    const { known, group } = draw;
    const names = drawnProperties(known.material) ?? [];
    let nearest: SimilarMesh | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const other of this.#draws) {
      if (other.group === group) continue;
      const differences = differencesOf(draw, other, names, this.#textures);
      const { length } = differences;
      // Settings of a texture are easier to change than anything else.
      const distance = length - differences.filter(({ isSetting }) => isSetting).length / 2;
      if (distance < least) nearest = { object: other.owner.mesh, differences };
      least = Math.min(least, distance);
      if (least < 1) break;
    }
    return nearest;
  }
}

/** Batches whose textures show the same image: they would be one batch if the textures drew the same. */
interface BatchesOfOneImage {
  /** A mesh of each batch. */
  readonly meshes: Map<BatchGroup, Object3D>;
  /** Settings in which the textures differ; empty if images could not be compared, null if textures do not differ. */
  settings: readonly string[] | null;
}

export function batchesOfOneImage(states: Iterable<BatchedMeshState>, textures: SameTextures): BatchesOfOneImage[] {
  const byWords = new Map<string, BatchesOfOneImage & { readonly first: Loose }>();
  const seen = new Set<BatchGroup>();
  for (const { mesh, draws } of states) {
    for (const { group, known } of draws) {
      if (!group.batch || seen.has(group)) continue;
      seen.add(group);
      const material = known.material as Loose;
      const names = drawnProperties(material) ?? [];
      const shown = (value: unknown): string => (isTexture(value) ? textures.imageOf(value) : wordFor(value));
      // The rest of the group's key, behind the material's name, tells other differences.
      const key = `${names.map((name) => shown(material[name]))} ${group.key.slice(group.key.indexOf(' '))}`;
      const found = getOrMake(byWords, key, () => ({ meshes: new Map(), settings: null, first: material }));
      found.meshes.set(group, mesh);
      for (const name of names) {
        const settings = settingsApart(name, found.first[name], material[name], textures)?.map((one) => one.name) ?? [];
        if (isApart(found.first[name], material[name], textures))
          found.settings = [...(found.settings ?? []), ...settings];
      }
    }
  }
  return [...byWords.values()].filter(({ settings }) => settings !== null);
}

/** True for two textures that do not draw the same. */
function isApart(a: unknown, b: unknown, textures: SameTextures): boolean {
  return isTexture(a) && isTexture(b) && textures.wordOf(a) !== textures.wordOf(b);
}

/** Settings in which two textures differ; null for other values or images, and if settings do not tell them apart. */
function settingsApart(name: string, a: unknown, b: unknown, textures: SameTextures): Difference[] | null {
  if (!isTexture(a) || !isTexture(b) || textures.imageOf(a) !== textures.imageOf(b)) return null;
  const differing = settingsOf(a).filter((one) => wordFor(a[one as never]) !== wordFor(b[one as never]));
  if (differing.length === 0 && isApart(a, b, textures)) return null;
  return differing.map((one) => {
    return {
      name: `${name}.${one}`,
      here: inFewWords(a[one as never]),
      there: inFewWords(b[one as never]),
      isSetting: true,
    };
  });
}

/** The draw of a mesh that has no batch, or its first draw. */
export function waitingDrawOf(state: BatchedMeshState): Draw {
  return state.draws.find(({ group }) => !group.batch) ?? state.draws[0];
}

function differencesOf(a: Draw, b: Draw, names: readonly string[], textures: SameTextures | null): Difference[] {
  const found: Difference[] = [];
  const compare = (name: string, here: unknown, there: unknown): void => {
    if (here !== there && !isEqualValue(here, there))
      found.push({ name, here: inFewWords(here), there: inFewWords(there) });
  };
  const [mesh, other] = [a.owner.mesh, b.owner.mesh];
  compare('layers.mask', mesh.layers.mask, other.layers.mask);
  for (const name of ['renderOrder', 'castShadow', 'receiveShadow'] as const) compare(name, mesh[name], other[name]);
  compare('renderOrder of the group above', a.joined.groupOrder, b.joined.groupOrder);
  compare('mirroring', a.joined.isMirrored, b.joined.isMirrored);
  const [geometry, another] = [mesh.geometry, other.geometry];
  compare('index', geometry.index !== null, another.index !== null);
  for (const name of new Set([...Object.keys(geometry.attributes), ...Object.keys(another.attributes)])) {
    compare(`attribute ${name}`, contentOf(geometry, name), contentOf(another, name));
  }
  const [known, unlike] = [a.known, b.known];
  if (known.drawn !== unlike.drawn) {
    const [here, there] = [known.material as Loose, unlike.material as Loose];
    for (const name of here.type === there.type ? names : ['type']) {
      const settings = textures && settingsApart(`material.${name}`, here[name], there[name], textures);
      if (settings) found.push(...settings);
      else compare(`material.${name}`, here[name], there[name]);
    }
  }
  // The difference is unknown here, for example between materials that are not merged.
  if (found.length === 0) compare('material', 'an object of its own', 'another');
  return found;
}

/** The number of values that vertices have of an attribute, and their type, in words. */
function contentOf({ attributes }: BufferGeometry, name: string): string {
  const attribute = attributes[name];
  if (attribute === undefined) return 'none';
  return `${attribute.itemSize} of ${attribute.normalized ? 'normalized ' : ''}${attribute.array?.constructor.name}`;
}

type Loose = Material & { readonly [name: string]: unknown };

function inFewWords(value: unknown): string {
  const { getHexString, name } = (value ?? {}) as { getHexString?: () => string; name?: string };
  if (typeof getHexString === 'function') return `#${getHexString.call(value)}`;
  return typeof value === 'object' && name ? `"${inWords(name)}"` : inWords(value);
}
