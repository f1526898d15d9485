import { type LevelSource, type Levels, simplifyInWorker } from '../../src/levels-worker.js';

/** Numbers by which geometries are told apart. */
const FIRST = 96;

/** Makes the levels of detail of a geometry once, however often a scene is accelerated anew. */
export class KeptLevels {
  readonly #made = new Map<string, Promise<Levels>>();

  readonly simplify = (source: LevelSource): Promise<Levels> => {
    const { positions, index } = source;
    const key = [positions.length, index.length, ...positions.subarray(0, FIRST)].join();
    const made = this.#made.get(key) ?? simplifyInWorker(source);
    this.#made.set(key, made);
    return made;
  };
}
