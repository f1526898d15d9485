import { printScript } from './printScript.js';
import { failureOf, shrinkScript } from './shrinkScript.js';
import { writeScript } from './writeScript.js';

/**
 * Runs scripts for a structure, one for each seed, until that many edits have been made; returns how many were. A script
 * that fails is shortened and thrown, in a form that fits into a test.
 * @param isSparse With many items, looks at some states only.
 */
export function runScripts(structure: string, seeds: Iterable<number>, operations: number, isSparse = false): number {
  let done = 0;
  for (const seed of seeds) {
    if (done >= operations) break;
    const script = writeScript(seed, structure);
    const failure = failureOf(script, isSparse);
    if (failure !== null) {
      const short = shrinkScript(script);
      const why = failureOf(short)?.message ?? 'it does not fail again';
      throw new Error(
        `${structure}, script of seed ${seed}, ${failure.message}\nshortened to ${short.edits.length} edits, ${why}\n${printScript(short)}`,
      );
    }
    done += script.edits.length;
  }
  return done;
}
