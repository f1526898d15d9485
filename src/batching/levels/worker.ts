// @ts-expect-error: three has no types of it, where it has the module.
import { MeshoptSimplifier } from 'three/addons/libs/meshopt_simplifier.module.js';
import { type LevelSource, type Levels, levelsOf } from './makeLevels.js';

/** An answer: the levels so far, all levels, or an error. */
export interface LevelAnswer {
  readonly levels?: Levels;
  readonly isLast: boolean;
  readonly error?: string;
  /** Whether the simplifier was ready. */
  readonly isReady: boolean;
}

/** The used parts of a worker's global scope: types of this project are those of pages. */
const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<LevelSource>) => void;
  postMessage(message: LevelAnswer, transfer: Transferable[]): void;
};

const answer = (levels: Levels, isLast: boolean): void =>
  scope.postMessage({ levels, isLast, isReady: true }, [levels.index.buffer]);

/** Answers each source in turn with its levels or an error, and says whether the simplifier was ready. */
scope.onmessage = async ({ data }) => {
  let isReady = false;
  try {
    await MeshoptSimplifier.ready;
    isReady = true;
    answer(
      levelsOf(data, MeshoptSimplifier, (levels) => answer(levels, false)),
      true,
    );
  } catch (error) {
    scope.postMessage({ error: String(error), isLast: true, isReady }, []);
  }
};
