import type { GameServerOptions } from './GameServer.js';
import { ROOM_DEFAULTS, type RoomOptions } from './room/RoomOptions.js';

/** What the environment says of a server. */
export interface Settings extends GameServerOptions {
  bots: number;
  redis: string | null;
}

/** The name of the world in Redis. */
export const WORLD = 'world';

const LOOPBACK = '127.0.0.1';
const ROOM: Record<string, keyof RoomOptions> = {
  SIZE: 'size',
  ENTITIES: 'entities',
  RADIUS: 'radius',
  NEAR: 'nearRadius',
  EVERY: 'every',
  RATE: 'rate',
  SPEED: 'speed',
  GRACE: 'graceTicks',
  MOST_CLIENTS: 'mostClients',
  REGIONS: 'regions',
  REGION: 'region',
};

/**
 * Reads the variables that the README lists.
 * @param isDemo Bots and the overview unless the environment says otherwise.
 * @throws RangeError for what is no number, and for several regions that clients could not reach.
 */
export function readSettings(environment: NodeJS.ProcessEnv, isDemo = false): Settings {
  const number = (name: string, fallback: number): number => {
    const value = Number(environment[name] ?? fallback);
    if (!(value >= 0)) throw new RangeError(`${name}: must be a number from 0, got ${environment[name]}`);
    return value;
  };
  const flag = (name: string, fallback: boolean): boolean => (environment[name] ?? (fallback ? '1' : '0')) === '1';
  const host = environment.HOST ?? LOOPBACK;
  const publicAddress = environment.PUBLIC_ADDRESS ?? null;
  const redis = environment.REDIS_URL ?? null;
  if (redis !== null && publicAddress === null && ['0.0.0.0', '::'].includes(host)) {
    throw new RangeError(`PUBLIC_ADDRESS: must be set where HOST is ${host}, so that clients find each region`);
  }
  const room: Partial<RoomOptions> = {};
  for (const [name, option] of Object.entries(ROOM)) room[option] = number(name, ROOM_DEFAULTS[option]);
  return {
    port: number('PORT', 2567),
    ...{ host, publicAddress, redis, room },
    bots: number('BOTS', isDemo ? 300 : 0),
    hasPlainViews: flag('VIEWS', false),
    hasOverview: flag('OVERVIEW', isDemo),
    claim: { lease: number('LEASE', 5) * 1000 },
    gate: {
      origins: (environment.ORIGINS ?? '').split(',').filter((origin) => origin !== ''),
      seatsPerAddress: number('SEATS', 100),
      isBehindProxy: flag('PROXY', false),
    },
  };
}
