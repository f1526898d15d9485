import type { OcclusionBuffer } from '../../../src/occlusion/OcclusionBuffer.js';
import { type OcclusionSettings, OcclusionView } from '../../../src/occlusion/OcclusionView.js';
import * as AT from '../../../src/wasm/occlusionLayout.js';

/** Boxes that reach farther, or come nearer to the eye's plane, are never hidden. */
const MOST_REACH = 2 ** 100;
const LEAST_W = 2 ** -100;

const { abs, floor, fround, max, min } = Math;

/** Whether a buffer hides a box, to the last bit: by all eight corners, then by each pixel, without tiles or a first look. */
export class BoxOracle {
  readonly #buffer: OcclusionBuffer;
  readonly #view = new OcclusionView();
  #near = new Float32Array(0);

  constructor(buffer: OcclusionBuffer) {
    this.#buffer = buffer;
  }

  /** To be called when the pass is drawn. */
  look(settings: OcclusionSettings): void {
    this.#view.set(settings, this.#buffer.width, this.#buffer.height);
    this.#near = this.#buffer.near.slice();
  }

  isHidden(b: Float64Array, o: number): boolean {
    const n = this.#view.numbers;
    const { width, height } = this.#buffer;
    let reach = 0;
    for (let k = 0; k < 3; k++) reach += max(abs(b[o + k] - n[AT.EYE + k]), abs(b[o + 3 + k] - n[AT.EYE + k]));
    // Written so that NaN fails, as all that follows.
    if (!(reach < MOST_REACH)) return false;
    const lowest = [Infinity, Infinity];
    const highest = [-Infinity, -Infinity];
    let most = 0;
    let leastW = Infinity;
    for (let corner = 0; corner < 8; corner++) {
      const [x, y, z] = [0, 1, 2].map((k) => b[o + k + ((corner >> k) & 1 ? 3 : 0)]);
      const row = (r: number): number =>
        n[AT.ROWS + r] * x + n[AT.ROWS + r + 1] * y + n[AT.ROWS + r + 2] * z + n[AT.ROWS + r + 3];
      const w = row(8);
      const near = row(12);
      if (!(w - near > 0 && w > LEAST_W)) return false;
      const i = 1 / w;
      for (let axis = 0; axis < 2; axis++) {
        lowest[axis] = min(lowest[axis], row(4 * axis) * i);
        highest[axis] = max(highest[axis], row(4 * axis) * i);
      }
      most = max(most, near * i);
      leastW = min(leastW, w);
    }
    const errors = 1 / leastW;
    const xy = (n[AT.BOX_XY] * reach + n[AT.BOX_CONSTANTS]) * errors;
    const ofNear = n[AT.BOX_N] * reach + n[AT.BOX_CONSTANTS + 1];
    const ofW = n[AT.BOX_W] * reach + n[AT.BOX_CONSTANTS + 2];
    most += (ofNear + most * ofW + n[AT.BOX_TERMS] * reach) * errors;
    most += n[AT.RELATIVE_GUARD] * 2 * most * (1 + most * n[AT.PER_NEAR]);
    // A number of single precision above this one, even if it was rounded down, is not below it.
    most = fround(most + n[AT.DEPTH_GUARD]);
    if (!(most < 1)) return false;
    const guard = n[AT.GUARD] + xy * 0.5 * max(width, height);
    const [left, bottom] = [width, height].map((size, k) => max(0, floor((lowest[k] + 1) * 0.5 * size - guard)));
    const [right, top] = [width, height].map((size, k) => min(size - 1, floor((highest[k] + 1) * 0.5 * size + guard)));
    for (let y = bottom; y <= top; y++) {
      for (let x = left; x <= right; x++) if (!(this.#near[y * width + x] > most)) return false;
    }
    return true;
  }
}
