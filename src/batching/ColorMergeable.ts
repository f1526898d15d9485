import type { Material, Texture } from 'three';
import { getOrMake } from '../core/arrays.js';
import type { MaterialFacts } from '../scene/facts/MaterialFacts.js';
import { type Colored, copyOf, drawnProperties, type MaterialTraits, wordFor } from '../three/MaterialTraits.js';
import { isTexture, SameTextures } from './SameTextures.js';

/** A material that may be drawn as one with others: they differ only in colour, and their textures draw the same. */
export interface ColorMergeable {
  readonly material: Material;
  readonly facts: MaterialFacts;
  family: MaterialFamily | null;
  /** The textures, with their names, that {@link MaterialFamilies} compares for the material. */
  textures: NamedTextures;
  /** Called when the material has to be drawn with another material. */
  onFamily(): void;
}

export type NamedTextures = readonly (readonly [name: string, texture: Texture])[];

/** Materials that look the same but for colour. No material with an id between theirs has order-dependent draws. */
export interface MaterialFamily {
  readonly key: string;
  readonly members: Set<ColorMergeable>;
  /** The white material that draws all members, with the textures of the first; null for a family of one. */
  copy: Colored | null;
  /** Whether a member has a new version, for which the shader of the copy is still to be compiled. */
  isStale: boolean;
  /** The lowest id of the members: renderers would draw them from there on; negative while unknown. */
  firstId: number;
  lastId: number;
}

export class MaterialFamilies {
  readonly textures: SameTextures;
  readonly #byKey = new Map<string, MaterialFamily>();
  /** Ids of materials whose draws depend on order; `#found` has new ids, which have yet to divide families. */
  readonly #dividers = new Set<number>();
  readonly #found = new Set<number>();

  /** @param onEqual Called between pictures, when textures have turned out to be equal. */
  constructor(onEqual: () => void) {
    this.textures = new SameTextures(onEqual);
  }

  /**
   * Renderers draw opaque objects in the order of their materials. So a family ends at the id of a material whose draws
   * depend on order, from the next {@link divide} on, and for good.
   * @returns true until the id divides families.
   */
  divideAt(id: number): boolean {
    if (this.#dividers.has(id)) return false;
    this.#found.add(id);
    return true;
  }

  divide(): void {
    if (this.#found.size === 0) return;
    for (const id of this.#found) this.#dividers.add(id);
    this.#found.clear();
    this.#regroup();
  }

  /** Compares all textures in use with their last known state, once a frame. */
  takeTextureChanges(): void {
    if (this.textures.takeChanges()) this.#regroup();
  }

  #regroup(): void {
    for (const { members } of [...this.#byKey.values()]) for (const one of [...members]) this.add(one);
  }

  /** Adds a material to its family, if materials of its kind have families. */
  add(one: ColorMergeable): void {
    const { material, facts } = one;
    const { words, textures } = facts.traits ? getOrMake(described, facts.traits, inWordsAndTextures) : NOT_DESCRIBED;
    this.#hold(one, textures);
    let below = -1;
    for (const divider of this.#dividers) if (divider < material.id && divider > below) below = divider;
    const key = words && `${below} ${words} ${textures.map(([, texture]) => this.textures.wordOf(texture))}`;
    if (one.family !== null && one.family.key === key) lead(one.family);
    else this.#join(one, key);
  }

  #join(one: ColorMergeable, key: string | null): void {
    this.#leave(one);
    if (key === null) return;
    const family = this.#familyOf(key);
    family.members.add(one);
    family.firstId = -1;
    family.lastId = Math.max(family.lastId, one.material.id);
    one.family = family;
    if (family.members.size < 2) return;
    const changed = family.copy === null ? family.members : [one];
    family.copy ??= copyMaterial(one.material as Colored, () => firstIdOf(family));
    lead(family);
    for (const member of changed) member.onFamily();
  }

  remove(one: ColorMergeable): void {
    this.#leave(one);
    this.#hold(one, NOT_DESCRIBED.textures);
  }

  #leave(one: ColorMergeable): void {
    const { family, material } = one;
    if (family === null) return;
    family.members.delete(one);
    one.family = null;
    if (family.copy !== null) one.onFamily();
    if (material.id === family.firstId) family.firstId = -1;
    lead(family);
    if (family.members.size > 0) return;
    this.#byKey.delete(family.key);
    family.copy?.dispose();
  }

  #hold(one: ColorMergeable, textures: NamedTextures): void {
    if (textures === one.textures) return;
    for (const [, texture] of textures) this.textures.retain(texture);
    for (const [, texture] of one.textures) this.textures.release(texture);
    one.textures = textures;
  }

  #familyOf(key: string): MaterialFamily {
    const found = this.#byKey.get(key);
    if (found?.copy === null) {
      for (const other of found.members) {
        // A material that is alone is drawn itself, and may have changed since it was compared.
        other.facts.look();
        this.add(other);
      }
    }
    return getOrMake(this.#byKey, key, () => {
      return { key, members: new Set(), copy: null, isStale: false, firstId: -1, lastId: -1 };
    });
  }
}

/** Traits in words, the same for materials that are equal but for textures; and the textures. */
interface Described {
  readonly words: string | null;
  readonly textures: NamedTextures;
}

const NOT_DESCRIBED: Described = { words: null, textures: [] };

const described = new WeakMap<MaterialTraits, Described>();

function inWordsAndTextures({ values }: MaterialTraits): Described {
  const words = values.map(([name, value]) => `${name}:${isTexture(value) ? 'texture' : wordFor(value)}`).join();
  return { words, textures: values.filter((one): one is [string, Texture] => isTexture(one[1])) };
}

/**
 * Gives the copy the textures of the first member, as compared last: textures of a member that left may be gone, and a
 * member out of view may have other textures by now.
 */
function lead({ copy, members }: MaterialFamily): void {
  const [first] = members;
  for (const [name, texture] of first?.textures ?? []) if (copy !== null) copy[name as never] = texture as never;
}

/** The lowest id of the members, computed only when renderers sort: until then many materials may come and go. */
function firstIdOf(family: MaterialFamily): number {
  if (family.firstId >= 0 || family.members.size === 0) return family.firstId;
  family.firstId = Number.POSITIVE_INFINITY;
  for (const { material } of family.members) family.firstId = Math.min(family.firstId, material.id);
  return family.firstId;
}

/** Most ids of materials: double precision has room for this many, and as many fractions of each. */
const MOST_IDS = 2 ** 26;

/**
 * A white copy of a material, for draws with colours of their own. Textures and lists are shared, so they may be edited
 * in place; properties that no shader sees are left out.
 *
 * Renderers sort by `id`, and keep uniforms between consecutive draws of materials with one id. So the copy has the id
 * next to which it is sorted, plus a unique fraction.
 *
 * @param sortId Called whenever renderers sort.
 */
function copyMaterial(material: Colored, sortId: () => number): Colored {
  const fresh = new (material.constructor as new () => Colored)();
  const own: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(fresh);
  for (const name of drawnProperties(material) ?? []) {
    const value = copyOf(material[name as never]);
    if (value !== undefined) own[name] = { value, writable: true, enumerable: true, configurable: true };
  }
  const fraction = fresh.id / MOST_IDS;
  own.id = { get: () => sortId() + fraction };
  return Object.create(Object.getPrototypeOf(material), own);
}
