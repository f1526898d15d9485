import type { Box3, Camera, Object3D, Vector3 } from 'three';
import type { Flags } from './Tracked.js';

/** Each of these throws unless an argument is what it must be. Kinds are told by their flags, as any copy of three sets them. */

export function checkObject(object: Object3D, where: string): void {
  if ((object as Flags | null)?.isObject3D !== true) {
    throw new TypeError(`${where}: must be an Object3D, got ${String(object)}`);
  }
}

export function checkCamera(camera: Camera, where: string): void {
  if (camera?.isCamera !== true) throw new TypeError(`${where}: must be a Camera, got ${String(camera)}`);
}

/** A box may be empty. */
export function checkBox3(box: Box3, where: string): void {
  if (box?.isBox3 !== true) throw new TypeError(`${where}: must be a Box3, got ${String(box)}`);
  checkNumbers(where, box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z);
}

export function checkVector3(vector: Vector3, where: string): void {
  if (vector?.isVector3 !== true) throw new TypeError(`${where}: must be a Vector3, got ${String(vector)}`);
  checkNumbers(where, vector.x, vector.y, vector.z);
}

export function checkNumbers(where: string, ...numbers: number[]): void {
  if (numbers.some(Number.isNaN)) throw new RangeError(`${where}: nothing may be NaN, got ${numbers.join(' ')}`);
}
