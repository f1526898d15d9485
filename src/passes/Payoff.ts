/**
 * What things cost on the main thread, as shares of a mesh in view and its draw call, which is 1 (1.5 µs). Rounded from
 * `npm run bench:frames` and `npm run bench -- occlusion`; only ratios matter.
 */
export const WEIGHTS = {
  /** A draw in a batch that is left out: no call, only its place in the lists. */
  batched: 0.1,
  /** A triangle that the graphics card is spared: an estimate, as it differs most between machines. */
  triangle: 0.00033,
  /** An occluder that is drawn into the small buffer, with its transform. */
  occluder: 4,
  occluderTriangle: 0.04,
  /** An object in the frustum that is tested against that buffer. */
  look: 0.05,
  /** An object that a renderer need not visit, as a list leaves it out. */
  visit: 0.07,
  /** An object that is put in a list, which the renderer then visits. */
  list: 0.13,
  /** An instance that is not drawn, and one whose matrix is copied so that others are not: equal numbers of bytes. */
  instance: 0.02,
  copy: 0.02,
} as const;

/** Most pictures in a row for which something is not tried. */
const LONGEST = 8;

/**
 * Decides from picture to picture whether to try something, by what it gained and cost in the last ones: after a loss it is
 * tried once more, then after rests of 1, 2, 4 and 8 pictures. By counts, never by a clock, so the same pictures lead to the
 * same decisions. Pictures look the same either way.
 */
export class Payoff {
  #losses = 0;
  #left = 0;

  /** Begins a picture: true when it is to be tried; otherwise it counts as one of a rest. */
  takeTurn(): boolean {
    if (this.#left === 0) return true;
    this.#left--;
    return false;
  }

  /** Has the next picture tried, as something has changed. */
  retry(): void {
    this.#losses = this.#left = 0;
  }

  /** Takes what a try gained and cost, in {@link WEIGHTS}; true when it paid. */
  note(gain: number, cost: number): boolean {
    const pays = gain >= cost;
    this.#losses = pays ? 0 : this.#losses + 1;
    this.#left = this.#losses < 2 ? 0 : Math.min(2 ** (this.#losses - 2), LONGEST);
    return pays;
  }
}
