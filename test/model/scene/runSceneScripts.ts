import type { Counters } from './Frame.js';
import { printSceneScript } from './printSceneScript.js';
import { runSceneScript, SceneFailure } from './runSceneScript.js';
import { sceneFailureOf, shrinkSceneScript } from './shrinkSceneScript.js';
import { writeSceneScript } from './writeSceneScript.js';

/**
 * Runs scripts, one for each seed, until that many steps have been made; returns how many were. A script that fails is
 * shortened and thrown, in a form that fits into a test.
 * @param without Names of acts that do not come and of checks that are not made.
 */
export function runSceneScripts(
  seeds: Iterable<number>,
  operations: number,
  counters: Counters,
  without: ReadonlySet<string> = new Set(),
): number {
  let done = 0;
  for (const seed of seeds) {
    if (done >= operations) break;
    const script = writeSceneScript(seed, without);
    try {
      runSceneScript(script, without, counters);
    } catch (error) {
      if (!(error instanceof SceneFailure)) throw error;
      const short = shrinkSceneScript(script, without);
      const why = sceneFailureOf(short, without)?.message ?? 'it does not fail again';
      throw new Error(
        `script of seed ${seed}, ${error.message}\nshortened to ${short.steps.length} steps, ${why}\n${printSceneScript(short)}`,
      );
    }
    done += script.steps.length;
  }
  return done;
}
