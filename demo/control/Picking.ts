import {
  Frustum,
  type Intersection,
  MathUtils,
  Matrix4,
  type Object3D,
  type PerspectiveCamera,
  Plane,
  type Ray,
  Raycaster,
  type Vector2,
  Vector3,
} from 'three';
import type { SceneIndex } from '../../src/index.js';
import type { World } from '../worlds/contract/World.js';

const UP = new Vector3(0, 1, 0);

const raycaster = new Raycaster();
const plane = new Plane();
const frustum = new Frustum();
const cut = new Matrix4();
const view = new Matrix4();
const centre = new Vector3();
const found: Object3D[] = [];

/** What a pick found, and the ray that it cast, as far as that went. */
export interface Pick {
  object: Object3D | null;
  ray: Ray;
  length: number;
}

/** The object under a point of a view, through the index. `height`: of the view, in pixels. */
export function pickObject(
  world: World,
  index: SceneIndex,
  camera: PerspectiveCamera,
  ndc: Vector2,
  height: number,
): Pick {
  aim(camera, ndc);
  const { ray, far } = raycaster;
  const hit = world.pick ? world.pick(raycaster) : firstShown(index);
  if (hit) return { object: hit.object, ray, length: hit.distance };
  const object = world.tolerance ? nearPointer(index, camera, ndc, (2 * world.tolerance) / height) : null;
  return { object, ray, length: far };
}

/** The first hit of something that is not hidden: three's raycaster hits that, too. */
function firstShown(index: SceneIndex): Intersection | null {
  const first = index.raycastFirst(raycaster);
  if (!first || isShown(first.object)) return first;
  return index.raycast(raycaster).find(({ object }) => isShown(object)) ?? null;
}

/** Whether neither the object nor one above it is hidden. */
export function isShown(object: Object3D): boolean {
  return object.visible && (object.parent === null || isShown(object.parent));
}

/** Where a new object would stand: on what is hit, or on the ground. */
export function pickPoint(world: World, index: SceneIndex, camera: PerspectiveCamera, ndc: Vector2): Vector3 | null {
  aim(camera, ndc);
  const hit = firstShown(index);
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

/** The object nearest to the pointer on the screen, within a frustum of half size `reach` (the view: 1). */
function nearPointer(index: SceneIndex, camera: PerspectiveCamera, ndc: Vector2, reach: number): Object3D | null {
  const { x, y } = ndc;
  const sx = camera.aspect / reach;
  const sy = 1 / reach;
  // Scales the square around the pointer, in clip space, up to the whole view.
  cut.set(sx, 0, 0, -sx * x, 0, sy, 0, -sy * y, 0, 0, 1, 0, 0, 0, 0, 1);
  view.multiplyMatrices(cut, camera.projectionMatrix).multiply(camera.matrixWorldInverse);
  index.queryFrustum(frustum.setFromProjectionMatrix(view, camera.coordinateSystem), found);
  const { ray, far } = raycaster;
  let best: Object3D | null = null;
  let bestAngle = MathUtils.degToRad(0.5 * camera.fov) * reach;
  for (const object of found) {
    centre.setFromMatrixPosition(object.matrixWorld);
    const distance = centre.distanceTo(ray.origin);
    const angle = ray.distanceToPoint(centre) / distance;
    if (distance > far || angle > bestAngle) continue;
    best = object;
    bestAngle = angle;
  }
  return best;
}
