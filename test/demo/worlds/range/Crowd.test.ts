import { describe, expect, it } from 'vitest';
import { HERD } from '../../../../demo/state/controls/worldControls.js';
import type { NumberedMesh } from '../../../../demo/views/drawings/NumberedMesh.js';
import { Crowd, HALF } from '../../../../demo/worlds/range/Crowd.js';

const members = (crowd: Crowd) => crowd.root.children.flatMap((herd) => herd.children as NumberedMesh[]);

describe('Crowd', () => {
  it('stays in its square, and everyone walks', () => {
    const crowd = new Crowd(500);
    const before = members(crowd).map(({ position }) => position.clone());
    for (const seconds of [1, 60, 3600]) {
      crowd.moveTo(seconds);
      members(crowd).forEach(({ position }, i) => {
        expect(Math.max(Math.abs(position.x), Math.abs(position.z))).toBeLessThanOrEqual(HALF);
        expect(position.distanceTo(before[i]!)).toBeGreaterThan(0);
      });
    }
  });

  it('has numbers and places that agree', () => {
    const crowd = new Crowd(300);
    crowd.moveTo(12);
    const { data } = crowd.places.image;
    members(crowd).forEach(({ number, position, scale }, i) => {
      expect(number).toBe(i);
      expect([data[4 * i], data[4 * i + 1]]).toEqual([Math.fround(position.x), Math.fround(position.z)]);
      expect([data[4 * i + 2], data[4 * i + 3]]).toEqual([scale.y, scale.x]);
    });
  });

  it('grows and shrinks by herds; whoever comes back is where it would have been', () => {
    const [crowd, other] = [new Crowd(400), new Crowd(1000)];
    crowd.moveTo(5);
    crowd.resize(100);
    expect([crowd.count, members(crowd).length]).toEqual([HERD, HERD]);
    crowd.moveTo(9);
    crowd.resize(1000);
    other.moveTo(9);
    expect(members(crowd).map(({ position }) => position)).toEqual(members(other).map(({ position }) => position));
  });
});
