import type { Object3D } from 'three';
import { type Stage, Stages } from '../../src/passes/Stages.js';

/** A stage that failed, and the name of the object at which it did. */
export interface Failure {
  readonly stage: Stage;
  readonly at: string | null;
  readonly error: unknown;
}

/** Of the present test, in the order in which they came. */
export const failures: Failure[] = [];

type Patched = { isWatched?: boolean } & Record<'fail', Stages['fail']>;

/** Takes note of all failures from now on. Files may share the class. */
export function watchFailures(): void {
  const kind = Stages.prototype as unknown as Patched;
  const fail = kind.fail;
  if (kind.isWatched === true) return;
  kind.isWatched = true;
  kind.fail = function (this: Stages, error, stage = this.at, object: Object3D | null = this.object) {
    failures.push({ stage, at: object?.name ?? null, error });
    fail.call(this, error, stage, object);
  };
}

/** Passes on what was thrown. */
export function throwIt(error: unknown): never {
  throw error;
}
