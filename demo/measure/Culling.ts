import type { Object3D, PerspectiveCamera } from 'three';
import { classify, type SceneIndex } from '../../src/index.js';
import type { Mode } from '../state/Settings.js';
import type { FrameResult } from './FrameResult.js';
import type { Measurements } from './Measurements.js';
import { plainClassify, plainCull } from './plainCull.js';

/** Both ways are timed once in so many frames, so that this does not slow the page down... */
const EVERY = 24;
/** ...and more often until their times are reliable. */
const EVERY_AT_FIRST = 3;
/** A way is repeated until it took so many milliseconds, as clocks are coarse, or so many times. */
const LEAST = 2;
const MOST = 64;

/** Culls for the player's camera each frame, and now and then times both ways of doing so, one right after the other. */
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
    const { isReliable } = measurements.three;
    if (this.#frames++ % (isReliable ? EVERY : EVERY_AT_FIRST) === 0) this.#time(index, camera);
    if (mode === 'three') {
      plainCull(index.root, camera, result.visible);
      // It knows of nothing hidden.
      result.hidden.length = 0;
    } else {
      index.cull(camera, result.visible);
      measurements.boxesTested = index.counters.nodesVisited + index.counters.itemsTested;
    }
    this.#classify(index, camera, mode);
    measurements.visible = result.visible.length;
  }

  /** Drops all references to objects of the last world. */
  clear(): void {
    const { result } = this;
    for (const list of [result.visible, result.inside, result.intersecting, result.hidden, this.#other])
      list.length = 0;
    result.hovered = result.picked = null;
    this.#frames = 0;
  }

  /** Finds the classes. They are only for the colours: culling itself does not need them. */
  #classify(index: SceneIndex, camera: PerspectiveCamera, mode: Mode): void {
    if (mode === 'three') plainClassify(this.result);
    else classify(index, camera, this.result);
    const { inside, intersecting } = this.result;
    Object.assign(this.#measurements, {
      total: index.size,
      inside: inside.length,
      intersecting: intersecting.length,
    });
  }

  #time(index: SceneIndex, camera: PerspectiveCamera): void {
    const measurements = this.#measurements;
    const byIndex = meanOf(() => index.cull(camera, this.#other));
    measurements.boxesTested = index.counters.nodesVisited + index.counters.itemsTested;
    measurements.index.add(byIndex);
    measurements.three.add(meanOf(() => plainCull(index.root, camera, this.#other)));
  }
}

/** The mean duration of a job in milliseconds. */
function meanOf(job: () => void): number {
  const start = performance.now();
  let runs = 0;
  let passed = 0;
  while (runs < MOST && passed < LEAST) {
    job();
    runs++;
    passed = performance.now() - start;
  }
  return passed / runs;
}
