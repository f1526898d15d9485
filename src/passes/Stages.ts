import type { Object3D } from 'three';
import { describe, describeError } from '../scene/objects/checks.js';

/** What of an accelerated scene does plain three's work, or leaves out some of it; most are named as their options. */
export type Stage =
  | 'update'
  | 'lists'
  | 'limits'
  | 'keepShadows'
  | 'cullCasters'
  | 'occlusion'
  | 'instances'
  | 'batch'
  | 'levels';

/** So many objects are left to three one by one, then all of them are. */
const MOST = 16;

/**
 * Which stages of an accelerated scene have failed. No exception of ours reaches `renderer.render`: what fails is left to
 * plain three, for good; for the object at which it failed, or where none is known for the scene. While a pass makes its
 * list, that holds from the same picture on, later from the next one. One warning for each says so.
 *
 * Errors of the page's own code come up again where plain three calls it.
 */
export class Stages {
  /** The stage that is at work, and the object it is at; null where it works for all. */
  at: Stage = 'lists';
  object: Object3D | null = null;
  readonly #failures = new Map<Stage, string>();
  readonly #objects = new WeakMap<Object3D, string>();
  readonly #counts = new Map<Stage, number>();
  readonly #leave: (stage: Stage, object: Object3D | null) => void;

  /** @param leave Leaves an object, or with null a whole stage, to plain three. */
  constructor(leave: (stage: Stage, object: Object3D | null) => void) {
    this.#leave = leave;
  }

  /** True for a stage that has failed. Without updates there are no lists. */
  isOff(stage: Stage): boolean {
    const failures = this.#failures;
    return failures.size > 0 && (failures.has(stage) || (stage === 'lists' && failures.has('update')));
  }

  /** Does a part of the work for another stage, which is to blame for what that throws. */
  as<T>(stage: Stage, work: () => T): T {
    const before = this.at;
    this.at = stage;
    const result = work();
    this.at = before;
    return result;
  }

  /** Runs a stage, which may pass on to others by {@link as}; returns undefined where it fails. */
  run<T>(stage: Stage, work: () => T): T | undefined {
    const before = this.at;
    this.object = null;
    try {
      return this.as(stage, work);
    } catch (error) {
      this.fail(error);
      this.at = before;
      return undefined;
    }
  }

  fail(error: unknown, stage: Stage = this.at, object: Object3D | null = this.object): void {
    this.object = null;
    if (this.isOff(stage)) return;
    const count = (this.#counts.get(stage) ?? 0) + 1;
    this.#counts.set(stage, count);
    const one = count <= MOST ? object : null;
    const why = `${stage} failed${one === null ? '' : ` at ${describe(one)}`} (${describeError(error)})`;
    const isKnown = one !== null && this.#objects.has(one);
    if (one === null) this.#failures.set(stage, why);
    else this.#objects.set(one, why);
    try {
      this.#leave(stage, one);
    } catch (second) {
      // It is off, whatever is left of it; there is nothing more to be done.
      console.warn(`accelerate: ${why} and could not be ended:`, second);
    }
    if (isKnown) return;
    console.warn(`accelerate: ${why}, so plain three does it from now on; please report this with the error:`, error);
  }

  /** What has failed at an object or for all, in sentences. */
  why(object: Object3D): string[] {
    const one = this.#objects.get(object);
    const all = one === undefined ? [...this.#failures.values()] : [one, ...this.#failures.values()];
    return all.map((why) => `Plain three does some of the work, as ${why}.`);
  }
}

/** By accelerated scene. */
export const stagesOf: WeakMap<Object3D, Stages> = new WeakMap();
