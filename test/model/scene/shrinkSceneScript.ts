import { shrink } from '../shrink.js';
import { runSceneScript, SceneFailure } from './runSceneScript.js';
import type { SceneScript, Setting, Step } from './SceneScript.js';

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
  const stepOf = (setting: Setting, steps: readonly Step[]): number | null => {
    const failure = sceneFailureOf({ setting, steps: [...steps] }, without);
    return failure?.kind === kind ? (failure?.step ?? null) : null;
  };
  let { setting } = script;
  const trySetting = (change: Partial<Setting>, steps = script.steps): void => {
    if (stepOf({ ...setting, ...change }, steps) !== null) setting = { ...setting, ...change };
  };
  // With it even a few objects are led through the gate.
  trySetting({ cullCasters: true, mode: 'accelerate' });
  for (const [name, value] of Object.entries(PLAIN)) trySetting({ [name]: value });
  const shrinking = { stepOf: (steps: readonly Step[]) => stepOf(setting, steps), simpler, without: withoutObject };
  const short = shrink(script.steps, shrinking);
  const steps = [...shrink(resolved({ setting, steps: [...short] }, without), shrinking)];
  trySetting({ cullCasters: false }, steps);
  return { setting, steps };
}

/** With an object less, the others have lower numbers. */
function* withoutObject(steps: readonly Step[], at: number): Generator<Step[]> {
  if (steps[at].do !== 'add') return;
  for (const [a, b] of [
    [1, 1],
    [1, 0],
    [0, 1],
  ]) {
    const lower = (step: Step): Step => ({ ...step, a: Math.max(0, step.a - a), b: Math.max(0, step.b - b) });
    yield [...steps.slice(0, at), ...steps.slice(at + 1).map(lower)];
  }
}

/** Numbers that are no larger than there are objects, as far as that makes no difference. */
function resolved(script: SceneScript, without: ReadonlySet<string>): Step[] {
  const sizes: number[] = [];
  const failure = sceneFailureOf(script, without, (size) => sizes.push(size));
  const { steps, setting } = script;
  let best = steps;
  for (const [i, size] of sizes.entries()) {
    for (const name of ['a', 'b'] as const) {
      for (const modulus of [size, size + 1, size + 2]) {
        if (modulus === 0 || best[i][name] < modulus) continue;
        const candidate = best.map((step, k) => (k === i ? { ...step, [name]: step[name] % modulus } : step));
        const { kind, step } = sceneFailureOf({ setting, steps: candidate }, without) ?? {};
        if (kind !== failure?.kind || step !== failure?.step) continue;
        best = candidate;
        break;
      }
    }
  }
  return best;
}

/** No frame, nothing done, and smaller numbers. */
function* simpler(step: Step): Generator<Step> {
  if (step.probe !== 0) yield { ...step, probe: 0 };
  if (step.do !== 'wait') yield { ...step, do: 'wait', a: 0, b: 0, v: [] };
  for (const name of ['a', 'b'] as const) {
    for (let value = 0; value < Math.min(8, step[name]); value++) yield { ...step, [name]: value };
  }
  for (const [i, now] of step.v.entries()) {
    for (const value of [0, 1, 2, 4]) {
      if (now !== value && Math.abs(now) >= value) yield { ...step, v: step.v.map((v, k) => (k === i ? value : v)) };
    }
  }
  if (step.probe > 10) for (let probe = 1; probe <= 10; probe++) yield { ...step, probe };
}

/** How a script fails, or null. @param onStep Told before each step how many objects there are. */
export function sceneFailureOf(
  script: SceneScript,
  without: ReadonlySet<string> = new Set(),
  onStep: ((size: number) => void) | null = null,
): SceneFailure | null {
  try {
    runSceneScript(script, without, undefined, onStep);
    return null;
  } catch (error) {
    if (error instanceof SceneFailure) return error;
    throw error;
  }
}
