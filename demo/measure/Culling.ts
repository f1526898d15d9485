import type { Object3D, PerspectiveCamera } from 'three';
import { classify, type SceneIndex } from '../../src/index.js';
import type { Mode } from '../state/Settings.js';
import type { FrameResult } from './FrameResult.js';
import type { Measurements } from './Measurements.js';
import { plainCull } from './plainCull.js';

/** The way not in use is timed once in so many frames, so that it does not slow the page down... */
const EVERY = 24;
/** ...and more often until its mean is reliable. */
const EVERY_AT_FIRST = 3;

/** Culls for the player's camera each frame, and times both ways of doing so. */
export class Culling {
  readonly result: FrameResult = { visible: [], inside: [], intersecting: [], hidden: [], hovered: null, picked: null };
  readonly #measurements: Measurements;
  readonly #other: Object3D[] = [];
  #frames = 0;

  constructor(measurements: Measurements) {
    this.#measurements = measurements;
  }

  run(index: SceneIndex, camera: PerspectiveCamera, mode: Mode): void {
    const measurements = this.#measurements;
    const { result } = this;
    const byIndex = mode !== 'three';
    const other = byIndex ? measurements.three : measurements.index;
    const isTurn = this.#frames++ % (other.isReliable ? EVERY : EVERY_AT_FIRST) === 0 || other.isEmpty;
    if (byIndex || isTurn) {
      // An untimed call first: the way in use has warm caches, too.
      if (!byIndex) index.cull(camera, this.#other);
      measurements.index.time(() => index.cull(camera, byIndex ? result.visible : this.#other));
      measurements.nodesVisited = index.counters.nodesVisited;
      measurements.itemsTested = index.counters.itemsTested;
    }
    if (!byIndex || isTurn) {
      measurements.three.time(() => plainCull(index.root, camera, byIndex ? this.#other : result.visible));
    }
    this.classify(index, camera);
    measurements.visible = result.visible.length;
  }

  /** Finds the classes. They are only for the colours: culling itself does not need them. */
  classify(index: SceneIndex, camera: PerspectiveCamera): void {
    classify(index, camera, this.result);
    const { inside, intersecting } = this.result;
    Object.assign(this.#measurements, {
      total: index.size,
      inside: inside.length,
      intersecting: intersecting.length,
    });
  }

  /** Drops all references to objects of the last world. */
  clear(): void {
    const { result } = this;
    for (const list of [result.visible, result.inside, result.intersecting, result.hidden, this.#other])
      list.length = 0;
    result.hovered = result.picked = null;
    this.#frames = 0;
  }
}
