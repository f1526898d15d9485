import type { Object3D } from 'three';
import { findPairs, type SceneIndex } from '../../../../src/index.js';
import { Meter } from '../../../measure/Meter.js';
import { NumberedMesh } from '../../../views/drawings/NumberedMesh.js';
import { MARKED } from '../../../views/drawings/writeNumbers.js';
import type { Ephemeris } from './Ephemeris.js';
import { UNIT } from './frame.js';

export interface Approach {
  a: number;
  b: number;
  kilometres: number;
}

/** The mark of a satellite that is near another one. */
const NEAR = MARKED + 2;

/** Finds pairs of satellites that are nearer than a given distance. */
export class CloseApproaches {
  /** Nearest first. */
  readonly found: Approach[] = [];
  /** By the number of the satellite. */
  readonly marks: Uint8Array;
  /** Pairs whose boxes touch, which the index found. */
  candidates = 0;
  readonly time = new Meter();
  readonly #ephemeris: Ephemeris;
  readonly #pairs: [Object3D, Object3D][] = [];

  constructor(ephemeris: Ephemeris) {
    this.#ephemeris = ephemeris;
    this.marks = new Uint8Array(ephemeris.count);
  }

  /**
   * Takes pairs from the index and measures each. The edge of a satellite's box is the given distance, so the boxes of
   * two that are no farther apart touch.
   */
  find(index: SceneIndex, kilometres: number): void {
    const { found, marks } = this;
    const pairs = this.time.time(() => findPairs(index, this.#pairs));
    this.candidates = pairs.length;
    found.length = 0;
    marks.fill(0);
    for (const [first, second] of pairs) {
      if (!(first instanceof NumberedMesh && second instanceof NumberedMesh)) continue;
      const distance = this.#distance(first.number, second.number);
      if (distance > kilometres) continue;
      found.push({
        a: Math.min(first.number, second.number),
        b: Math.max(first.number, second.number),
        kilometres: distance,
      });
      marks[first.number] = marks[second.number] = NEAR;
    }
    found.sort((p, q) => p.kilometres - q.kilometres || p.a - q.a || p.b - q.b);
  }

  #distance(a: number, b: number): number {
    const { places } = this.#ephemeris;
    const x = places[3 * a]! - places[3 * b]!;
    const y = places[3 * a + 1]! - places[3 * b + 1]!;
    const z = places[3 * a + 2]! - places[3 * b + 2]!;
    return UNIT * Math.hypot(x, y, z);
  }
}
