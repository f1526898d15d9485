import { tryOcclusion } from '../../helpers/occlusion/tryOcclusion.js';
import { random } from '../../helpers/random.js';
import { ACTS } from './acts.js';
import { checkFrame } from './checkFrame.js';
import { checkLeftovers } from './checkTree.js';
import { Counters, Difference } from './Frame.js';
import type { SceneScript } from './SceneScript.js';
import { Side } from './Side.js';

/** Says at which step a script went wrong, and how. */
export class SceneFailure extends Error {
  readonly step: number;
  /** Which check failed, or that something threw. */
  readonly kind: string;

  constructor(step: number, cause: unknown) {
    super(`step ${step}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.step = step;
    this.kind = cause instanceof Difference ? cause.kind : `throws ${(cause as Error)?.message?.slice(0, 40)}`;
  }
}

/**
 * Does all steps of a script to a scene of plain three and to one with an index, and compares the two after each.
 * @param without Checks that are not made.
 * @param onStep Told before each step how many objects there are.
 */
export function runSceneScript(
  { setting, steps }: SceneScript,
  without: ReadonlySet<string> = new Set(),
  counters: Counters = new Counters(),
  onStep: ((size: number) => void) | null = null,
): void {
  const rest = tryOcclusion();
  const plain = new Side(false, setting);
  const fast = new Side(true, setting);
  try {
    for (let step = 0; step < steps.length; step++) {
      const { do: name, a, b, v, probe } = steps[step];
      onStep?.(plain.objects.length);
      try {
        for (const side of [plain, fast]) ACTS[name].apply(side, { a, b, v });
        if (probe === 0) continue;
        if (!checkFrame({ setting, plain, fast, next: random(probe), counters, without })) return;
      } catch (cause) {
        throw new SceneFailure(step, cause);
      }
    }
    checkEnd(plain, fast, steps.length - 1);
  } finally {
    fast.dispose();
    rest();
  }
}

/** An index that is disposed leaves nothing behind. */
function checkEnd(plain: Side, fast: Side, step: number): void {
  fast.dispose();
  try {
    checkLeftovers({ plain, fast });
  } catch (cause) {
    throw new SceneFailure(step, cause);
  }
}
