import { Object3D } from 'three';
import { expect, it } from 'vitest';
import { Todo } from '../../../src/scene/follow/Todo.js';
import { NEW, ObjectRecord, RELINK, RETRAIT } from '../../../src/scene/objects/ObjectRecord.js';

const makeRecords = (count: number): ObjectRecord[] =>
  Array.from({ length: count }, () => new ObjectRecord(new Object3D(), null));

it('a task is done once of each record that has it, also of those that get it meanwhile', () => {
  const todo = new Todo();
  const records = makeRecords(4);
  for (const record of records.slice(0, 3)) todo.add(record, NEW);
  todo.add(records[1], RETRAIT);
  const done: number[] = [];
  todo.each(NEW, (record) => {
    const i = records.indexOf(record);
    done.push(i);
    // One behind it, one before it, and itself.
    if (i === 1 && done.length < 4) for (const j of [3, 0, 1]) todo.add(records[j], NEW);
  });
  expect(done).toEqual([0, 1, 2, 3, 0, 1]);
  expect(records.map((record) => record.has(NEW))).toEqual([false, false, false, false]);
  expect(todo.having(RETRAIT)).toEqual([records[1]]);
});

it('after an exception the task of that record waits, and of those behind it', () => {
  const todo = new Todo();
  const records = makeRecords(3);
  for (const record of records) todo.add(record, RELINK);
  const fail = (record: ObjectRecord): void => {
    if (record === records[1]) throw new Error('mine');
  };
  expect(() => todo.each(RELINK, fail)).toThrow('mine');
  expect(todo.having(RELINK)).toEqual(records.slice(1));
});

it('a sweep forgets those without tasks, which may come again', () => {
  const todo = new Todo();
  const [first, second] = makeRecords(2);
  todo.add(first, NEW);
  todo.add(second, RETRAIT);
  todo.each(NEW, () => {});
  todo.sweep();
  expect(todo.records).toEqual([second]);
  todo.add(first, RELINK);
  todo.add(first, NEW);
  expect(todo.records).toEqual([second, first]);
});

it('a list that is gone through while it is swept is gone through to its end', () => {
  const todo = new Todo();
  const records = makeRecords(3);
  for (const record of records) todo.add(record, RETRAIT);
  const done: ObjectRecord[] = [];
  todo.each(RETRAIT, (record) => {
    done.push(record);
    todo.sweep();
  });
  expect(done).toEqual(records);
});
