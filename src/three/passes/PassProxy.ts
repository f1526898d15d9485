import { type Frustum, type FrustumArray, type Intersection, Layers, Mesh, type Object3D, type Raycaster } from 'three';

/** Layers that every camera sees. */
export const ALL_LAYERS: Layers = new Layers();
ALL_LAYERS.test = () => true;

/**
 * What a pass of a renderer finds in place of the root's children: a mesh that casts shadows, so that the renderer asks
 * it whether it meets the frustum of the camera or light. It never does, but by then it has the children that the pass
 * is to walk with that frustum.
 */
export class PassProxy extends Mesh {
  readonly #listFor: (frustum: Frustum | FrustumArray) => Object3D[];
  readonly #pick: (raycaster: Raycaster, hits: Intersection[]) => void;

  /**
   * @param listFor Returns what a pass with a frustum is to walk.
   * @param pick Picks below the root: a raycaster whose layers do not meet those of the root comes by here.
   */
  constructor(
    listFor: (frustum: Frustum | FrustumArray) => Object3D[],
    pick: (raycaster: Raycaster, hits: Intersection[]) => void,
  ) {
    super();
    this.#listFor = listFor;
    this.#pick = pick;
    this.layers = ALL_LAYERS;
    this.castShadow = true;
  }

  override intersectsFrustum(frustum: Frustum | FrustumArray): boolean {
    this.children = this.#listFor(frustum);
    return false;
  }

  override raycast(raycaster: Raycaster, hits: Intersection[]): false {
    this.#pick(raycaster, hits);
    return false;
  }
}
