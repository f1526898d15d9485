import type { Material } from 'three';
import { drawnProperties } from './drawnProperties.js';

/** Colours, vectors and the like. Textures are themselves, whatever is in them. */
interface Comparable {
  clone(): Comparable;
  equals(other: unknown): boolean;
}

type Properties = Readonly<Record<string, unknown>>;

/** All of which it depends what a material draws, but for its colour, as it was at one time. */
export class MaterialTraits {
  /** The same for materials that were equal. */
  readonly key: string;
  // What is equal when it is the same, and what has to be looked into.
  readonly #names: string[] = [];
  readonly #values: unknown[] = [];
  readonly #richNames: string[] = [];
  readonly #richValues: (object | null)[] = [];

  /** @returns null for a material that is drawn as one with no other. */
  static of(material: Material): MaterialTraits | null {
    const names = drawnProperties(material);
    return names && new MaterialTraits(material, names);
  }

  private constructor(material: Material, names: readonly string[]) {
    const words: string[] = [];
    for (const name of names) {
      const value = (material as unknown as Properties)[name];
      if (isRich(value)) {
        this.#richNames.push(name);
        this.#richValues.push(copyOf(value) as object);
      } else {
        this.#names.push(name);
        this.#values.push(value);
      }
      words.push(wordFor(value));
    }
    this.key = `${material.type} ${words.join()}`;
  }

  /** True while a material is as that was. Asked of each material in each frame. */
  fits(material: Material): boolean {
    const properties = material as unknown as Properties;
    const names = this.#names;
    const values = this.#values;
    for (let i = 0; i < names.length; i++) if (properties[names[i]] !== values[i]) return false;
    const richNames = this.#richNames;
    for (let i = 0; i < richNames.length; i++) {
      if (!isEqual(this.#richValues[i] as object, properties[richNames[i]])) return false;
    }
    return true;
  }
}

/** What a copy of a material has in place of a value: what is compared by what is in it is copied, all else shared. */
export function copyOf(value: unknown): unknown {
  if (!isRich(value)) return value;
  if (isComparable(value)) return value.clone();
  return Array.isArray(value) ? [...value] : { ...value };
}

function isRich(value: unknown): value is object {
  return typeof value === 'object' && value !== null && (isComparable(value) || isNumbers(value) || isFlat(value));
}

function isComparable(value: object): value is Comparable {
  return 'equals' in value && 'clone' in value;
}

function isNumbers(value: object): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'number');
}

/** True for an object of plain values, as `defines` are. */
function isFlat(value: object): boolean {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every((one) => typeof one !== 'object' || one === null);
}

function isEqual(then: object, now: unknown): boolean {
  if (typeof now !== 'object' || now === null || Object.getPrototypeOf(now) !== Object.getPrototypeOf(then))
    return false;
  return isComparable(then) ? then.equals(now) : isEqualFlat(then as Properties, now as Properties);
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
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return String(value);
  if ('toArray' in value && isRich(value)) return `(${(value as { toArray(): unknown[] }).toArray()})`;
  if (isRich(value) && !isComparable(value)) {
    const entries = Object.entries(value).sort();
    return `{${entries.map(([name, one]) => `${JSON.stringify(name)}:${wordFor(one)}`)}}`;
  }
  if (!numbers.has(value)) numbers.set(value, ++count);
  return `#${numbers.get(value)}`;
}
