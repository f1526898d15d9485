import type { Object3D } from 'three';
import { memoized } from '../core/arrays.js';

/** An object's callbacks for renderers. */
export const CALLBACKS = ['onBeforeRender', 'onAfterRender', 'onBeforeShadow', 'onAfterShadow'] as const;

type Callback = (...given: unknown[]) => void;

/**
 * Returns an object that draws a given one without its descendants: always the same, as renderers keep state by object.
 * Callbacks are called on the given object itself.
 */
export const withoutChildren: (object: Object3D) => Object3D = /* @__PURE__ */ memoized((object) => {
  const own: PropertyDescriptorMap = { children: { value: CHILDLESS } };
  for (const name of CALLBACKS) own[name] = { value: forward(object, name) };
  return Object.create(object, own) as Object3D;
});

const CHILDLESS = Object.freeze([]);

/** Calls a callback of `object` on it. Shadow callbacks get the object as their second argument, too. */
function forward(object: Object3D, name: (typeof CALLBACKS)[number]): Callback {
  return function (this: unknown, a, b, c, d, e, f, g) {
    (object[name] as Callback)(a, b === this ? object : b, c, d, e, f, g);
  };
}
