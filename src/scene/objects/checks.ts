import type { ArrayCamera, Box3, Camera, Object3D, Plane, Raycaster, Sphere, Vector3 } from 'three';
import { inWords } from '../../core/options.js';
import type { Flags } from '../../three/kinds.js';

// Each check throws a TypeError or RangeError. Kinds are told by their flags, the same in all copies of three.

export function checkObject(object: Object3D, where: string): void {
  if ((object as Flags | null)?.isObject3D !== true) refuse(object, 'an Object3D', where);
}

/** Checks a camera, or an ArrayCamera and all its cameras. */
export function checkCamera(camera: Camera, where: string): void {
  if (camera?.isCamera !== true || camera.isObject3D !== true || !hasView(camera)) refuse(camera, 'a Camera', where);
  const { isArrayCamera, cameras } = camera as ArrayCamera;
  if (isArrayCamera !== true) return;
  if (!Array.isArray(cameras) || !cameras.every(hasView)) refuse(cameras, 'an ArrayCamera of Cameras', where);
}

export function checkList(list: unknown, where: string, argument = 'out'): void {
  if (!Array.isArray(list) || !Object.isExtensible(list)) {
    refuse(list, 'an array that can be filled', `${where}.${argument}`);
  }
}

/** Checks a box, which may be empty. */
export function checkBox3(box: Box3, where: string): void {
  checkBox3Target(box, where);
  const { min, max } = box;
  checkNumbers(where, min.x, min.y, min.z, max.x, max.y, max.z);
}

/** Checks a box that is to be filled, whatever its values. */
export function checkBox3Target(box: Box3, where: string): void {
  if (box?.isBox3 !== true || !isVector3(box.min) || !isVector3(box.max)) refuse(box, 'a Box3', where);
}

/** Checks a sphere, which may be empty. */
export function checkSphere(sphere: Sphere, where: string): void {
  if (sphere?.isSphere !== true || !isVector3(sphere.center)) refuse(sphere, 'a Sphere', where);
  const { x, y, z } = sphere.center;
  checkNumbers(where, x, y, z, sphere.radius);
}

export function checkVector3(vector: Vector3, where: string): void {
  if (!isVector3(vector)) refuse(vector, 'a Vector3', where);
  checkNumbers(where, vector.x, vector.y, vector.z);
}

/** Checks planes, which may be NaN. */
export function checkPlanes(planes: readonly Plane[], where: string): void {
  for (const plane of planes) {
    if (!isVector3(plane?.normal)) refuse(plane, 'planes', where);
    const { x, y, z } = plane.normal;
    checkTypes(where, x, y, z, plane.constant);
  }
}

/** Checks a raycaster. Its ray may have any values, as three accepts any. */
export function checkRaycaster(raycaster: Raycaster, where: string): void {
  const ray = raycaster?.ray;
  if (!isVector3(ray?.origin) || !isVector3(ray.direction) || typeof raycaster.layers?.mask !== 'number') {
    refuse(raycaster, 'a Raycaster', where);
  }
}

/** Checks a distance, which may be infinite. */
export function checkDistance(distance: number, where: string): void {
  if (typeof distance !== 'number') refuse(distance, 'a number', where);
  if (!(distance >= 0)) throw new RangeError(`${where}: must not be negative, got ${distance}`);
}

export function checkBoolean(value: boolean, what: string): void {
  if (typeof value !== 'boolean') refuse(value, 'a boolean', what);
}

/** Describes an object in a few words, for messages. Never throws. */
export function describe(object: Object3D): string {
  try {
    const { type, id, name } = object;
    return `${inWords(type)} ${id}${name === '' ? '' : ` "${inWords(name)}"`}`;
  } catch {
    return 'an object';
  }
}

/** Describes a thrown value in words. Never throws. */
export function describeError(error: unknown): string {
  try {
    return String(error);
  } catch {
    return inWords(error);
  }
}

function checkNumbers(where: string, ...numbers: number[]): void {
  checkTypes(where, ...numbers);
  if (numbers.some(Number.isNaN)) throw new RangeError(`${where}: must not be NaN, got ${numbers.join(' ')}`);
}

function checkTypes(where: string, ...numbers: number[]): void {
  for (const value of numbers) if (typeof value !== 'number') refuse(value, 'made of numbers', where);
}

function isVector3(vector: Vector3 | null | undefined): boolean {
  return vector?.isVector3 === true;
}

function hasView(camera: Camera | null): boolean {
  return camera?.projectionMatrix?.elements !== undefined && camera.matrixWorldInverse?.elements !== undefined;
}

function refuse(value: unknown, kind: string, where: string): never {
  throw new TypeError(`${where}: must be ${kind}, got ${inWords(value)}`);
}
