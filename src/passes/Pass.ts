import type { Camera, Frustum, FrustumArray, Layers, LightShadow, Object3D, Scene } from 'three';
import type { IdList } from '../core/ids.js';
import type { SceneRenderer } from '../three/renderer.js';

export interface Picture {
  readonly renderer: SceneRenderer;
  readonly camera: Camera;
}

/** One pass over a scene, for a camera or a shadow map. Either way `camera` is that of the picture. */
export interface Pass extends Picture {
  readonly scene: Scene;
  /** The layers objects are tested against: the camera's. */
  readonly layers: Layers;
  /** Number of renders in progress around its own: 0 unless the picture is made within another. No two have the same. */
  readonly slot: number;
  /** Number of this pass in its render; 1 is the camera's, those of shadows follow. */
  readonly place: number;
  readonly frustum: Frustum | FrustumArray;
  /** The shadow whose map a `WebGLRenderer` draws; null in other passes. */
  readonly shadow: LightShadow | null;
  /** The planes of the frustum in the world, one array for each view of an `ArrayCamera`. */
  readonly views: readonly Float64Array[];
  /** A number that changes when any world matrix does. */
  readonly changes: number;
  /** Draws an object without what lies below it, as passes do that are drawn in parts; null where subtrees are drawn. */
  readonly alone: ((object: Object3D) => Object3D) | null;
  /** Some of what is drawn is in batches. */
  readonly isBatched: boolean;
  /** Tells which parts of an object are hidden; null where none are, and until that is known. */
  hider: PartHider | null;
}

/** Some of the entries that a pass draws, after something else was done. */
export interface PassPart {
  readonly ids: IdList;
  begin(): unknown;
  alone(object: Object3D): Object3D;
}

/** Tells which parts of an object are hidden behind others in a pass. */
export interface PartHider {
  /** Another number where other parts may be hidden; of no other pass. */
  readonly found: number;
  /** Whether parts of an object may be left out. */
  mayHideIn(object: Object3D): boolean;
  /** True when nothing of a box in the world can be seen. */
  isHidden(box: Float64Array): boolean;
  /** To be called with how many parts were looked at, and how many triangles those have that are hidden. */
  note(looks: number, hiddenTriangles: number): void;
}

/** Restricts what passes into a render target are given. */
export interface PassRegions {
  /** Planes of regions outside of which nothing is listed, in place of the camera's frusta; null to keep these. */
  regionsFor(root: Object3D, picture: Picture): readonly Float64Array[] | null;
  /** Set when a pass got a list by these regions. */
  wasListed: boolean;
}

/** By render target. */
export const passRegions: WeakMap<object, PassRegions> = new WeakMap();

/** What is known of which objects of an accelerated scene are hidden behind others. */
export interface OcclusionReport {
  /** Says that an object was hidden in the last picture of a camera, or why it cannot be; null where there is nothing to say. */
  explain(object: Object3D, camera: Camera): string | null;
  /** The buffer as it was for the last picture of a camera; null where there is none. */
  bufferOf(camera: Camera): OcclusionPicture | null;
}

/** By accelerated scene, once the code has loaded. */
export const occlusionReports: WeakMap<Scene, OcclusionReport> = new WeakMap();

/** Tells how the shadow maps of an accelerated scene were drawn. */
export interface ShadowReport {
  /** Says how the map of a light was drawn last, or how often the shadow of a caster is; null for other objects. */
  explain(object: Object3D): string | null;
  /** Lights by how their maps were drawn, and the casters that have maps drawn anew. */
  report(): { reason: string; count: number; example: Object3D; advice: string }[];
}

/** By accelerated scene, once the code has loaded. */
export const shadowReports: WeakMap<Object3D, ShadowReport> = new WeakMap();

/** What was found for a picture; valid until the next one. */
export interface OcclusionPicture {
  readonly width: number;
  readonly height: number;
  /** How near what is drawn there is at least: 1 on the near plane, 0 on the far plane; from the lowest row up. */
  readonly near: Float32Array;
  /** What was drawn into the buffer, objects or instances of them, and the sixteen numbers of the world matrix of each. */
  readonly occluders: readonly { readonly object: Object3D; readonly world: ArrayLike<number> }[];
  /** What was left out of it, and has not gone since. */
  readonly hidden: Object3D[];
}
