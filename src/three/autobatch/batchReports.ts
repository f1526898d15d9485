import type { Object3D } from 'three';

/** Of accelerated scenes: tells, in words, how an object below is drawn; null where nothing is drawn in batches. */
export const batchReports: WeakMap<Object3D, (object: Object3D) => string | null> = new WeakMap();
