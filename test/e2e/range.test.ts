import { expect, it } from 'vitest';
import { Crowd } from '../../demo/worlds/range/Crowd.js';
import { STRUCTURES } from '../../src/index.js';
import * as demo from './acts.js';

const SECONDS = 5;
const COUNT = 3000;

demo.describeDemo('the demo, range', `world=range&t=${SECONDS}&entities=${COUNT}&reach=40&nearest=3&skill=box`, () => {
  it('holds the entities that the address asks for', async () => {
    const { inside, intersecting, culled, total } = await demo.counts();
    expect(total).toBe(COUNT);
    expect(inside + intersecting + culled).toBe(total);
  });

  it('finds who is within range, as a look at each one does', async () => {
    const crowd = new Crowd(COUNT);
    crowd.moveTo(SECONDS);
    const [x, , z] = await demo.eye();
    const { data } = crowd.places.image;
    let within = 0;
    for (let i = 0; i < COUNT; i++) if (Math.hypot(data[4 * i]! - x!, data[4 * i + 1]! - z!) <= 40) within++;
    expect(within).toBeGreaterThan(10);
    expect((await demo.report())['Within range']).toBe(String(within));
  });

  it('gives the same answers with every structure, to a box and to a sector', async () => {
    for (const skill of ['Box on the ground', 'Sector']) {
      await demo.choose('Skill', skill);
      const before = [await demo.counts(), await demo.report()] as const;
      expect(Number(before[1]['Skill area'])).toBeGreaterThan(0);
      // Frames take their time without a graphics card: boxes are compared with those of brute force alone.
      await demo.withEachStructure(skill === 'Sector' ? STRUCTURES : ['bruteForce'], async () => {
        expect([await demo.counts(), await demo.report()]).toEqual(before);
      });
    }
  });

  it('walks by keys, on the ground', async () => {
    const [before, after] = await demo.goAhead();
    expect(Math.hypot(after[0]! - before[0]!, after[2]! - before[2]!)).toBeGreaterThan(0.02);
    expect(after[1]).toBe(0);
  });

  it('lets entities come and go, and remembers how many in the address', async () => {
    for (const count of ['6000', '1500']) {
      await demo.setNumber('Entities', count);
      expect((await demo.counts()).total).toBe(Number(count));
      expect(demo.parameter('entities')).toBe(count);
    }
  });

  it('is drawn in both views after a world that has none', async () => {
    for (const name of ['collisions', 'range']) await demo.enter(name);
    const { left, right } = await demo.distinctColours();
    expect(left).toBeGreaterThan(50);
    expect(right).toBeGreaterThan(20);
  });
});
