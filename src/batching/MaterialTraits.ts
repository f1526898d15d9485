import type { Material } from 'three';

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
export function copyOf(value: unknown): unknown {
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
