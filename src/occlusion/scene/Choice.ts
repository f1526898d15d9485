import type { Camera } from 'three';
import type { Candidate, Occluders, OcclusionSizes } from './Occluders.js';

/** Pictures for which candidates are chosen at once. */
const PICTURES = 8;
/** A camera may turn by an angle of this cosine, and go this share of the distance of its middle candidate, until they are chosen anew. */
const TURN = 0.998;
const STEP = 1 / 32;

/**
 * What may hide others from a camera, nearest first. As any choice is right, and a good one is good for some pictures, it is made
 * anew only every few of them, or when the camera, or what there is to choose from, is another.
 */
export class Choice {
  #ids: readonly number[] = [];
  #left = 0;
  #members = -1;
  #pixels = 0;
  #reach = 0;
  readonly #eye = new Float64Array(3);
  readonly #forward = new Float64Array(3);

  /** @param height Of the buffer, in pixels. */
  make(
    occluders: Occluders,
    planes: Float64Array,
    { matrixWorld: { elements: world }, projectionMatrix: { elements: projection } }: Camera,
    height: number,
    useful: ReadonlySet<Candidate>,
    sizes: OcclusionSizes,
  ): readonly number[] {
    const pixels = (Math.abs(projection[5]) * height) / 2;
    const isSame = this.#left-- > 0 && pixels === this.#pixels && occluders.members === this.#members;
    if (isSame && this.#isNear(world)) return this.#ids;
    const isParallel = projection[15] === 1;
    this.#eye.set([world[12], world[13], world[14]]);
    this.#forward.set([-world[8], -world[9], -world[10]]);
    this.#ids = occluders.choose(planes, isParallel ? null : this.#eye, this.#forward, pixels, useful, sizes);
    this.#reach = isParallel ? 0 : STEP * occluders.distanceTo(this.#ids[this.#ids.length >> 1] ?? -1, this.#eye);
    this.#left = PICTURES - 1;
    this.#pixels = pixels;
    this.#members = occluders.members;
    return this.#ids;
  }

  /** True for a camera that is about where it was when the choice was made. */
  #isNear(world: readonly number[]): boolean {
    const [x, y, z] = this.#eye;
    const [fx, fy, fz] = this.#forward;
    const turn = -(fx * world[8] + fy * world[9] + fz * world[10]);
    return turn >= TURN && Math.hypot(world[12] - x, world[13] - y, world[14] - z) <= this.#reach;
  }
}
