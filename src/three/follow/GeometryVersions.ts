import type { BufferGeometry } from 'three';
import { revisionOf } from '../bounds/geometryRevision.js';

interface Used {
  revision: number;
  /** Number of objects that have it. */
  users: number;
}

/** The geometries of a scene: each is checked for changes once, however many objects share it. */
export class GeometryVersions {
  /** Geometries that changed between the last two looks. */
  readonly changed: Set<BufferGeometry> = new Set();
  readonly #used = new Map<BufferGeometry, Used>();

  /** Finds what changed since the last look. */
  look(): void {
    if (this.changed.size > 0) this.changed.clear();
    for (const [geometry, used] of this.#used) {
      const revision = readRevision(geometry);
      if (revision === used.revision) continue;
      used.revision = revision;
      this.changed.add(geometry);
    }
  }

  /** True when a geometry in use had this revision at the last look. */
  isKnownAs(geometry: BufferGeometry, revision: number): boolean {
    return this.#used.get(geometry)?.revision === revision;
  }

  /** One more object has the geometry. */
  use(geometry: BufferGeometry): void {
    const used = this.#used.get(geometry);
    if (used !== undefined) used.users++;
    else this.#used.set(geometry, { revision: readRevision(geometry), users: 1 });
  }

  /** One object less has it. */
  drop(geometry: BufferGeometry): void {
    const used = this.#used.get(geometry) as Used;
    if (--used.users === 0) this.#used.delete(geometry);
  }

  clear(): void {
    this.changed.clear();
    this.#used.clear();
  }
}

/**
 * NaN for a geometry that cannot be read, so that it differs each time and is measured, which reports what is wrong.
 */
function readRevision(geometry: BufferGeometry): number {
  try {
    return revisionOf(geometry);
  } catch {
    return Number.NaN;
  }
}
