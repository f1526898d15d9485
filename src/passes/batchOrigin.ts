/** How far from the origin a draw may be, in heights of the view at its distance. */
const FAR = 12;
/** The same in distances, for narrow views: with the origin at the nearest draw, all others are within 2. */
const FAR_IN_DISTANCES = 4;

/**
 * How far from the origin of its batch what a camera sees may be: so many times as far as it reaches from the eye; without
 * perspective, so many times its radius and the {@link viewHeight}.
 * @param projection `camera.projectionMatrix.elements`.
 */
export function farthestFromOrigin(projection: ArrayLike<number>): number {
  return projection[15] === 1 ? FAR : Math.max(FAR_IN_DISTANCES, FAR * viewHeight(projection));
}

/** The height of what a camera sees at distance 1, or at any distance. */
export function viewHeight(projection: ArrayLike<number>): number {
  return 2 / Math.abs(projection[5]);
}
