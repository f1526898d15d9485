import { PlanesVolume } from '../core/shapes/PlanesVolume.js';
import { Ray, type RayLike } from '../core/shapes/Ray.js';

// Query arguments are read into objects that are used over and over.
//
// One object of each kind serves all indices, because a walk is done with it before user code runs again. But arguments
// may have getters, which may run a query themselves while they are read. So an object is out of the pool while it is
// filled, and a nested query takes another one. If reading throws, the object is garbage-collected.

const planesPool: PlanesVolume[] = [];
const rayPool: Ray[] = [];

export function readPlanes(planes: ArrayLike<number>, where: string): PlanesVolume {
  const own = planesPool.pop() ?? new PlanesVolume();
  own.set(planes, where);
  planesPool.push(own);
  return own;
}

export function readRay(ray: RayLike, where: string): Ray {
  const own = rayPool.pop() ?? new Ray();
  own.set(ray, where);
  rayPool.push(own);
  return own;
}

export function readSegment(from: ArrayLike<number>, to: ArrayLike<number>, where: string): Ray {
  const own = rayPool.pop() ?? new Ray();
  own.setSegment(from, to, where);
  rayPool.push(own);
  return own;
}

export function readSweep(box: ArrayLike<number>, motion: ArrayLike<number>, where: string): Ray {
  const own = rayPool.pop() ?? new Ray();
  own.setSweep(box, motion, where);
  rayPool.push(own);
  return own;
}
