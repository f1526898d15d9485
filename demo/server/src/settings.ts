import { ROOM_DEFAULTS, type RoomOptions } from './room/RoomOptions.js';

/** What the environment says of a server. */
export interface Settings {
  port: number;
  host: string;
  bots: number;
  /** The room with plain views, to compare with. */
  hasPlainViews: boolean;
  /** A room with all there is, for the map: by default where only this machine can connect. */
  hasOverview: boolean;
  /** `REDIS_URL`, or null. */
  redis: string | null;
  room: Partial<RoomOptions>;
}

const LOOPBACK = '127.0.0.1';
const ROOM: Record<string, keyof RoomOptions> = {
  SIZE: 'size',
  ENTITIES: 'entities',
  RADIUS: 'radius',
  NEAR: 'nearRadius',
  EVERY: 'every',
  RATE: 'rate',
  SPEED: 'speed',
  MOST_CLIENTS: 'mostClients',
  REGIONS: 'regions',
  REGION: 'region',
};

/**
 * Reads `REDIS_URL`, `PORT`, `HOST`, `BOTS`, `VIEWS`, `OVERVIEW` and the options of the room.
 * @throws RangeError for what is no number.
 */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const number = (name: string, fallback: number): number => {
    const value = Number(environment[name] ?? fallback);
    if (!(value >= 0)) throw new RangeError(`${name}: must be a number from 0, got ${environment[name]}`);
    return value;
  };
  const host = environment.HOST ?? LOOPBACK;
  const room: Partial<RoomOptions> = {};
  for (const [name, option] of Object.entries(ROOM)) room[option] = number(name, ROOM_DEFAULTS[option]);
  return {
    port: number('PORT', 2567),
    host,
    bots: number('BOTS', 300),
    hasPlainViews: environment.VIEWS === '1',
    hasOverview: (environment.OVERVIEW ?? (host === LOOPBACK ? '1' : '0')) === '1',
    redis: environment.REDIS_URL ?? null,
    room,
  };
}
