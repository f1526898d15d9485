import type { Camera } from 'three';
import { inWords } from '../core/inWords.js';
import { viewAt, viewCount } from './ask/cameraPlanes.js';

/**
 * Bands of distance from a camera, one more than there are borders. To change its band, a box must pass a border by a
 * share of the border's distance.
 */
export class DistanceBands {
  readonly #borders: readonly number[];
  readonly #hysteresis: number;
  /** Where the views of the camera are: x y z each. */
  readonly #eyes: number[] = [];

  /** @throws TypeError or RangeError for borders that are not numbers above zero, each above the one before. */
  constructor(borders: readonly number[], hysteresis: number, where: string) {
    for (let i = 0; i < borders.length; i++) checkBorder(borders[i], i === 0 ? 0 : borders[i - 1], `${where}[${i}]`);
    this.#borders = [...borders];
    this.#hysteresis = hysteresis;
  }

  /** True when there is but one band, whatever the distance. */
  get isOne(): boolean {
    return this.#borders.length === 0;
  }

  /** Measures from where the camera is by its present matrices; from the nearest view of an ArrayCamera. */
  measureFrom(camera: Camera): void {
    const eyes = this.#eyes;
    const count = viewCount(camera);
    eyes.length = 3 * count;
    for (let i = 0; i < count; i++) {
      const { elements } = viewAt(camera, i).matrixWorld;
      for (let c = 0; c < 3; c++) eyes[3 * i + c] = elements[12 + c];
    }
  }

  /**
   * The band of a box.
   * @param before The band it was in; -1 for a box that was in none, for which borders count as they are.
   */
  bandOf(box: Float64Array, before: number): number {
    const borders = this.#borders;
    const eyes = this.#eyes;
    let distance = Number.POSITIVE_INFINITY;
    for (let i = 0; i < eyes.length; i += 3) {
      const x = Math.max(box[0] - eyes[i], eyes[i] - box[3], 0);
      const y = Math.max(box[1] - eyes[i + 1], eyes[i + 1] - box[4], 0);
      const z = Math.max(box[2] - eyes[i + 2], eyes[i + 2] - box[5], 0);
      distance = Math.min(distance, Math.sqrt(x * x + y * y + z * z));
    }
    const share = before < 0 ? 0 : this.#hysteresis;
    let band = Math.max(before, 0);
    while (band < borders.length && distance >= borders[band] * (1 + share)) band++;
    while (band > 0 && distance < borders[band - 1] * (1 - share)) band--;
    return band;
  }
}

function checkBorder(border: number, before: number, where: string): void {
  if (typeof border !== 'number') throw new TypeError(`${where}: must be a number, got ${inWords(border)}`);
  if (!(border > before && border < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`${where}: must be above ${before} and finite, got ${border}`);
  }
}
