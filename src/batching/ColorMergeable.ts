import {
  Color,
  type Material,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshMatcapMaterial,
  MeshPhongMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  MeshToonMaterial,
} from 'three';
import { getOrMake } from '../core/arrays.js';

/** A material that may be drawn as one with others that differ only in their colour. */
export interface ColorMergeable {
  readonly material: Material;
  family: MaterialFamily | null;
  /** Called when it has to be drawn with another material. */
  onFamily(): void;
}

/** Materials that differ only in their colour, and between which nothing is drawn whose place in the order counts. */
export interface MaterialFamily {
  readonly key: string;
  readonly traits: MaterialTraits;
  readonly members: Set<ColorMergeable>;
  /** The white material that draws all of them; null for a material that is alone. */
  copy: Colored | null;
  /** The sum of the versions of the materials for which the shader of the copy was made. */
  versions: number;
  /** The lowest id of its materials, where renderers would draw the first of them; negative while not known. */
  firstId: number;
  lastId: number;
}

type Colored = Material & { color: Color };
type Properties = Readonly<Record<string, unknown>>;

/** Finds materials that differ only in their colour. */
export class MaterialFamilies {
  readonly #byKey = new Map<string, MaterialFamily>();
  /** Ids of materials whose draws depend on order; and those that have yet to divide families. */
  readonly #dividers = new Set<number>();
  readonly #found = new Set<number>();

  /**
   * Renderers draw opaque objects in the order of their materials. So a family ends at the id of a material whose draws
   * depend on order, from the next {@link divide} on, and for good.
   * @returns true until then.
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
    for (const { members } of [...this.#byKey.values()]) for (const one of [...members]) this.add(one);
  }

  /** Adds a material to its family, if it is of a kind that has any. */
  add(one: ColorMergeable): void {
    const { material } = one;
    const names = drawnProperties(material);
    const traits = names && new MaterialTraits(material, names);
    const key = traits && this.#keyOf(traits, material);
    if (one.family !== null && one.family.key === key) return;
    this.remove(one);
    if (traits === null || key === null) return;
    const family = this.#familyOf(traits, key);
    family.members.add(one);
    family.firstId = -1;
    family.lastId = Math.max(family.lastId, material.id);
    one.family = family;
    if (family.members.size < 2) return;
    const changed = family.copy === null ? family.members : [one];
    family.copy ??= copyMaterial(material as Colored, () => firstIdOf(family));
    for (const member of changed) member.onFamily();
  }

  remove(one: ColorMergeable): void {
    const { family, material } = one;
    if (family === null) return;
    family.members.delete(one);
    one.family = null;
    if (family.copy !== null) one.onFamily();
    if (material.id === family.firstId) family.firstId = -1;
    if (family.members.size > 0) return;
    this.#byKey.delete(family.key);
    family.copy?.dispose();
  }

  #keyOf({ key }: MaterialTraits, { id }: Material): string {
    let below = -1;
    for (const divider of this.#dividers) if (divider < id && divider > below) below = divider;
    return `${below} ${key}`;
  }

  #familyOf(traits: MaterialTraits, key: string): MaterialFamily {
    const found = this.#byKey.get(key);
    // A material that is alone is drawn itself, and may have changed since it was compared.
    if (found?.copy === null) for (const other of found.members) if (!traits.fits(other.material)) this.add(other);
    return getOrMake(this.#byKey, key, () => {
      return { key, traits, members: new Set(), copy: null, versions: 0, firstId: -1, lastId: -1 };
    });
  }
}

/** Has the shader of a copy compiled again if that was asked for one of its materials. */
export function syncVersion(family: MaterialFamily): void {
  let versions = 0;
  for (const { material } of family.members) versions += material.version;
  if (versions === family.versions || family.copy === null) return;
  family.versions = versions;
  family.copy.needsUpdate = true;
}

/** Computed only when renderers sort: until then many materials may come and go. */
function firstIdOf(family: MaterialFamily): number {
  if (family.firstId >= 0 || family.members.size === 0) return family.firstId;
  family.firstId = Number.POSITIVE_INFINITY;
  for (const { material } of family.members) family.firstId = Math.min(family.firstId, material.id);
  return family.firstId;
}

/** Double precision has room for this many ids, and as many fractions of each. */
const MOST_IDS = 2 ** 26;

/**
 * A white copy of a material, for draws with colours of their own. Textures and lists are shared, so they may be edited
 * in place; what no shader sees is left out.
 *
 * Renderers sort by `id`, and keep uniforms between consecutive draws of materials with one id. So the copy has the id
 * next to which it is sorted, plus a fraction that no other material has.
 *
 * @param sortId Asked whenever renderers sort.
 */
