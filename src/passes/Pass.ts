import type { Camera, Frustum, FrustumArray, Layers, LightShadow, Object3D, Scene } from 'three';
import type { IdList } from '../core/ids.js';
import type { SceneRenderer } from '../three/renderer.js';

export interface CameraRender {
  readonly renderer: SceneRenderer;
  readonly camera: Camera;
}

/** One pass over a scene, for a camera or a shadow map. Either way `camera` is the camera of the render. */
export interface Pass extends CameraRender {
  readonly scene: Scene;
  /** The layers that objects are tested against: those of the camera. */
  readonly layers: Layers;
  /** Nesting of the render: 0 for an outermost one. No two renders in progress have the same. */
  readonly nesting: number;
  /** Number of the pass in its render: 1 for the camera's pass; passes of shadows follow. */
  readonly number: number;
  readonly frustum: Frustum | FrustumArray;
  /** The shadow whose map a `WebGLRenderer` draws; null in other passes. */
  readonly shadow: LightShadow | null;
  /** The planes of the frustum in the world, one array for each view of an `ArrayCamera`. */
  readonly views: readonly Float64Array[];
  /** A number that grows with each change of a world matrix. */
  readonly changes: number;
  /** Returns an object without its descendants, in passes drawn in parts; null in passes that draw subtrees. */
  readonly alone: ((object: Object3D) => Object3D) | null;
  /** Whether some of the drawn objects are in batches. */
  readonly isBatched: boolean;
  /** Tells which parts of an object are hidden; null when none are, and until that is known. */
  hider: PartHider | null;
}

/** Some of the entries that a pass draws; call `beginPart` before they are drawn. */
export interface PassPart {
  readonly ids: IdList;
  beginPart(): unknown;
  alone(object: Object3D): Object3D;
}

/** Tells which parts of an object are hidden behind other objects in a pass. */
export interface PartHider {
  /** A number that changes when other parts may be hidden; no other pass has the same. */
  readonly found: number;
  mayHideIn(object: Object3D): boolean;
  /** True when a box in the world is hidden entirely. */
  isHidden(box: Float64Array): boolean;
  /** Call it with the number of parts tested, and the number of triangles in the hidden ones. */
  note(looks: number, hiddenTriangles: number): void;
}

/** Restricts the lists of passes that draw into a render target. */
export interface PassRegions {
  /** Planes of the regions that objects are listed in, instead of the camera's frusta; null to keep the frusta. */
  regionsFor(root: Object3D, render: CameraRender): readonly Float64Array[] | null;
  /** True once a pass got a list by these regions. */
  wasListed: boolean;
}

/** Regions by render target. */
export const passRegions: WeakMap<object, PassRegions> = new WeakMap();

/** Tells which objects of an accelerated scene are hidden behind other objects. */
export interface OcclusionReport {
  /** Says that an object was hidden in a camera's last picture, or why it cannot be; null if neither applies. */
  explain(object: Object3D, camera: Camera): string | null;
  /** The buffer of the last picture of a camera; null without one. */
  bufferOf(camera: Camera): OcclusionSnapshot | null;
}

/** Reports by accelerated scene, once the code of occlusion has loaded. */
export const occlusionReports: WeakMap<Scene, OcclusionReport> = new WeakMap();

/** Tells how the shadow maps of an accelerated scene were drawn. */
export interface ShadowReport {
  /** Says how the map of a light was drawn last, or whether the shadow of a caster rests; null for other objects. */
  explain(object: Object3D): string | null;
  /** Lights by how their maps were drawn, and the casters whose changes have maps drawn anew. */
  report(): { reason: string; count: number; example: Object3D; advice: string }[];
}

/** Reports by accelerated scene, once the code of kept shadows has loaded. */
export const shadowReports: WeakMap<Object3D, ShadowReport> = new WeakMap();

/** The results of occlusion for a picture; valid until the next picture. */
export interface OcclusionSnapshot {
  readonly width: number;
  readonly height: number;
  /** Least nearness of the surface in each pixel: 1 on the near plane, 0 on the far; the lowest pixels come first. */
  readonly near: Float32Array;
  /** The occluders drawn into the buffer, objects or their instances, each with the 16 numbers of its world matrix. */
  readonly occluders: readonly { readonly object: Object3D; readonly world: ArrayLike<number> }[];
  /** The objects left out of the picture and still in the scene. */
  readonly hidden: Object3D[];
}
