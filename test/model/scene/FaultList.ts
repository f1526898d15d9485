import type { Counters } from './Frame.js';
import { runSceneScript, SceneFailure } from './runSceneScript.js';
import type { SceneScript } from './SceneScript.js';
import { printSceneScript } from './sceneText.js';
import { sceneFailureOf, shrinkSceneScript } from './shrinkSceneScript.js';
import { writeSceneScript } from './writeSceneScript.js';

/** Runs scripts and keeps one of each kind of those that fail, shortened: two are of a kind if they fail by the same acts. */
export class FaultList {
  /** Texts, by what the shortened scripts have in common. */
  readonly found = new Map<string, string>();
  failures = 0;
  steps = 0;
  shrinkTime = 0;
  readonly #without: ReadonlySet<string>;
  readonly #counters: Counters;

  constructor(without: ReadonlySet<string>, counters: Counters) {
    this.#without = without;
    this.#counters = counters;
  }

  /** Runs the script of a seed. */
  run(seed: number): void {
    const script = writeSceneScript(seed, this.#without);
    this.steps += script.steps.length;
    try {
      runSceneScript(script, this.#without, this.#counters);
    } catch (error) {
      if (!(error instanceof SceneFailure)) throw error;
      this.failures++;
      const start = performance.now();
      this.#note(seed, script);
      this.shrinkTime += performance.now() - start;
    }
  }

  #note(seed: number, script: SceneScript): void {
    const short = shrinkSceneScript(script, this.#without);
    const failure = sceneFailureOf(short, this.#without);
    const acts = [...new Set(short.steps.map((step) => step.do))].filter((name) => name !== 'wait').sort();
    const name = `${failure?.kind}: ${acts.join(' ')}`;
    if (this.found.has(name)) return;
    this.found.set(name, `${name} (seed ${seed})\n${failure?.message}\n${printSceneScript(short)}`);
  }
}

/**
 * Runs scripts, one for each seed, until that many steps have been made; returns how many were. A script that fails is
 * shortened and thrown, in a form that fits into a test.
 * @param without Names of acts that do not come and of checks that are not made.
 */
export function runSceneScripts(
  seeds: Iterable<number>,
  operations: number,
  counters: Counters,
  without: ReadonlySet<string>,
): number {
  const faults = new FaultList(without, counters);
  for (const seed of seeds) {
    if (faults.steps >= operations) break;
    faults.run(seed);
    for (const text of faults.found.values()) throw new Error(text);
  }
  return faults.steps;
}
