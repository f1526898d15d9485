import { readFileSync } from 'node:fs';
import { propagate, twoline2satrec } from 'satellite.js';
import { expect, it } from 'vitest';
import { STRUCTURES } from '../../src/index.js';
import * as demo from './acts.js';

// Half a minute at a minute a second.
demo.describeDemo('the demo, satellites', 'world=satellites&t=30&nearer=100', () => {
  it('sorts every satellite into one class', async () => {
    const { inside, intersecting, culled, total } = await demo.counts();
    expect(total).toBe(3333);
    expect(inside + intersecting + culled).toBe(total);
    expect(inside).toBeGreaterThan(300);
    expect(culled).toBeGreaterThan(300);
  });

  it('finds the pairs that are nearer than the distance asked for, as a comparison of all with all does', async () => {
    expect(await demo.reported('figure')).toBe(pairsNearer(100, new Date('2022-02-22T18:30:00Z')));
    expect(await demo.page.locator('#report').textContent()).toContain('pairs nearer than 100 km');
  });

  it('gives the same counts and pairs with every structure', async () => {
    const before = { ...(await demo.counts()), ...(await demo.report()) };
    await demo.withEachStructure(STRUCTURES, async () => {
      expect({ ...(await demo.counts()), ...(await demo.report()) }).toEqual(before);
    });
  });

  it('picks a satellite, tells of it and removes it', async () => {
    // Many pass over the pole: some is within reach of the pointer.
    await demo.clickPane('#above', 0.5, 0.24);
    const card = demo.page.locator('#card');
    expect(await card.textContent()).toMatch(/Altitude[\d,]+ km.*Speed\d\.\d\d km\/s/);
    await demo.click('#card [data-act=remove]');
    expect((await demo.counts()).total).toBe(3332);
    expect(await card.isVisible()).toBe(false);
  });

  it('has no place for further objects', async () => {
    expect(await demo.page.locator('#add').isDisabled()).toBe(true);
  });

  it('says whose data it is', async () => {
    expect(await demo.page.locator('#credit').textContent()).toContain('Space-Track');
  });

  demo.itIsAccessible();
});

/** By the model itself, each with each. */
function pairsNearer(kilometres: number, date: Date): number {
  const lines = readFileSync('assets/satellites.tle', 'utf8').trimEnd().split('\n');
  const places: [number, number, number][] = [];
  for (let i = 0; i < lines.length; i += 3) {
    const { x, y, z } = propagate(twoline2satrec(lines[i + 1]!, lines[i + 2]!), date)!.position;
    places.push([x, y, z]);
  }
  let count = 0;
  places.forEach(([x, y, z], i) => {
    for (let j = 0; j < i; j++) {
      const [u, v, w] = places[j]!;
      if (Math.hypot(x - u, y - v, z - w) <= kilometres) count++;
    }
  });
  return count;
}
