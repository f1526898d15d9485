import type { ScreenView } from './cameraViews.js';

/** How far from the origin of its batch a draw may be, in heights of what a view sees at its distance. */
const FAR = 12;
/** The same in distances, for narrow views: with the origin at the nearest draw, all others are within 2. */
const FAR_IN_DISTANCES = 4;

/**
 * How far a draw in a view may be from the origin of its batch: so many times as far as the draw reaches from the eye;
 * without perspective, so many times the radius of the draw and the height of the view.
 */
export function farthestFromOrigin({ isPerspective, height }: ScreenView): number {
  return isPerspective ? Math.max(FAR_IN_DISTANCES, FAR * height) : FAR;
}
