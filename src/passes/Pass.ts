import type { Camera, Frustum, FrustumArray, Layers, Object3D, Scene } from 'three';
import type { ActiveRender, SceneRenderer } from './ActiveRenders.js';

/** A pass of a renderer over a scene: for the camera of a picture, or for the shadow map of a light in it. */
export interface Pass {
  readonly renderer: SceneRenderer;
  readonly scene: Scene;
  /** That of the picture, in shadow passes too. */
  readonly camera: Camera;
  /** Those that objects are tested against: the camera's. */
  readonly layers: Layers;
  /** The lowest number that no other render in progress has. */
  readonly slot: number;
  /** Counts the passes of the render from 1, which is the camera's. */
  readonly place: number;
  /** Renders in progress: 1 unless the picture is made within another. */
  readonly depth: number;
  readonly frustum: Frustum | FrustumArray;
  /** Its planes in the world, for each view of an `ArrayCamera`. */
  readonly views: readonly Float64Array[];
}

/** Decides how much of a scene is drawn into a render target. */
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
