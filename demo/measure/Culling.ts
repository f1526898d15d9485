import type { Object3D, PerspectiveCamera } from 'three';
import type { SceneIndex } from '../../src/index.js';
import type { Mode } from '../state/Settings.js';
import type { Measurements } from './Measurements.js';
import { plainCull } from './plainCull.js';
import type { Sight } from './Sight.js';

/** The way not in use is timed once in so many frames: it must not slow down the one that is. */
const EVERY = 24;

/** Finds out each frame what the player sees, and what that costs either way. */
export class Culling {
  readonly sight: Sight = { visible: [], inside: [], intersecting: [], hovered: null, picked: null };
  readonly #seen: Measurements;
  readonly #other: Object3D[] = [];
  #frames = 0;

  constructor(seen: Measurements) {
    this.#seen = seen;
  }

  run(index: SceneIndex, camera: PerspectiveCamera, mode: Mode): void {
    const seen = this.#seen;
    const { sight } = this;
    const byIndex = mode === 'index';
    const isTurn = this.#frames++ % EVERY === 0 || (byIndex ? seen.three : seen.index).isEmpty;
    if (byIndex || isTurn) {
      // Called now and then, it would be timed with cold caches, which the other way does not have.
      if (!byIndex) index.cull(camera, this.#other);
      seen.index.time(() => index.cull(camera, byIndex ? sight.visible : this.#other));
      seen.nodesVisited = index.counters.nodesVisited;
      seen.itemsTested = index.counters.itemsTested;
    }
    if (!byIndex || isTurn) {
      seen.three.time(() => plainCull(index.root, camera, byIndex ? this.#other : sight.visible));
    }
    // For the colours only: neither way of culling needs it.
    index.classify(camera, sight);
    seen.total = index.size;
    seen.inside = sight.inside.length;
    seen.intersecting = sight.intersecting.length;
    seen.visible = sight.visible.length;
  }

  /** Objects of a world that is gone must not stay alive in here. */
  forget(): void {
    const { sight } = this;
    for (const list of [sight.visible, sight.inside, sight.intersecting, this.#other]) list.length = 0;
    sight.hovered = sight.picked = null;
    this.#frames = 0;
  }
}
