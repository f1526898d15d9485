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

type Colored = Material & { color: Color };

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
 * Declared, but of no account for what is drawn, or asked separately: the colour, and the version, which says that a shader is
 * to be made anew. Materials of these kinds have shaders of three's own, which see no `userData`.
 */
const IGNORED = /^(uuid|name|color|version|userData|_listeners|is[A-Z].*)$/;

/** What shaders of three's are made by, of any material, though few of these kinds declare it. */
const UNDECLARED = ['defines', 'extensions', 'lights'];

/** By prototype the properties of which it depends what a material draws. */
let byKind: Map<object, readonly string[]> | null = null;

/**
 * The properties by which materials are compared that may be drawn as one but for their colour: all that their class declares,
 * and what renderers read beside. Whatever else an object has, as marks of editors and frameworks, no shader sees.
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

/** Colours, vectors and the like. Textures are themselves, whatever is in them. */
interface Comparable {
  clone(): Comparable;
  equals(other: unknown): boolean;
}

type Properties = Readonly<Record<string, unknown>>;

/** All of which it depends what a material draws, but for its colour, as it was at one time. */
class MaterialTraits {
  /** The same for materials that were equal. */
  readonly key: string;
  readonly #names: readonly string[];
  readonly #values: readonly unknown[];

  /** @param names Those of the properties. */
  constructor(material: Material, names: readonly string[]) {
    const values = names.map((name) => (material as unknown as Properties)[name]);
    this.#names = names;
    this.#values = values.map(copyOf);
    this.key = values.map(wordFor).join();
  }

  /** True while a material is as that was. Asked of each material in each frame. */
  fits(material: Material): boolean {
    const properties = material as unknown as Properties;
    const names = this.#names;
    const values = this.#values;
    for (let i = 0; i < names.length; i++) {
      const now = properties[names[i]];
      if (now !== values[i] && !isEqual(values[i], now)) return false;
    }
    return true;
  }
}

/** What a copy of a material has in place of a value: what is compared by what is in it is copied, all else shared. */
function copyOf(value: unknown): unknown {
  if (!isRich(value)) return value;
  if (isComparable(value)) return value.clone();
  return Array.isArray(value) ? [...value] : { ...value };
}

/** True for what is compared by what is in it: colours and the like, and lists and `defines` of plain values. */
function isRich(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (isComparable(value)) return true;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).every((one) => typeof one !== 'object' || one === null);
}

function isComparable(value: object): value is Comparable {
  return 'equals' in value && 'clone' in value;
}

function isEqual(then: unknown, now: unknown): boolean {
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

/** A word that is the same for equal values alone. */
function wordFor(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (isRich(value)) {
    const entries = Object.entries(value).sort();
    return `{${entries.map(([name, one]) => `${name}:${wordFor(one)}`)}}`;
  }
  if (!numbers.has(value)) numbers.set(value, ++count);
  return `#${numbers.get(value)}`;
}

/** Of so many ids each has room in double precision beside another one. */
const MOST_IDS = 2 ** 26;

/**
 * A copy of a material in white, for draws that have colours of their own. Textures and lists are shared, so that what is in
 * them may be edited in place; what no shader sees is left out.
 *
 * Renderers sort by `id`, and take two materials of one id that follow each other for the same, whose uniforms are set. So
 * that of the copy is the one that it is to be sorted by and a fraction which no other material has.
 *
 * @param sortId The id of a material next to which it is to be sorted, asked whenever renderers sort.
 */
function copyMaterial(material: Colored, sortId: () => number): Colored {
  const fresh = new (material.constructor as new () => Colored)();
  const own: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(fresh);
  for (const name of drawnProperties(material) ?? []) {
    const value = copyOf((material as unknown as Record<string, unknown>)[name]);
    if (value !== undefined) own[name] = { value, writable: true, enumerable: true, configurable: true };
  }
  const fraction = fresh.id / MOST_IDS;
  own.id = { get: () => sortId() + fraction };
  return Object.create(Object.getPrototypeOf(material), own);
}

/** What materials that are equal in all but their colour have in common. */
export interface Family {
  readonly traits: MaterialTraits;
  readonly members: Set<Relative>;
  /** What all of them are drawn with, in white; null for a material that is alone. */
  copy: Colored | null;
  /** The sum of the versions of the materials of which the copy's shader is. */
  versions: number;
  /** The lowest id of its materials: where renderers would draw the first of them. Negative when others have come or gone. */
  firstId: number;
}

/** A material with what a family needs to know of it. */
export interface Relative {
  readonly material: Material;
  family: Family | null;
  /** Called when it is to be drawn with another material. */
  onFamily(): void;
}

/** Has the shader of a family's copy made anew if that of one of its materials was asked for. */
export function syncVersion(family: Family): void {
  let versions = 0;
  for (const { material } of family.members) versions += material.version;
  if (versions === family.versions || family.copy === null) return;
  family.versions = versions;
  family.copy.needsUpdate = true;
}

/** Finds materials that are equal in all but their colour. */
export class MaterialFamilies {
  readonly #byKey = new Map<string, Family>();

  /** Puts a material in the family that it belongs to now, if it is of a kind that has any. */
  place(relative: Relative): void {
    const { material } = relative;
    const names = drawnProperties(material);
    const traits = names && new MaterialTraits(material, names);
    if (relative.family !== null && relative.family.traits.key === traits?.key) return;
    this.remove(relative);
    if (traits === null) return;
    const family = this.#familyOf(traits);
    family.members.add(relative);
    family.firstId = -1;
    relative.family = family;
    if (family.members.size < 2) return;
    const changed = family.copy === null ? family.members : [relative];
    family.copy ??= copyMaterial(material as Colored, () => firstIdOf(family));
    for (const one of changed) one.onFamily();
  }

  /** Takes a material out of its family. */
  remove(relative: Relative): void {
    const { family, material } = relative;
    if (family === null) return;
    family.members.delete(relative);
    relative.family = null;
    if (family.copy !== null) relative.onFamily();
    if (material.id === family.firstId) family.firstId = -1;
    if (family.members.size > 0) return;
    this.#byKey.delete(family.traits.key);
    family.copy?.dispose();
  }

  #familyOf(traits: MaterialTraits): Family {
    const found = this.#byKey.get(traits.key);
    // Nobody has looked at one that is alone: it is drawn itself, as it is.
    if (found?.copy === null) for (const other of found.members) if (!traits.fits(other.material)) this.place(other);
    let family = this.#byKey.get(traits.key);
    if (family === undefined) {
      family = { traits, members: new Set(), copy: null, versions: 0, firstId: -1 };
      this.#byKey.set(traits.key, family);
    }
    return family;
  }
}

/** Asked while renderers sort, so that many may come and go before they are gone through. */
function firstIdOf(family: Family): number {
  if (family.firstId >= 0 || family.members.size === 0) return family.firstId;
  family.firstId = Number.POSITIVE_INFINITY;
  for (const { material } of family.members) family.firstId = Math.min(family.firstId, material.id);
  return family.firstId;
}
