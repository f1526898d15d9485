import { Object3D } from 'three';
import { describe, expect, it } from 'vitest';
import { ObjectRecord } from '../../../src/scene/objects/ObjectRecord.js';
import { RecordTable } from '../../../src/scene/objects/RecordTable.js';
import { random } from '../../helpers/random.js';

/** Stands for an object of another copy of three, which counts its own ids. */
function withId(id: number): Object3D {
  const object = new Object3D();
  return Object.create(object, { id: { value: id } }) as Object3D;
}

describe('a table of records', () => {
  it.each([1, 2, 3])(
    'finds what a map finds, in the order of its coming, while objects come and go, seed %i',
    (seed) => {
      const next = random(seed);
      const table = new RecordTable();
      const known = new Map<Object3D, ObjectRecord>();
      // Some have ids far apart, and each third one has the id of another.
      const objects = Array.from({ length: 600 }, (_, i) => withId(i % 3 === 0 ? 7 * (i % 50) : 1000 * i));
      for (let turn = 0; turn < 4000; turn++) {
        const object = objects[Math.floor(next() * objects.length)];
        const record = known.get(object);
        // It grows at first, and shrinks to little later on.
        if (record === undefined && next() < (turn < 2000 ? 0.9 : 0.2)) {
          const added = new ObjectRecord(object, null);
          table.add(added);
          known.set(object, added);
        } else if (record !== undefined && next() < (turn < 2000 ? 0.3 : 0.8)) {
          table.delete(record);
          known.delete(object);
        }
        if (turn % 100 > 0) continue;
        expect(table.all()).toEqual([...known.values()]);
        expect(table.size).toBe(known.size);
        expect(objects.map((each) => table.get(each))).toEqual(objects.map((each) => known.get(each)));
        const handles = table.all().map(({ handle }) => handle);
        expect(handles).toEqual([...new Set(handles)].sort((a, b) => a - b));
        expect(table.last).toBeGreaterThanOrEqual(handles.at(-1) ?? 0);
      }
      expect(table.renumberings).toBeGreaterThan(0);
      table.clear();
      expect([table.size, table.all(), objects.some((each) => table.has(each))]).toEqual([0, [], false]);
    },
  );

  it('finds what an object is a proxy of among all of its id', () => {
    const table = new RecordTable();
    const twins = [withId(5), withId(5), withId(5)];
    const records = twins.map((object) => new ObjectRecord(object, null));
    for (const record of records) table.add(record);
    for (const [i, object] of twins.entries()) {
      expect(table.get(new Proxy(object, {}))).toBeUndefined();
      expect(table.getByProxy(new Proxy(object, {}))).toBe(records[i]);
    }
    table.delete(records[0]);
    expect(twins.map((object) => table.getByProxy(new Proxy(object, {})))).toEqual([undefined, records[1], records[2]]);
  });

  it.each([null, undefined, {}, 5])('has nothing for %s, which a page may have put among children', (value) => {
    const table = new RecordTable();
    table.add(new ObjectRecord(withId(0), null));
    expect(table.get(value as Object3D | null)).toBeUndefined();
  });
});
