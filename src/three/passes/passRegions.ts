import type { Object3D } from 'three';
import type { ActiveRender } from './ActiveRenders.js';

/** What decides how much of a scene is drawn into a render target. */
export interface PassRegions {
  /**
   * Regions of the world as planes, in place of those of the camera: what lies outside all of them is not listed. Null
   * for all that the camera sees.
   */
  regionsFor(root: Object3D, render: ActiveRender): readonly Float64Array[] | null;
  /** Set when a pass gets a list of what lies in them. */
  wasListed: boolean;
}

/** By render target. Passes into any other are given what the camera sees. */
export const passRegions: WeakMap<object, PassRegions> = new WeakMap();
