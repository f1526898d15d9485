import type { BufferGeometry, Object3D } from 'three';
import { shapeVersion } from './geometryBounds.js';
import { stampedMethods } from './raycastOf.js';

interface Geometry {
  position: unknown;
  version: number;
  /** Number of objects that have it. */
  users: number;
}

/**
 * What many objects have in common, so that a change of it is looked for once and not with each of them: their geometries,
 * and the `raycast` of their classes where objects have one of ours in its place.
 */
export class SharedParts {
  /** The geometries whose positions or morph targets changed between the last two looks. */
  readonly changed: Set<BufferGeometry> = new Set();
  readonly #geometries = new Map<BufferGeometry, Geometry>();
  readonly #methods = new Map<Object3D, unknown>();

  /** Finds what changed since the last look. @returns true when a class got another `raycast`. */
  look(): boolean {
    this.changed.clear();
    for (const [geometry, known] of this.#geometries) if (isOther(geometry, known)) this.changed.add(geometry);
    let isNew = false;
    for (const [kind, method] of this.#methods) {
      if (kind.raycast === method) continue;
      this.#methods.set(kind, kind.raycast);
      isNew = true;
    }
    return isNew;
  }

  /** One more object has the geometry. */
  use(geometry: BufferGeometry): void {
    const known = this.#geometries.get(geometry);
    if (known !== undefined) {
      known.users++;
      return;
    }
    const fresh = { position: undefined, version: 0, users: 1 };
    isOther(geometry, fresh);
    this.#geometries.set(geometry, fresh);
  }

  /** One object less has it. */
  drop(geometry: BufferGeometry): void {
    const known = this.#geometries.get(geometry) as Geometry;
    if (--known.users === 0) this.#geometries.delete(geometry);
  }

  /** Takes note of the class of an object. */
  noteKind(object: Object3D): void {
    if (!stampedMethods.has(object.raycast)) return;
    const kind = Object.getPrototypeOf(object);
    if (!this.#methods.has(kind)) this.#methods.set(kind, kind.raycast);
  }

  clear(): void {
    this.changed.clear();
    this.#geometries.clear();
    this.#methods.clear();
  }
}

/** True when the shape of a geometry is not what is known of it; notes what it is. */
function isOther(geometry: BufferGeometry, known: Geometry): boolean {
  let position: unknown;
  let version = Number.NaN;
  try {
    position = geometry.attributes.position;
    version = position ? shapeVersion(geometry) : 0;
  } catch {
    // A geometry that cannot be read differs each time, until it can: those who measure it find out what is wrong.
  }
  const isSame = position === known.position && version === known.version;
  known.position = position;
  known.version = version;
  return !isSame;
}
