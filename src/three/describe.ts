import type { Object3D } from 'three';

/** An object in a few words, for messages. Whatever is wrong with it, this does not throw. */
export function describe(object: Object3D): string {
  try {
    const { type, id, name } = object;
    return `${String(type)} ${id}${name === '' ? '' : ` "${String(name)}"`}`;
  } catch {
    return 'an object';
  }
}

/** Anything that was thrown, in words. */
export function describeError(error: unknown): string {
  try {
    return String(error);
  } catch {
    return typeof error;
  }
}
