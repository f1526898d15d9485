import type { BufferAttribute, BufferGeometry } from 'three';
import { isFlat } from './isFlat.js';
import { whyGeometryAlone } from './whyNotBatched.js';

/** What is known of a geometry. Looked at once a frame, however many meshes have it. */
export class KnownGeometry {
  readonly geometry: BufferGeometry;
  /** Why meshes with it are drawn by themselves; null when they need not be. */
  reason: string | null = null;
  /** Names and kinds of its attributes: geometries of one layout can lie in the same buffers. */
  layout = '';
  /** Grows with each change of its numbers. */
  revision = 0;
  /** The frame in which it was looked at last. */
  frame = -1;
  #flatRevision = -1;
  #isFlat = false;
  readonly #seen: unknown[] = [];

  constructor(geometry: BufferGeometry) {
    this.geometry = geometry;
  }

  /** See {@link isFlat}. Found out where it counts only. */
  get isFlat(): boolean {
    if (this.#flatRevision !== this.revision) {
      this.#flatRevision = this.revision;
      this.#isFlat = isFlat(this.geometry);
    }
    return this.#isFlat;
  }

  /** Looks at the geometry, if it was not in this frame. */
  look(frame: number): this {
    if (this.frame === frame) return this;
    this.frame = frame;
    if (this.#isAsSeen()) return this;
    this.revision++;
    this.reason = whyGeometryAlone(this.geometry);
    this.layout = this.reason === null ? layoutOf(this.geometry) : '';
    return this;
  }

  /** Compares all that its numbers hang on with what that was at the last look, and keeps it. */
  #isAsSeen(): boolean {
    const { attributes, index, drawRange, groups, morphAttributes } = this.geometry;
    const seen = this.#seen;
    let isSame = true;
    let at = 0;
    const see = (value: unknown): void => {
      if (seen[at] !== value) isSame = false;
      seen[at++] = value;
    };
    for (const name in attributes) {
      see(name);
      see(attributes[name]);
      see((attributes[name] as BufferAttribute).version);
      see(attributes[name].count);
    }
    see(index);
    see(index?.version);
    see(index?.count);
    for (const name in morphAttributes) see(name);
    see(drawRange.start);
    see(drawRange.count);
    for (const { start, count, materialIndex } of groups) {
      see(start);
      see(count);
      see(materialIndex);
    }
    if (seen.length !== at) isSame = false;
    seen.length = at;
    return isSame;
  }
}

function layoutOf({ attributes, index }: BufferGeometry): string {
  const names = Object.keys(attributes).sort();
  const kinds = names.map((name) => {
    const { itemSize, normalized, array } = attributes[name] as BufferAttribute;
    return `${name}:${itemSize}${normalized ? 'n' : ''}${array.constructor.name}`;
  });
  return `${index === null ? '' : 'indexed '}${kinds.join()}`;
}
