import { MathUtils, type Object3D, type PerspectiveCamera, Plane, Raycaster, type Vector2, Vector3 } from 'three';
import type { SceneIndex } from '../../src/index.js';
import type { World } from '../worlds/World.js';

const UP = new Vector3(0, 1, 0);

const raycaster = new Raycaster();
const plane = new Plane();

/** The object under a point of a view, through the index. `height`: of the view, in pixels. */
export function pickObject(
  world: World,
  index: SceneIndex,
  camera: PerspectiveCamera,
  ndc: Vector2,
  height: number,
): Object3D | null {
  aim(camera, ndc);
  const hit = index.raycastFirst(raycaster);
  if (hit) return hit.object;
  const anglePerPixel = MathUtils.degToRad(camera.fov) / height;
  return world.nearRay?.(index, raycaster.ray, anglePerPixel) ?? null;
}

/** Where a new object would stand: on what is hit, or on the ground. */
export function pickPoint(world: World, index: SceneIndex, camera: PerspectiveCamera, ndc: Vector2): Vector3 | null {
  aim(camera, ndc);
  const hit = index.raycastFirst(raycaster);
  if (hit) return hit.point;
  plane.set(UP, -world.ground);
  const point = raycaster.ray.intersectPlane(plane, new Vector3());
  const reach = world.bounds.getSize(new Vector3()).length();
  return point && point.distanceTo(camera.position) < 2 * reach ? point : null;
}

function aim(camera: PerspectiveCamera, ndc: Vector2): void {
  camera.updateMatrixWorld();
  raycaster.setFromCamera(ndc, camera);
  raycaster.far = camera.far;
}
