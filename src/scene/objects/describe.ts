import type { Object3D } from 'three';
import { inWords } from '../../core/inWords.js';

/** An object in a few words, for messages. Never throws. */
export function describe(object: Object3D): string {
  try {
    const { type, id, name } = object;
    return `${inWords(type)} ${id}${name === '' ? '' : ` "${inWords(name)}"`}`;
  } catch {
    return 'an object';
  }
}

/** Anything that was thrown, in words. Never throws. */
export function describeError(error: unknown): string {
  try {
    return String(error);
  } catch {
    return inWords(error);
  }
}
