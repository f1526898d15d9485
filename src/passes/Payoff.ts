/**
 * Costs on the main thread, as shares of the cost of a mesh in view with its draw call, which is 1 (1.5 µs). They are
 * rounded from `npm run bench:frames` and `npm run bench -- occlusion`; only ratios matter.
 */
export const WEIGHTS = {
  /** A batched draw that is left out: it would have cost no call, only an element in the draw list. */
  batched: 0.1,
  /** A triangle that the graphics card is spared: an estimate, as this cost differs most between machines. */
  triangle: 0.00033,
  /** An occluder that is drawn into the small buffer, with its transform. */
  occluder: 4,
  occluderTriangle: 0.04,
  /** An object in the frustum that is tested against the small buffer. */
  look: 0.05,
  /** An object that a renderer need not visit, as it is not in the list. */
  visit: 0.07,
  /** An object that is put in a list, and then visited by the renderer. */
  list: 0.13,
  /** An instance left out, and an instance copied to leave other instances out: equal numbers of bytes. */
  instance: 0.02,
  copy: 0.02,
} as const;

/** The longest rest: pictures in a row in which a measure is not tried. */
const LONGEST_REST = 8;

/**
 * Decides from picture to picture whether to try a measure, by the gain and cost of earlier tries. After a loss the
 * measure is tried once more, then after rests of 1, 2, 4 and 8 pictures. Rests are counted in pictures, without a
 * clock, so the same pictures lead to the same decisions. Pictures look the same either way.
 */
export class Payoff {
  #losses = 0;
  #left = 0;

  /** Begins a picture: true when the measure is to be tried; otherwise the picture counts towards the rest. */
  takeTurn(): boolean {
    if (this.#left === 0) return true;
    this.#left--;
    return false;
  }

  /** Has the next picture try the measure, as something has changed. */
  retry(): void {
    this.#losses = this.#left = 0;
  }

  /** Records the gain and cost of a try, in {@link WEIGHTS}; true when the try paid. */
  note(gain: number, cost: number): boolean {
    const pays = gain >= cost;
    this.#losses = pays ? 0 : this.#losses + 1;
    this.#left = this.#losses < 2 ? 0 : Math.min(2 ** (this.#losses - 2), LONGEST_REST);
    return pays;
  }
}
