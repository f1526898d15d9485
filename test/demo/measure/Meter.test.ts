import { expect, it } from 'vitest';
import { Meter } from '../../../demo/measure/Meter.js';

it('forgets the times of one thing once another is timed', () => {
  const meter = new Meter();
  const add = (value: number, of: string) => {
    for (let i = 0; i < 20; i++) meter.add(value, of);
  };
  add(5, 'index');
  expect([meter.mean, meter.isReliable]).toEqual([5, true]);
  meter.add(1, 'three');
  expect([meter.mean, meter.isReliable]).toEqual([0, false]);
  add(1, 'three');
  expect(meter.mean).toBe(1);
});
