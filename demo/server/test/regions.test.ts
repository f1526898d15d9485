import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MOVED } from '../src/protocol/closeCodes.js';
import { STEER } from '../src/protocol/limits.js';
import { writeSteer } from '../src/protocol/steer.js';
import { Deployment } from './helpers/Deployment.js';
import { Player } from './helpers/Player.js';
import { hasRedis, withRedis } from './helpers/Processes.js';

describe.skipIf(!hasRedis)(withRedis('two regions of one world, in processes of their own'), () => {
  let deployment: Deployment;

  beforeAll(async () => {
    deployment = await Deployment.begin(2);
    await deployment.startAll();
  });
  afterAll(() => deployment?.end());

  async function agree(): Promise<void> {
    await deployment.areBack();
    for (const region of deployment.regions) await region.until(({ items, entities }) => items > entities);
    expect(await deployment.misplaced()).toEqual([]);
  }

  test('hold each entity once, and what is near the border as ghosts', () => agree());

  test('send a player who crosses the border to the other process, which knows it by its ticket alone', async () => {
    const { regions } = deployment;
    // The process that is asked need not be the one that has the room.
    const here = await Player.join(regions[1].url, 'region-0');
    await here.next();
    const steer = (): void => here.room.sendBytes(STEER, writeSteer(1, 0));
    const timer = setInterval(steer, 200);
    expect(await here.closed).toBe(MOVED);
    clearInterval(timer);
    expect(here.reason).toBe('region-1');
    const [entity, secret] = here.ticket.split('.');
    const wrong = [
      `${entity}.${secret.replace(/^./, (first) => (first === '1' ? '2' : '1'))}`,
      `1.${secret}`,
      '1.0',
      'x',
    ];
    for (const ticket of wrong) {
      await expect(Player.join(regions[0].url, 'region-1', ticket), ticket).rejects.toThrow('the ticket is not valid');
    }
    const there = await Player.join(regions[0].url, here.reason, here.ticket);
    await there.next();
    // It went on meanwhile.
    expect(there.picture.x).toBeGreaterThanOrEqual(here.picture.x);
    expect(there.picture.z).toBe(here.picture.z);
    expect([...there.cards.keys()].sort()).toEqual([...there.picture.seen.keys()].sort());
    expect(there.cards.size).toBeGreaterThan(0);
    await there.room.leave();
    await agree();
  });
});
