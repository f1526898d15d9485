import { type Frustum, type FrustumArray, Layers, Mesh, Object3D } from 'three';

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

  /** @param listFor Returns what a pass with a frustum is to walk. */
  constructor(listFor: (frustum: Frustum | FrustumArray) => Object3D[]) {
    super();
    this.#listFor = listFor;
    this.layers = ALL_LAYERS;
    this.castShadow = true;
  }

  override intersectsFrustum(frustum: Frustum | FrustumArray): boolean {
    this.children = this.#listFor(frustum);
    return false;
  }
}

/**
 * Makes what comes behind the proxy, and so behind all that a pass walks.
 * @param come Called when a pass has come to its end.
 */
export function makePassEnd(come: () => void): Object3D {
  const end = new Object3D();
  end.layers.test = () => {
    come();
    return false;
  };
  return end;
}
