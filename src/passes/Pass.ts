import type { Camera, Frustum, FrustumArray, Layers, Object3D, Scene } from 'three';
import type { RenderLists } from './sortedDraws.js';

/** The parts of a renderer that passes use; all of three's have them. */
export interface SceneRenderer {
  readonly sortObjects: boolean;
  readonly isWebGLRenderer?: boolean;
  /** What a `WebGLRenderer` is about to draw. */
  readonly renderLists?: RenderLists;
  readonly extensions?: { has(name: string): boolean };
  getRenderTarget?(): { readonly depthTexture: { readonly name: string } | null } | null;
  getMRT?(): { has(name: string): boolean } | null;
  getRenderObjectFunction?(): unknown;
  /** Of a `WebGPURenderer`, which draws by WebGPU or WebGL. */
  readonly backend?: { readonly isWebGPUBackend?: boolean };
  /** Of a `WebGPURenderer`, since r187: what walks the scene and decides how objects are drawn. */
  readonly drawingPipeline?: object;
}

/**
 * True for a renderer whose drawing pipeline is not three's standard one, but derived from it, as `MeshletDrawingPipeline`.
 * That one culls meshes itself and draws many at once, from data that it keeps for a mesh while the mesh keeps its place
 * among those that it is given: it gets the scene as it is.
 */
export function hasOtherPipeline({ drawingPipeline }: SceneRenderer): boolean {
  if (drawingPipeline === undefined) return false;
  // The standard class, which is not imported as it brings all of `three/webgpu`, extends none.
  return Object.getPrototypeOf(Object.getPrototypeOf(drawingPipeline)) !== Object.prototype;
}

/** What a render makes. */
export interface Picture {
  readonly renderer: SceneRenderer;
  readonly camera: Camera;
}

/**
 * One pass of a renderer over a scene: for the camera of a picture, or for the shadow map of one of its lights. Either way
 * `camera` is that of the picture.
 */
export interface Pass extends Picture {
  readonly scene: Scene;
  /** The layers objects are tested against: the camera's. */
  readonly layers: Layers;
  /** The lowest number that no other render in progress uses. */
  readonly slot: number;
  /** Number of this pass in its render; 1 is the camera's, those of shadows follow. */
  readonly place: number;
  /** Number of renders in progress: 1 unless the picture is made within another. */
  readonly depth: number;
  readonly frustum: Frustum | FrustumArray;
  /** The planes of the frustum in the world, one array for each view of an `ArrayCamera`. */
  readonly views: readonly Float64Array[];
  /** A number that changes when any world matrix does. */
  readonly changes: number;
  /** What tells which parts of an object are hidden; null where none are. */
  readonly hider: PartHider | null;
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

/** A render has two lists of draws: its camera's, and that of the shadow pass in progress. */
export function listOf(slot: number, isShadow: boolean): number {
  return 2 * slot + (isShadow ? 1 : 0);
}

/** Restricts what passes into a render target are given. */
export interface PassRegions {
  /**
   * Regions of the world, as planes, that replace the camera's frusta: objects outside all of them are not listed. Null for
   * the camera's own.
   */
  regionsFor(root: Object3D, picture: Picture): readonly Float64Array[] | null;
  /** Set when a pass got a list by these regions. */
  wasListed: boolean;
}

/** By render target. */
export const passRegions: WeakMap<object, PassRegions> = new WeakMap();

/** True for the material that replaces all others while `WebGPURenderer` draws a shadow map. */
export function isShadowMaterial(material: object | null): boolean {
  return (material as { isShadowPassMaterial?: boolean } | null)?.isShadowPassMaterial === true;
}
