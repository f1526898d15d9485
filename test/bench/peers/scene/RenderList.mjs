// What WebGLRenderer makes of a scene before it draws: the list of what the camera sees, each with its depth, to be sorted.
import { Frustum, Matrix4, Vector4 } from 'three';

const matrix = new Matrix4();
const at = new Vector4();

export class RenderList {
  frustum = new Frustum();
  length = 0;
  #items = [];
  #camera;

  /** Empties the list, for what this camera sees. */
  begin(camera) {
    camera.updateMatrixWorld();
    matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    this.frustum.setFromProjectionMatrix(matrix);
    this.#camera = camera;
    this.length = 0;
  }

  /** The ids of the meshes in the list. */
  get ids() {
    return Array.from({ length: this.length }, (_, i) => this.#items[i].object.number);
  }

  /** Does what `projectObject` of WebGLRenderer does with a scene of meshes. */
  project(object) {
    if (object.visible === false) return;
    if (object.layers.test(this.#camera.layers) && object.isMesh) {
      if (!object.frustumCulled || object.intersectsFrustum(this.frustum)) this.push(object);
    }
    const { children } = object;
    for (let i = 0; i < children.length; i++) this.project(children[i]);
  }

  /** The same with one mesh that a structure has found; `isInside` if no test of it is needed. */
  take(mesh, isInside) {
    if (!mesh.visible || !mesh.layers.test(this.#camera.layers)) return;
    if (isInside || !mesh.frustumCulled || mesh.intersectsFrustum(this.frustum)) this.push(mesh);
  }

  push(object) {
    const { geometry, material } = object;
    if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
    at.copy(geometry.boundingSphere.center).applyMatrix4(object.matrixWorld).applyMatrix4(matrix);
    if (!material.visible) return;
    const item = this.#items[this.length];
    if (item === undefined) this.#items[this.length] = { id: object.id, object, geometry, material, z: at.z };
    else {
      item.id = object.id;
      item.object = object;
      item.geometry = geometry;
      item.material = material;
      item.z = at.z;
    }
    this.length++;
  }
}
