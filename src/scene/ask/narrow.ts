import type { LimitedView } from './SceneLimits.js';

/**
 * The query leaves out all beyond this multiple of `maxDistance`. Objects nearer than that are tested one by one, and
 * those left out are remembered, as they have to come nearer than the limit by a share.
 */
const MARGIN = 1.25;

/**
 * The planes of the views of a pass, each with one more beyond which nothing is ever drawn; valid until the next pass of
 * its camera.
 */
export function narrow(limited: LimitedView, planesOfViews: readonly Float64Array[]): readonly Float64Array[] {
  const { views, limits, regions } = limited;
  const reach = MARGIN * limits.maxDistance;
  if (reach === Number.POSITIVE_INFINITY || planesOfViews.length !== views.length) return planesOfViews;
  regions.length = views.length;
  for (let i = 0; i < views.length; i++) {
    const { x, y, z, fx, fy, fz } = views[i];
    const { length } = planesOfViews[i];
    if (regions[i]?.length !== length + 4) regions[i] = new Float64Array(length + 4);
    const planes = regions[i];
    planes.set(planesOfViews[i]);
    // No point is nearer than it is along the direction of the view.
    planes[length] = -fx;
    planes[length + 1] = -fy;
    planes[length + 2] = -fz;
    planes[length + 3] = fx * x + fy * y + fz * z + reach;
  }
  return regions;
}
