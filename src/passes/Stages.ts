import type { Object3D } from 'three';
import { describe, describeError } from '../scene/objects/checks.js';

/** The parts of an accelerated scene that replace work of plain three; most have the name of their option. */
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

/** Number of failures of a stage that leave one object each to three; one more leaves all objects to it. */
const MOST_LEFT = 16;

/**
 * The stages of an accelerated scene that have failed. No exception of the library reaches `renderer.render`: failed
 * work is left to plain three for good, for the object that it failed at, or for the whole scene if none is known. A
 * failure while a pass makes its list applies to that picture, a later one from the next picture on. Each is warned of.
 *
 * Errors of the page's own code come up again when plain three calls it.
 */
export class Stages {
  /** The stage that is at work. */
  at: Stage = 'lists';
  /** The object that the stage works for; null when it works for all objects. */
  object: Object3D | null = null;
  readonly #failures = new Map<Stage, string>();
  readonly #objects = new WeakMap<Object3D, string>();
  readonly #counts = new Map<Stage, number>();
  readonly #leave: (stage: Stage, object: Object3D | null) => void;

  /** @param leave Leaves an object, or with null a whole stage, to plain three. */
  constructor(leave: (stage: Stage, object: Object3D | null) => void) {
    this.#leave = leave;
  }

  /** True for a stage that has failed; for lists also without updates, on which they depend. */
  isOff(stage: Stage): boolean {
    const failures = this.#failures;
    return failures.size > 0 && (failures.has(stage) || (stage === 'lists' && failures.has('update')));
  }

  /** Does part of the work for another stage, which is blamed for errors in it. */
  as<T>(stage: Stage, work: () => T): T {
    const before = this.at;
    this.at = stage;
    const result = work();
    this.at = before;
    return result;
  }

  /** Runs a stage, which may hand over to other stages by {@link as}; returns undefined when it fails. */
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
    const one = count <= MOST_LEFT ? object : null;
    const why = `${stage} failed${one === null ? '' : ` at ${describe(one)}`} (${describeError(error)})`;
    const isKnown = one !== null && this.#objects.has(one);
    if (one === null) this.#failures.set(stage, why);
    else this.#objects.set(one, why);
    try {
      this.#leave(stage, one);
    } catch (second) {
      // The stage is off, even if parts of it are left; nothing more can be done.
      console.warn(`accelerate: ${why} and could not be ended:`, second);
    }
    if (isKnown) return;
    console.warn(`accelerate: ${why}, so plain three does it from now on; please report this with the error:`, error);
  }

  /** The failures at an object or of whole stages, in sentences. */
  why(object: Object3D): string[] {
    const one = this.#objects.get(object);
    const all = one === undefined ? [...this.#failures.values()] : [one, ...this.#failures.values()];
    return all.map((why) => `Plain three does some of the work, as ${why}.`);
  }
}

/** Stages by accelerated scene. */
export const stagesOf: WeakMap<Object3D, Stages> = new WeakMap();
