import type { Camera } from 'three';
import type { IdList } from '../core/ids.js';
import type { ActiveRender } from '../passes/ActiveRenders.js';
import type { PassStep } from '../passes/PassStep.js';
import { type PixelRenderer, pixelSize } from '../scene/ask/cameraViews.js';
import type { DrawLimits, SceneLimits } from '../scene/ask/SceneLimits.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';

/**
 * The query leaves out all objects beyond this multiple of `maxDistance`. Nearer objects are tested one by one. Objects
 * that the test leaves out are remembered: to be drawn, they have to come nearer than the limit by a share of it.
 */
const LIMIT_MARGIN = 1.25;

/** Leaves small and distant objects out of the passes of cameras. The shadows of such objects are drawn. */
export class PassLimits implements PassStep {
  readonly stage = 'limits';
  readonly #limits: SceneLimits;
  readonly #settings: Required<DrawLimits>;

  constructor(limits: SceneLimits, settings: Required<DrawLimits>) {
    this.#limits = limits;
    this.#settings = settings;
  }

  dispose(): void {
    this.#limits.current = null;
  }

  needsLists({ passes }: ActiveRender): boolean {
    return passes === 1;
  }

  beginPass({ camera, passes, renderer }: ActiveRender): boolean {
    const sizeOf = (view: Camera) => pixelSize(renderer as PixelRenderer, view);
    this.#limits.current = passes === 1 ? this.#limits.beginView(camera, this.#settings, sizeOf, true) : null;
    return passes === 1;
  }

  /** Adds a plane at `maxDistance`, with a margin, to each view; none without a limit. Valid until the next pass. */
  narrow(planesOfViews: readonly Float64Array[]): readonly Float64Array[] {
    const reach = LIMIT_MARGIN * this.#settings.maxDistance;
    const { views = [], regions = [] } = this.#limits.current ?? {};
    if (reach === Number.POSITIVE_INFINITY || planesOfViews.length !== views.length) return planesOfViews;
    regions.length = views.length;
    for (let i = 0; i < views.length; i++) {
      const { x, y, z, fx, fy, fz } = views[i];
      const { length } = planesOfViews[i];
      if (regions[i]?.length !== length + 4) regions[i] = new Float64Array(length + 4);
      const planes = regions[i];
      planes.set(planesOfViews[i]);
      // The distance of a point is at least its distance along the direction of the view.
      planes[length] = -fx;
      planes[length + 1] = -fy;
      planes[length + 2] = -fz;
      planes[length + 3] = fx * x + fy * y + fz * z + reach;
    }
    return regions;
  }

  leaveOut(seen: IdList, always: Iterable<ObjectRecord>): null {
    this.#limits.current?.leaveOut(seen, always);
    return null;
  }
}
