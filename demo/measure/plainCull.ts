import { type Camera, Frustum, type LOD, Matrix4, type Mesh, type Object3D, Sphere } from 'three';
import type { FrameResult } from './FrameResult.js';

const frustum = new Frustum();
const projection = new Matrix4();
const sphere = new Sphere();

/** Culls as WebGLRenderer does: it walks the whole tree and tests each object. */
export function plainCull(root: Object3D, camera: Camera, out: Object3D[]): void {
  projection.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  frustum.setFromProjectionMatrix(projection, camera.coordinateSystem);
  out.length = 0;
  visit(root, camera, out);
}

/** Tells what was found for the last camera apart by the spheres that three tests. */
export function plainClassify({ visible, inside, intersecting }: FrameResult): void {
  inside.length = intersecting.length = 0;
  for (const object of visible) (isInside(object as Mesh) ? inside : intersecting).push(object);
}

function isInside(object: Mesh & { boundingSphere?: Sphere | null }): boolean {
  const bounds = object.boundingSphere ?? object.geometry?.boundingSphere;
  if (!bounds) return false;
  const { center, radius } = sphere.copy(bounds).applyMatrix4(object.matrixWorld);
  return frustum.planes.every((plane) => plane.distanceToPoint(center) >= radius);
}

function visit(object: Object3D, camera: Camera, out: Object3D[]): void {
  if (object.visible === false) return;
  if (object.layers.test(camera.layers)) {
    const { isMesh, isLine, isPoints, isSprite, isLOD } = object as Flags;
    if (isLOD) {
      if ((object as LOD).autoUpdate) (object as LOD).update(camera);
    } else if (isMesh || isLine || isPoints || isSprite) {
      if (!object.frustumCulled || object.intersectsFrustum(frustum)) out.push(object);
    }
  }
  const { children } = object;
  for (let i = 0, l = children.length; i < l; i++) visit(children[i]!, camera, out);
}

interface Flags extends Partial<Mesh> {
  isLine?: boolean;
  isPoints?: boolean;
  isSprite?: boolean;
  isLOD?: boolean;
}
