import type { Object3D } from 'three';
import { random } from '../../../helpers/random.js';
import { KINDS, makeObject } from '../makeObject.js';
import { place, upTo } from '../numbers.js';
import type { Any, Side } from '../Side.js';
import { actsOf, type Given } from './Act.js';

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

function noteMove(side: Side, object: Object3D, before: Object3D | null): void {
  if (before !== null) side.edited(before);
  side.edited(object);
}

/** What is where in the tree. */
export const treeActs = actsOf({
  /** A new object: of which kind, made from which seed, and where. */
  add: {
    weight: 5,
    values: (next) => [upTo(next, KINDS.length), upTo(next, 1000), ...place(next)],
    apply: (side, { b, v: [kind = 0, seed = 0, x = 0, y = 0, z = 0] }) => {
      const parent = side.node(b);
      const object = makeObject(side, kind, seed);
      if (side.isNested && (object as Any).isSkinnedMesh) return;
      if ((side.isPartial || side.isResting(parent)) && side.isDriven(object)) return;
      object.position.set(x, y, z);
      side.take(object);
      parent.add(object);
      if (side.isNested) side.edited(object);
    },
  },
  /** Many common objects at once. */
  crowd: {
    weight: 0.05,
    values: (next) => [upTo(next, 1000), 10 + upTo(next, 40)],
    apply: (side, { b, v: [seed = 0, count = 8] }) => {
      const next = random(seed);
      const parent = side.node(b);
      for (let i = 0; i < count; i++) {
        const object = makeObject(side, upTo(next, 6), upTo(next, 1000));
        const [x, y, z] = place(next, 24);
        object.position.set(x, y, z);
        side.take(object);
        parent.add(object);
        if (side.isNested) side.edited(object);
      }
    },
  },
  put: {
    weight: 4,
    apply: (side, given) => {
      const pair = pairOf(side, given);
      if (!pair) return;
      const [object, parent] = pair;
      const before = object.parent;
      parent.add(object);
      noteMove(side, object, before);
    },
  },
  attach: {
    weight: 2,
    apply: (side, given) => {
      const pair = pairOf(side, given);
      if (!pair) return;
      const [object, parent] = pair;
      // What has no inverse, three carries to places that are no numbers.
      if (Math.abs(parent.matrixWorld.determinant()) < 1e-6) return;
      if (Math.abs(object.matrixWorld.determinant()) < 1e-6) return;
      const before = object.parent;
      parent.attach(object);
      noteMove(side, object, before);
    },
  },
  remove: {
    weight: 2.5,
    apply: (side, { a }) => {
      const object = side.object(a);
      if (object && !isLevel(object)) object.removeFromParent();
    },
  },
  /** Out of a LOD that goes on to count it among its levels, and has it cast. */
  strayLevel: {
    weight: 0.1,
    apply: (side, { a, b }) => {
      const object = side.of(a, isLevel);
      const parent = side.node(b);
      if (!object || side.isWithin(parent, object)) return;
      if (b % 2) object.removeFromParent();
      else parent.add(object);
      side.edited(object);
    },
  },
  clear: {
    weight: 0.3,
    apply: (side, { a }) => {
      const object = side.object(a);
      if (!object?.isLOD) object?.clear();
    },
  },
  /** Out of one list of children and into another, with no word to anyone. */
  splice: {
    weight: 1.5,
    apply: (side, given) => {
      const pair = pairOf(side, given);
      if (!pair || pair[0].parent === null) return;
      const [object, parent] = pair;
      // The index of another scene would hear of it with its own next update.
      if (!side.scenes.some((scene) => side.isWithin(object, scene) && side.isWithin(parent, scene))) return;
      const { children } = object.parent as Object3D;
      side.edited(object);
      children.splice(children.indexOf(object), 1);
      parent.children.push(object);
      object.parent = parent;
      side.edited(object);
    },
  },
  spliceOut: {
    weight: 0.7,
    apply: (side, { a }) => {
      const object = side.object(a);
      if (!object?.parent || isLevel(object)) return;
      const { children } = object.parent;
      side.edited(object);
      children.splice(children.indexOf(object), 1);
      object.parent = null;
    },
  },
  /** Two neighbours change places. */
  swapChildren: {
    weight: 1,
    apply: (side, { a, b }) => {
      const { children } = side.node(a);
      if (children.length < 2) return;
      const [i, j] = [b % children.length, (b + 1) % children.length];
      [children[i], children[j]] = [children[j], children[i]];
    },
  },
  /** A new list in place of the old one. */
  reverseChildren: {
    weight: 0.5,
    apply: (side, { a }) => {
      const node = side.node(a);
      node.children = [...node.children].reverse();
    },
  },
});
