import type { BufferGeometry, Material, Object3D, Scene } from 'three';

export interface RenderItem {
  object: Object3D;
  geometry: BufferGeometry;
  material: Material;
  group: object | null;
}

/** A list of a `WebGLRenderer`: it is filled, finished, sorted if the renderer sorts, and drawn in its order. */
export interface RenderList {
  readonly opaque: RenderItem[];
  readonly transmissive: RenderItem[];
  readonly transparent: RenderItem[];
  finish(): void;
  sort(...comparisons: unknown[]): void;
}

/** All lists of a renderer: for each scene, one for each depth of renders within renders. */
export interface RenderLists {
  get(scene: Scene, depth: number): RenderList;
}

/** The parts of a renderer that passes use; all of three's have them. */
export interface SceneRenderer {
  readonly sortObjects: boolean;
  readonly isWebGLRenderer?: boolean;
  /** The draws that a `WebGLRenderer` is about to do. */
  readonly renderLists?: RenderLists;
  readonly extensions?: { has(name: string): boolean };
  getRenderTarget?(): { readonly depthTexture: { readonly name: string } | null } | null;
  getMRT?(): { has(name: string): boolean } | null;
  getRenderObjectFunction?(): unknown;
  /** A `WebGPURenderer` has one, and draws by WebGPU or WebGL. */
  readonly backend?: { readonly isWebGPUBackend?: boolean };
  /** A `WebGPURenderer` has one since r187: it walks the scene and decides how objects are drawn. */
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
