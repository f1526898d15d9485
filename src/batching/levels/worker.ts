// @ts-expect-error: three has no types of it, where it has the module.
import { MeshoptSimplifier } from 'three/addons/libs/meshopt_simplifier.module.js';
import { type LevelSource, makeLevels } from './makeLevels.js';

/** What is used of the scope of a worker: types of this project are those of pages. */
const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<LevelSource>) => void;
  postMessage(message: unknown, transfer: Transferable[]): void;
};

/** Answers each source with its levels or an error, and says whether the simplifier was ready. */
scope.onmessage = async ({ data }) => {
  let isReady = false;
  try {
    await MeshoptSimplifier.ready;
    isReady = true;
    const steps = makeLevels(data, MeshoptSimplifier);
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    scope.postMessage({ levels: step.value, isReady }, [step.value.index.buffer]);
  } catch (error) {
    scope.postMessage({ error: String(error), isReady }, []);
  }
};
