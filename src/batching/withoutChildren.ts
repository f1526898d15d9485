import type { Object3D } from 'three';
import { CALLBACKS } from './whyNotBatched.js';

type Callback = (...given: unknown[]) => void;

const NONE = Object.freeze([]);
const made = new WeakMap<Object3D, Object3D>();

/**
 * What draws an object without what is below it: an object whose prototype it is, always the same, as renderers keep what
 * they know by object. Callbacks are those of the object itself.
 */
export function withoutChildren(object: Object3D): Object3D {
  let alone = made.get(object);
  if (alone === undefined) {
    const own: PropertyDescriptorMap = { children: { value: NONE } };
    for (const name of CALLBACKS) own[name] = { value: forward(object, name) };
    alone = Object.create(object, own) as Object3D;
    made.set(object, alone);
  }
  return alone;
}

/** The second argument of callbacks for shadows is the object. */
function forward(object: Object3D, name: (typeof CALLBACKS)[number]): Callback {
  return function (this: unknown, a, b, c, d, e, f, g) {
    (object[name] as Callback)(a, b === this ? object : b, c, d, e, f, g);
  };
}
