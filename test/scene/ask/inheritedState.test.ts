import { Group, LOD, type Object3D } from 'three';
import { expect, test } from 'vitest';
import { HIDDEN, IN_LOD, InheritedState, isVisible, OPEN } from '../../../src/scene/ask/InheritedState.js';
import { ObjectRecord } from '../../../src/scene/objects/ObjectRecord.js';
import { isAggregate } from '../../../src/three/kinds.js';
import { random as randomFrom } from '../../helpers/random.js';

const random = randomFrom(7);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];

/** A tree of 60 objects, some hidden, some of them aggregates; the record of the root comes first. */
function makeTree(): ObjectRecord[] {
  const records = [new ObjectRecord(new Group(), null)];
  while (records.length < 60) {
    const parent = pick(records.slice(-20));
    const object = random() < 0.1 ? new LOD() : Object.assign(new Group(), { isClippingGroup: random() < 0.1 });
    object.visible = random() < 0.95;
    parent.object.add(object);
    records.push(new ObjectRecord(object, parent));
  }
  return records;
}

/** The objects from one up to the root, without the root. */
function pathOf(object: Object3D, root: Object3D): Object3D[] {
  return object === root ? [] : [object, ...pathOf(object.parent as Object3D, root)];
}

/** How a renderer that has come to the root gets below an object. */
function reachBelow(object: Object3D, root: Object3D): number | null {
  const path = pathOf(object, root);
  if (!path.every(({ visible }) => visible)) return HIDDEN;
  const topmost = path.reverse().find(isAggregate);
  if (topmost === undefined) return OPEN;
  return (topmost as Partial<LOD>).isLOD ? IN_LOD : null;
}

test('renderers and queries ask in rounds of their own, also from getters amid each other', () => {
  for (let run = 0; run < 20; run++) {
    const records = makeTree();
    const root = records[0].object;
    const above = new Group().add(root);
    above.visible = run % 5 > 0;
    const pass = new InheritedState(root);
    const query = new InheritedState(null);
    const other = new InheritedState(null);
    let isAsking = false;
    for (const { object } of records) {
      if (random() < 0.8) continue;
      const { visible } = object;
      const get = () => {
        if (!isAsking) {
          isAsking = true;
          other.beginRound();
          other.resolve(pick(records));
          isAsking = false;
        }
        return visible;
      };
      Object.defineProperty(object, 'visible', { get });
    }
    pass.beginRound();
    query.beginRound();
    for (let k = 0; k < 200; k++) {
      const record = pick(records);
      const wanted = reachBelow(record.object, root);
      const { reach } = pass.resolve(record);
      if (wanted === null) expect(reach > HIDDEN && reach < IN_LOD).toBe(true);
      else expect(reach).toBe(wanted);
      expect(pass.resolve(record).reach === OPEN).toBe(wanted === OPEN);
      expect(query.resolve(record).reach !== HIDDEN).toBe(isVisible(record.object));
    }
  }
});

test('renderers do not get to what lies beside their root', () => {
  const state = new InheritedState(new Group());
  expect(state.findReach(new ObjectRecord(new Group(), null))).toBe(HIDDEN);
  expect(state.findReach(null)).toBe(HIDDEN);
});

test('after a getter that threw, answers are as if it had not been asked', () => {
  const [root, child] = [new Group(), new Group()];
  const top = new ObjectRecord(root, null);
  const below = new ObjectRecord(new Group(), new ObjectRecord(root.add(child).children[0], top));
  const state = new InheritedState(root);
  state.beginRound();
  const get = () => {
    throw new Error('no');
  };
  Object.defineProperty(child, 'visible', { get, configurable: true });
  expect(() => state.resolve(below)).toThrow('no');
  Object.defineProperty(child, 'visible', { value: false });
  expect(state.resolve(below).reach).toBe(HIDDEN);
  expect(state.resolve(top).reach).toBe(OPEN);
});
