import type { ScreenView } from './cameraViews.js';

/** Largest distance of a draw from its batch's origin, in heights of the view at the distance of the draw. */
const FARTHEST_HEIGHTS = 12;
/** The limit for narrow views, in distances of the draw from the eye: 2 if the nearest draw were always the origin. */
const FAR_IN_DISTANCES = 4;

/**
 * Largest distance of a draw in a view from the origin of its batch, as a multiple of the draw's farthest distance from
 * the eye; without perspective, of the draw's radius and the height of the view.
 */
export function farthestFromOrigin({ isPerspective, height }: ScreenView): number {
  return isPerspective ? Math.max(FAR_IN_DISTANCES, FARTHEST_HEIGHTS * height) : FARTHEST_HEIGHTS;
}
