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

/** All lists of a renderer: for each scene, one list for each nesting of renders. */
export interface RenderLists {
  get(scene: Scene, depth: number): RenderList;
}

/** The parts of a renderer that passes use; all renderers of three have them. */
export interface SceneRenderer {
  readonly sortObjects: boolean;
  readonly isWebGLRenderer?: boolean;
  /** The draws that a `WebGLRenderer` is about to do. */
  readonly renderLists?: RenderLists;
  readonly extensions?: { has(name: string): boolean };
  getRenderTarget?(): { readonly depthTexture: { readonly name: string } | null } | null;
  getMRT?(): { has(name: string): boolean } | null;
  getRenderObjectFunction?(): unknown;
  /** The backend of a `WebGPURenderer`, which draws by WebGPU or WebGL. */
  readonly backend?: { readonly isWebGPUBackend?: boolean };
  /** The pipeline of a `WebGPURenderer` since r187: it walks the scene and decides how objects are drawn. */
  readonly drawingPipeline?: object;
}

/**
 * True for a renderer whose drawing pipeline is derived from three's standard pipeline, as `MeshletDrawingPipeline`.
 * Such a pipeline gets the scene as it is: it culls meshes itself and draws many in one call, in detail by distance.
 * The pipeline keeps its data of a mesh while the mesh keeps its number in the list of objects.
 */
export function hasOtherPipeline({ drawingPipeline }: SceneRenderer): boolean {
  if (drawingPipeline === undefined) return false;
  // The standard class extends none. It is not imported, as it brings all of `three/webgpu`.
  return Object.getPrototypeOf(Object.getPrototypeOf(drawingPipeline)) !== Object.prototype;
}
