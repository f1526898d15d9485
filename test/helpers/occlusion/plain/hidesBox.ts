import {
  BOX_CONSTANTS,
  BOX_N,
  BOX_TERMS,
  BOX_W,
  BOX_XY,
  DEPTH_GUARD,
  EYE,
  GUARD,
  PER_NEAR,
  RELATIVE_GUARD,
  ROWS,
} from '../../../../src/wasm/occlusionLayout.js';
import type { Tiles } from './Tiles.js';

/** Boxes that reach farther, or come nearer to the eye's plane, are never hidden; what is computed of others is finite. */
const MOST_REACH = 2 ** 100;
const LEAST_W = 2 ** -100;

const { abs, floor, fround, max, min } = Math;

/**
 * True when all pixels that anything in a world box may touch are nearer than it.
 *
 * Its place on the screen and its nearness are greatest and least at corners, as all of it is behind the eye's plane. They
 * are widened by the errors of programs, see `OcclusionView`. What comes to the near plane is never hidden.
 */
export function hidesBox(view: Float64Array, tiles: Tiles, boxes: Float64Array, o: number): boolean {
  const x0 = boxes[o];
  const y0 = boxes[o + 1];
  const z0 = boxes[o + 2];
  const x1 = boxes[o + 3];
  const y1 = boxes[o + 4];
  const z1 = boxes[o + 5];
  const reach =
    max(abs(x0 - view[EYE]), abs(x1 - view[EYE])) +
    max(abs(y0 - view[EYE + 1]), abs(y1 - view[EYE + 1])) +
    max(abs(z0 - view[EYE + 2]), abs(z1 - view[EYE + 2]));
  // Written so that NaN fails.
  if (!(reach < MOST_REACH)) return false;
  let minX = Number.POSITIVE_INFINITY;
  let maxX = Number.NEGATIVE_INFINITY;
  let minY = Number.POSITIVE_INFINITY;
  let maxY = Number.NEGATIVE_INFINITY;
  let most = 0;
  let leastW = Number.POSITIVE_INFINITY;
  for (let corner = 0; corner < 8; corner++) {
    const x = (corner & 1) !== 0 ? x1 : x0;
    const y = (corner & 2) !== 0 ? y1 : y0;
    const z = (corner & 4) !== 0 ? z1 : z0;
    const w = view[ROWS + 8] * x + view[ROWS + 9] * y + view[ROWS + 10] * z + view[ROWS + 11];
    const n = view[ROWS + 12] * x + view[ROWS + 13] * y + view[ROWS + 14] * z + view[ROWS + 15];
    if (!(w - n > 0 && w > LEAST_W)) return false;
    const i = 1 / w;
    const cx = (view[ROWS] * x + view[ROWS + 1] * y + view[ROWS + 2] * z + view[ROWS + 3]) * i;
    const cy = (view[ROWS + 4] * x + view[ROWS + 5] * y + view[ROWS + 6] * z + view[ROWS + 7]) * i;
    minX = min(minX, cx);
    maxX = max(maxX, cx);
    minY = min(minY, cy);
    maxY = max(maxY, cy);
    most = max(most, n * i);
    leastW = min(leastW, w);
  }
  const errors = 1 / leastW;
  const xy = (view[BOX_XY] * reach + view[BOX_CONSTANTS]) * errors;
  most +=
    (view[BOX_N] * reach +
      view[BOX_CONSTANTS + 1] +
      most * (view[BOX_W] * reach + view[BOX_CONSTANTS + 2]) +
      view[BOX_TERMS] * reach) *
    errors;
  most += view[RELATIVE_GUARD] * 2 * most * (1 + most * view[PER_NEAR]);
  // A number of single precision above this one, even if it was rounded down, is not below it.
  most = fround(most + view[DEPTH_GUARD]);
  if (!(most < 1)) return false;
  const { width, height } = tiles;
  const guard = view[GUARD] + xy * 0.5 * max(width, height);
  const left = max(0, floor((minX + 1) * 0.5 * width - guard));
  const right = min(width - 1, floor((maxX + 1) * 0.5 * width + guard));
  const bottom = max(0, floor((minY + 1) * 0.5 * height - guard));
  const top = min(height - 1, floor((maxY + 1) * 0.5 * height + guard));
  return tiles.areNearer(left, right, bottom, top, most);
}
