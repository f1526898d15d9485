import {
  BufferAttribute,
  BufferGeometry,
  type Frustum,
  type FrustumArray,
  type Intersection,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  type Raycaster,
  Sphere,
} from 'three';
import { ALL_LAYERS } from './PassList.js';

/**
 * What renderers and raycasters meet in place of the root's children: a mesh, as far as they can see.
 *
 * How a renderer looks at it tells what the order of the list is worth. For a shadow map it asks first whether the mesh
 * casts one, and the order does not matter. For a picture it learns that the mesh is in view; to sort it, it then looks at
 * the bounding sphere, and last it finds that the material is not to be seen.
 */
export class PassProxy extends Mesh {
  readonly #prepare: (frustum: Frustum | FrustumArray) => void;
  readonly #cast: (raycaster: Raycaster, hits: Intersection[]) => void;
  #isShadow = false;
  #isSorted = false;

  constructor(
    prepare: (frustum: Frustum | FrustumArray) => void,
    handOver: (isSorted: boolean) => Object3D[],
    cast: (raycaster: Raycaster, hits: Intersection[]) => void,
  ) {
    const geometry = new BufferGeometry();
    // For those who look at all meshes of a scene.
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(0), 3));
    const sphere = new Sphere();
    super(geometry, new MeshBasicMaterial({ visible: false }));
    this.#prepare = prepare;
    this.#cast = cast;
    this.layers = ALL_LAYERS;
    const castShadow = (): boolean => {
      this.#isShadow = true;
      return true;
    };
    const boundingSphere = (): Sphere => {
      this.#isSorted = true;
      return sphere;
    };
    Object.defineProperty(this, 'castShadow', { get: castShadow });
    Object.defineProperty(geometry, 'boundingSphere', { get: boundingSphere });
    Object.defineProperty(this, 'children', { get: () => handOver(this.#isSorted) });
  }

  override intersectsFrustum(frustum: Frustum | FrustumArray): boolean {
    this.#prepare(frustum);
    this.#isSorted = this.#isShadow;
    this.#isShadow = false;
    return !this.#isSorted;
  }

  override raycast(raycaster: Raycaster, hits: Intersection[]): false {
    this.#cast(raycaster, hits);
    return false;
  }
}
