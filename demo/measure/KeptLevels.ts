import { type LevelSource, type Levels, simplifyInWorker } from '../../src/levels-worker.js';

/** Makes the levels of detail of a geometry once, however often a scene is accelerated anew. */
export class KeptLevels {
  readonly #made = new Map<string, Promise<Levels>>();

  readonly simplify = (source: LevelSource): Promise<Levels> => {
    const { positions, attributes, index } = source;
    const key = [positions, index, ...attributes.map(({ numbers }) => numbers)].map(digestOf).join();
    const made = this.#made.get(key) ?? simplifyInWorker(source);
    this.#made.set(key, made);
    return made;
  };
}

/** The length of an array, and a hash of its numbers (FNV-1a). */
function digestOf({ buffer, length }: Float32Array | Uint32Array): string {
  let hash = 0x811c9dc5;
  for (const bits of new Uint32Array(buffer)) hash = Math.imul(hash ^ bits, 0x01000193);
  return `${length}:${hash}`;
}
