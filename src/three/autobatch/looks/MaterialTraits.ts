import type { Material } from 'three';

/** Of no account for what a material draws, or asked separately: its colour, and the version, which says that a shader is to be made anew. */
const IGNORED: ReadonlySet<string> = new Set(['uuid', 'name', 'color', 'version', 'userData', 'id', '_listeners']);

interface Comparable {
  clone(): Comparable;
  equals(other: unknown): boolean;
}

/** All properties of a material but its colour, as they were at one time; textures and lists are themselves, whatever is in them. */
export class MaterialTraits {
  /** The same for materials that were equal. */
  readonly key: string;
  readonly #properties: Record<string, unknown>;
  readonly #names: string[] = [];
  readonly #values: unknown[] = [];

  constructor(material: Material) {
    this.#properties = material as unknown as Record<string, unknown>;
    const words: string[] = [];
    for (const name of Object.keys(material)) {
      if (IGNORED.has(name)) continue;
      const value = this.#properties[name];
      this.#names.push(name);
      this.#values.push(isComparable(value) ? value.clone() : isFlat(value) ? JSON.stringify(value) : value);
      words.push(`${name}=${wordFor(value)}`);
    }
    this.key = `${material.type} ${words.sort().join()}`;
  }

  /** True while the material is as it was. */
  get isSame(): boolean {
    const properties = this.#properties;
    const names = this.#names;
    for (let i = 0; i < names.length; i++) {
      const now = properties[names[i]];
      const then = this.#values[i];
      if (now === then || (isFlat(now) && JSON.stringify(now) === then)) continue;
      if (!isComparable(then) || !isComparable(now) || !then.equals(now)) return false;
    }
    return true;
  }
}

/** True for colours, vectors and the like. Textures are themselves. */
export function isComparable(value: unknown): value is Comparable {
  return typeof value === 'object' && value !== null && 'equals' in value && 'clone' in value;
}

const numbers = new WeakMap<object, number>();
let count = 0;

/** A word that is the same for equal values alone. */
function wordFor(value: unknown): string {
  if (typeof value !== 'object' && typeof value !== 'function') return String(value);
  if (value === null) return 'null';
  if (isComparable(value) && 'toArray' in value) return String((value as { toArray(): number[] }).toArray());
  if (isFlat(value)) return JSON.stringify(value);
  if (!numbers.has(value)) numbers.set(value, ++count);
  return `#${numbers.get(value)}`;
}

/** True for an object of plain values, as `defines` are. */
export function isFlat(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every((one) => typeof one !== 'object' || one === null);
}
