import type { Object3D } from 'three';
import { inWords } from '../core/inWords.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';

/** An object as the sentences of `explain` name it. */
export function labelOf(object: Object3D): string {
  return `"${inWords(object.name || object.type)}"`;
}

/** What makes the index look at an object again. */
export function adviceFor(record: ObjectRecord | undefined): string {
  return record?.isStatic ? 'call index.touch() with it' : 'call index.update()';
}
