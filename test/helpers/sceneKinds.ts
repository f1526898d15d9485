import * as THREE from 'three';
import { type Kind, only } from './kinds.js';
import type { Any } from './refusals.js';

const [T, R] = [TypeError, RangeError];

/** Values of a class whose numbers are all such; other numbers are out of range. */
export const made =
  (
    of: abstract new (...args: never[]) => object,
    told: (value: Any) => unknown[],
    isGood = (c: number) => !Number.isNaN(c),
  ): Kind =>
  (value) => {
    if (!(value instanceof of) || !told(value).every((each) => typeof each === 'number')) return T;
    return told(value).every((each) => isGood(each as number)) ? null : R;
  };
export const xyz = ({ x, y, z }: THREE.Vector3): number[] => [x, y, z];
export const vector = made(THREE.Vector3, xyz, Number.isFinite);
export const point = made(THREE.Vector3, xyz);
export const box = made(THREE.Box3, ({ min, max }) => [...xyz(min), ...xyz(max)]);
export const sphere = made(THREE.Sphere, ({ center, radius }) => [...xyz(center), radius]);
export const segment = made(THREE.Line3, ({ start, end }) => [...xyz(start), ...xyz(end)]);
export const corner: Kind = (value) =>
  value?.isVector2 && !(value instanceof THREE.Vector2)
    ? R
    : made(THREE.Vector2, ({ x, y }) => [x, y], Number.isFinite)(value);
export const list = only((value) => Array.isArray(value) && !Object.isFrozen(value));
export const camera = only(
  (value) => value instanceof THREE.Camera && !(value as THREE.ArrayCamera).cameras?.includes(null as never),
);
