import type { Object3D } from 'three';
import { makeReactive } from '../../../helpers/proxies.js';
import { random } from '../../../helpers/random.js';
import { KINDS, makeObject } from '../makeObject.js';
import { place, upTo } from '../numbers.js';
import type { Any, Side } from '../Side.js';
import { type Act, act, actOf, actsOf, type Given } from './Act.js';

/** An object and the place it may go to; none where it would lie below itself. */
function pairOf(side: Side, { a, b }: Given): [Any, Any] | null {
  const object = side.object(a);
  const parent = side.node(b);
  // Nobody would put what goes by others where all is at rest.
  if (object && side.isResting(parent) && side.isDriven(object)) return null;
  return object && !isLevel(object) && !side.isWithin(parent, object) ? [object, parent] : null;
}

/** True for what a LOD shows at some distance: see `strayLevel`. */
function isLevel({ parent }: Any): boolean {
  return parent !== null && (parent as Any).isLOD === true;
}

/** Puts an object elsewhere. */
function move(weight: number, put: (object: Any, parent: Any, side: Side) => unknown): Act {
  return act(weight, (side, given) => {
    const [object, parent] = pairOf(side, given) ?? [];
    if (!object || !parent) return;
    const before = object.parent;
    if (put(object, parent, side) === false) return;
    if (before !== null) side.edited(before);
    side.edited(object);
  });
}

/** A new object, made from a seed. */
function addTo(side: Side, parent: Object3D, object: Object3D, [x = 0, y = 0, z = 0]: number[]): void {
  object.position.set(x, y, z);
  side.take(object);
  parent.add(object);
  if (side.isNested) side.edited(object);
}

const wrap = makeReactive();

const isFlat = ({ matrixWorld }: Object3D) => Math.abs(matrixWorld.determinant()) < 1e-6;

/** What is where in the tree. */
export const treeActs = actsOf({
  /** A new object: of which kind, made from which seed, and where. */
  add: actOf(
    5,
    (next) => [upTo(next, KINDS.length), upTo(next, 1000), ...place(next)],
    (side, [kind = 0, seed = 0, ...at], { b }) => {
      const parent = side.node(b);
      const object = makeObject(side, kind, seed);
      if (side.isNested && (object as Any).isSkinnedMesh) return;
      if ((side.isPartial || side.isResting(parent)) && side.isDriven(object)) return;
      addTo(side, parent, object, at);
    },
  ),
  /** Many common objects at once. */
  crowd: actOf(
    0.05,
    (next) => [upTo(next, 1000), 10 + upTo(next, 40)],
    (side, [seed = 0, count = 8], { b }) => {
      const next = random(seed);
      const parent = side.node(b);
      for (let i = 0; i < count; i++)
        addTo(side, parent, makeObject(side, upTo(next, 6), upTo(next, 1000)), place(next, 24));
    },
  ),
  put: move(4, (object, parent) => parent.add(object)),
  // What has no inverse, three carries to places that are no numbers.
  attach: move(2, (object, parent) => !isFlat(parent) && !isFlat(object) && parent.attach(object)),
  /** As reactive state does it, where nobody names the object itself. */
  putByProxies: move(1, (object, parent) => wrap<Object3D>(parent).add(wrap<Object3D>(object))),
  removeByProxies: act(0.7, (side, { a }) => {
    const object = side.object(a);
    if (object && !isLevel(object)) wrap<Object3D>(object).removeFromParent();
  }),
  remove: act(2.5, (side, { a }) => {
    const object = side.object(a);
    if (object && !isLevel(object)) object.removeFromParent();
  }),
  /** Out of a LOD that goes on to count it among its levels, and has it cast. */
  strayLevel: act(0.1, (side, { a, b }) => {
    const object = side.of(a, isLevel);
    const parent = side.node(b);
    if (!object || side.isWithin(parent, object)) return;
    if (b % 2) object.removeFromParent();
    else parent.add(object);
    side.edited(object);
  }),
  clear: act(0.3, (side, { a }) => {
    const object = side.object(a);
    if (!object?.isLOD) object?.clear();
  }),
  /** Out of one list of children and into another, with no word to anyone. */
  splice: act(1.5, (side, given) => {
    const [object, parent] = pairOf(side, given) ?? [];
    if (!object?.parent || !parent) return;
    // The index of another scene would hear of it with its own next update.
    if (!side.scenes.some((scene) => side.isWithin(object, scene) && side.isWithin(parent, scene))) return;
    spliceOut(side, object);
    parent.children.push(object);
    object.parent = parent;
    side.edited(object);
  }),
  spliceOut: act(0.7, (side, { a }) => {
    const object = side.object(a);
    if (object?.parent && !isLevel(object)) spliceOut(side, object);
  }),
  /** The list is emptied, with no word to anyone; the children still name what they lay in, or nothing. */
  emptyChildren: act(0.3, (side, { a, b }) => {
    const object = side.object(a);
    if (!object || object.isLOD || side.isResting(object)) return;
    if (b % 2) for (const child of object.children) child.parent = null;
    object.children.length = 0;
  }),
  /** Two neighbours change places. */
  swapChildren: act(1, (side, { a, b }) => {
    const { children } = side.node(a);
    if (children.length < 2) return;
    const [i, j] = [b % children.length, (b + 1) % children.length];
    [children[i], children[j]] = [children[j], children[i]];
  }),
  /** A new list in place of the old one. */
  reverseChildren: act(0.5, (side, { a }) => {
    const node = side.node(a);
    node.children = [...node.children].reverse();
  }),
});

function spliceOut(side: Side, object: Object3D): void {
  const { children } = object.parent as Object3D;
  side.edited(object);
  children.splice(children.indexOf(object), 1);
  object.parent = null;
}
