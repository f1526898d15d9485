/**
 * Prices in nanoseconds by which counts are weighed: of draws from `npm run bench:frames`, of occluders and looks from
 * `npm run bench -- occlusion`, rounded; that of a triangle is an estimate. Only their ratios matter.
 */
const PRICE = {
  /** What three spends on a mesh in view and its draw call; on one in a batch; and a graphics card on a triangle. */
  draw: 1500,
  batched: 150,
  triangle: 0.5,
  /** What an occluder costs, each of its triangles, and a look at an object in the frustum, with the tests around it. */
  occluder: 6000,
  occluderTriangle: 60,
  look: 80,
};

/** Pictures of a rest: the first, and the longest. Each rest without a gain is twice as long as the one before. */
const SHORTEST = 8;
const LONGEST = 256;
/** Pictures that are tried after a rest, as the first occluders of a view are chosen without knowing which are of use. */
const TRIES = 2;

/** What a pass with occlusion did, in counts. */
export interface Counts {
  /** Objects in the frustum. */
  readonly inView: number;
  /** Of these, hidden, and their triangles. */
  readonly hidden: number;
  readonly hiddenTriangles: number;
  readonly occluders: number;
  readonly occluderTriangles: number;
  readonly isBatched: boolean;
}

/**
 * Decides from picture to picture of a camera whether to look for what is hidden, by what that spared and cost in the last
 * ones. It goes by counts, never by a clock, so the same pictures lead to the same decisions.
 */
export class Payoff {
  #rest = 0;
  #left = 0;
  #losses = 0;

  /** True while nothing is looked for. */
  get isResting(): boolean {
    return this.#left > 0;
  }

  /** True when this picture is to be tried. */
  begin(): boolean {
    if (this.#left === 0) return true;
    this.#left--;
    return false;
  }

  note(counts: Counts): void {
    if (gainOf(counts) >= costOf(counts)) {
      this.#rest = this.#losses = 0;
      return;
    }
    if (++this.#losses < TRIES) return;
    this.#losses = 0;
    this.#rest = Math.min(LONGEST, Math.max(SHORTEST, 2 * this.#rest));
    this.#left = this.#rest;
  }
}

function gainOf({ hidden, hiddenTriangles, isBatched }: Counts): number {
  return hidden * (isBatched ? PRICE.batched : PRICE.draw) + hiddenTriangles * PRICE.triangle;
}

function costOf({ inView, occluders, occluderTriangles }: Counts): number {
  return occluders * PRICE.occluder + occluderTriangles * PRICE.occluderTriangle + inView * PRICE.look;
}