function copyMaterial(material: Colored, sortId: () => number): Colored {
  const fresh = new (material.constructor as new () => Colored)();
  const own: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(fresh);
  for (const name of drawnProperties(material) ?? []) {
    const value = copyOf((material as unknown as Properties)[name]);
    if (value !== undefined) own[name] = { value, writable: true, enumerable: true, configurable: true };
  }
  const fraction = fresh.id / MOST_IDS;
  own.id = { get: () => sortId() + fraction };
  return Object.create(Object.getPrototypeOf(material), own);
}

/** The kinds whose shaders multiply their colour by that of a draw, and nothing else by the colour. */
const MERGED: readonly (new () => Colored)[] = [
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshPhongMaterial,
  MeshToonMaterial,
  MeshMatcapMaterial,
  MeshStandardMaterial,
  MeshPhysicalMaterial,
];

/**
 * Properties that do not change what is drawn, or that are asked separately: the colour, and the version. The shaders
 * of these kinds do not see `userData`.
 */
const IGNORED = /^(uuid|name|color|version|userData|_listeners|is[A-Z].*)$/;

/** Read by renderers from any material, though few of these kinds declare it. */
const UNDECLARED = ['defines', 'extensions', 'lights'];

let byKind: Map<object, readonly string[]> | null = null;

/**
 * The properties by which materials are compared: those that their class declares, and those that renderers read
 * besides. No shader sees the others, such as marks of editors and frameworks.
 * @returns null for a material of another class.
 */
export function drawnProperties(material: Material): readonly string[] | null {
  byKind ??= new Map(MERGED.map((Kind) => [Kind.prototype, namesOf(new Kind())]));
  return (material as Colored).color instanceof Color ? (byKind.get(Object.getPrototypeOf(material)) ?? null) : null;
}

function namesOf(material: Material): string[] {
  const declared = Object.keys(material).filter((name) => !IGNORED.test(name));
  // The type is among them, so materials of two classes differ.
  return [...new Set([...declared, ...UNDECLARED])];
}

/** Everything that decides what a material draws, except its colour, as it was at one time. */
class MaterialTraits {
  /** The same for equal materials only. */
  readonly key: string;
  readonly #names: readonly string[];
  readonly #values: readonly unknown[];

  constructor(material: Material, names: readonly string[]) {
    const values = names.map((name) => (material as unknown as Properties)[name]);
    this.#names = names;
    this.#values = values.map(copyOf);
    this.key = values.map(wordFor).join();
  }

  /**
   * True while a material is as it was. Asked of each material in each frame: what is enumerated is read by its place in
   * the object, in a third of the time that computed names take.
   */
  fits(material: Material): boolean {
    const names = this.#names;
    let i = 0;
    // Accessors of their own make these dictionaries in V8, which are slow to enumerate.
    if (!(material instanceof MeshPhysicalMaterial)) {
      for (const name in material) {
        if (name !== names[i]) continue;
        if (!this.#isAsThen(i, (material as unknown as Properties)[name])) return false;
        i++;
      }
    }
    // The rest is not declared, or comes in another order, as it was deleted and set again.
    for (; i < names.length; i++) {
      if (!this.#isAsThen(i, (material as unknown as Properties)[names[i]])) return false;
    }
    return true;
  }

  #isAsThen(i: number, now: unknown): boolean {
    return now === this.#values[i] || isEqual(this.#values[i], now);
  }
}

/** Colours, vectors and the like. A texture is only equal to itself. */
interface Comparable {
  clone(): Comparable;
  equals(other: unknown): boolean;
}

function isComparable(value: object): value is Comparable {
  return 'equals' in value && 'clone' in value;
}

/** True for values compared by their contents: colours and the like, and lists and `defines` of plain values. */
function isRich(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (isComparable(value)) return true;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).every((one) => typeof one !== 'object' || one === null);
}

/** Values compared by their contents are copied, others shared. */
function copyOf(value: unknown): unknown {
  if (!isRich(value)) return value;
  if (isComparable(value)) return value.clone();
  return Array.isArray(value) ? [...value] : { ...value };
}

export function isEqual(then: unknown, now: unknown): boolean {
  if (typeof then !== 'object' || typeof now !== 'object' || then === null || now === null) return false;
  if (Object.getPrototypeOf(now) !== Object.getPrototypeOf(then)) return false;
  if (isComparable(then)) return then.equals(now);
  return isRich(then) && isEqualFlat(then as Properties, now as Properties);
}

function isEqualFlat(then: Properties, now: Properties): boolean {
  for (const name in then) if (then[name] !== now[name]) return false;
  for (const name in now) if (!(name in then)) return false;
  return true;
}

const numbers = new WeakMap<object, number>();
let count = 0;

/** The same word for equal values only. */
export function wordFor(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (isRich(value)) {
    const entries = Object.entries(value).sort();
    return `{${entries.map(([name, one]) => `${name}:${wordFor(one)}`)}}`;
  }
  if (!numbers.has(value)) numbers.set(value, ++count);
  return `#${numbers.get(value)}`;
}
