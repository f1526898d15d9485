import { runSceneScript, SceneFailure } from './runSceneScript.js';
import type { SceneScript, Setting, Step } from './SceneScript.js';

/** Runs that shrinking may take at most. */
const MOST_RUNS = 3000;

const PLAIN: Partial<Setting> = {
  mode: 'accelerate',
  structure: 'looseOctree',
  capacity: 64,
  planar: false,
  isMaintained: false,
  scenes: 1,
};

/** A script that fails in the same way and from which nothing can be left out, as far as some thousand trials tell. */
export function shrinkSceneScript(script: SceneScript, without: ReadonlySet<string> = new Set()): SceneScript {
  const kind = sceneFailureOf(script, without)?.kind;
  let best = script;
  let runs = 0;
  const attempt = (candidate: SceneScript): boolean => {
    if (runs++ >= MOST_RUNS) return false;
    const failure = sceneFailureOf(candidate, without);
    if (failure === null || failure.kind !== kind) return false;
    best = { ...candidate, steps: candidate.steps.slice(0, failure.step + 1) };
    return true;
  };
  const tryAt = (at: number, change: Partial<Step>): boolean => {
    const step = best.steps[at];
    return step !== undefined && attempt({ ...best, steps: replaced(best.steps, at, { ...step, ...change }) });
  };
  attempt(script);
  // With it even a few objects are led through the gate.
  attempt({ ...best, setting: { ...best.setting, cullCasters: true, mode: 'accelerate' } });
  for (let before = ''; before !== JSON.stringify(best); ) {
    before = JSON.stringify(best);
    for (const [name, value] of Object.entries(PLAIN)) trySetting(name, value);
    dropSteps();
    resolve();
    for (let i = 0; i < best.steps.length; i++) simplify(i);
  }
  trySetting('cullCasters', false);
  return best;

  function trySetting(name: string, value: unknown): void {
    if (best.setting[name as keyof Setting] !== value)
      attempt({ ...best, setting: { ...best.setting, [name]: value } });
  }

  /** Leaves out runs of steps, long ones first. */
  function dropSteps(): void {
    for (let length = best.steps.length >> 1; length >= 1; length >>= 1) {
      for (let end = best.steps.length; end > 0; end -= length) {
        const steps = best.steps.filter((_, i) => i < end - length || i >= end);
        if (steps.length === best.steps.length || attempt({ ...best, steps })) continue;
        if (length === 1 && best.steps[end - 1].do === 'add') dropShifted(steps, end - 1);
      }
    }
  }

  /** With an object less, the others have lower numbers. */
  function dropShifted(steps: Step[], from: number): void {
    const lower = (n: number, by: number): number => Math.max(0, n - by);
    for (const [a, b] of [
      [1, 1],
      [1, 0],
      [0, 1],
    ]) {
      const shifted = steps.map((s, i) => (i < from ? s : { ...s, a: lower(s.a, a), b: lower(s.b, b) }));
      if (attempt({ ...best, steps: shifted })) return;
    }
  }

  /** Numbers that are no larger than there are objects, where that makes no difference. */
  function resolve(): void {
    const sizes: number[] = [];
    try {
      runSceneScript(best, without, undefined, (size) => sizes.push(size));
    } catch {
      // As it must.
    }
    sizes.forEach((size, i) => {
      for (const name of ['a', 'b'] as const) {
        for (const modulus of [size, size + 1, size + 2]) {
          const step = best.steps[i];
          if (step && modulus > 0 && step[name] >= modulus && tryAt(i, { [name]: step[name] % modulus })) break;
        }
      }
    });
  }

  /** Smaller numbers, and fewer frames, in one step. */
  function simplify(at: number): void {
    const now = (): Step => best.steps[at];
    if (now().probe !== 0) tryAt(at, { probe: 0 });
    if (now().do !== 'wait') tryAt(at, { do: 'wait', a: 0, b: 0, v: [] });
    for (const name of ['a', 'b'] as const) {
      for (let value = 0; value < 8 && now() && now()[name] > value; value++) if (tryAt(at, { [name]: value })) break;
    }
    for (let i = 0; now() && i < now().v.length; i++) {
      for (const value of [0, 1, 2, 4]) {
        if (!now() || now().v[i] === value || Math.abs(now().v[i]) < value) continue;
        if (tryAt(at, { v: replaced(now().v, i, value) })) break;
      }
    }
    if (now()?.probe > 10) for (let probe = 1; probe <= 10; probe++) if (tryAt(at, { probe })) break;
  }
}

/** How a script fails, or null. */
export function sceneFailureOf(script: SceneScript, without: ReadonlySet<string> = new Set()): SceneFailure | null {
  try {
    runSceneScript(script, without);
    return null;
  } catch (error) {
    if (error instanceof SceneFailure) return error;
    throw error;
  }
}

function replaced<T>(list: readonly T[], at: number, by: T): T[] {
  return list.map((item, i) => (i === at ? by : item));
}
