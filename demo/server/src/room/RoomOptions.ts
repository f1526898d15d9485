import { FARTHEST } from '../protocol/limits.js';

/** How a world and its room are made. */
export interface RoomOptions {
  /** The world is a square with sides of this length. */
  size: number;
  /** Entities that wander by themselves. */
  entities: number;
  seed: number;
  /** How far a player sees, and from where on each tick tells it of what moves. */
  radius: number;
  nearRadius: number;
  /** In which ticks it is told of what is farther away: every nth. */
  every: number;
  /** An entity in view must be farther away than the radius by this share of it to leave. */
  hysteresis: number;
  /** Ticks a second; 0 for a room that is stepped by hand. */
  rate: number;
  /** Units a second of a player. */
  speed: number;
  /** The world is cut along x into so many regions, of which the room is one. */
  regions: number;
  region: number;
  /** So many ticks a player of several regions waits for its client before it is removed. */
  graceTicks: number;
  mostClients: number;
  /** Messages a second that a client may send; more closes its connection. */
  mostMessages: number;
  /** With more bytes than this waiting to be read, a client is sent no positions. */
  skipAbove: number;
  /** So many ticks in a row without positions, or before the first, close its connection. */
  mostSkipped: number;
  /** With more bytes than this waiting, its connection is closed at once. */
  closeAbove: number;
}

export const ROOM_DEFAULTS: RoomOptions = {
  size: 1000,
  entities: 3000,
  seed: 1,
  radius: 60,
  nearRadius: 30,
  every: 3,
  hysteresis: 0.1,
  rate: 20,
  speed: 12,
  regions: 1,
  region: 0,
  graceTicks: 100,
  mostClients: 2000,
  mostMessages: 30,
  skipAbove: 64 * 1024,
  mostSkipped: 100,
  closeAbove: 1024 * 1024,
};

/**
 * Options with defaults, checked.
 * @throws TypeError or RangeError that names the option.
 */
export function readRoomOptions(given: Partial<RoomOptions>): RoomOptions {
  const options = { ...ROOM_DEFAULTS, ...given };
  for (const [name, value] of Object.entries(options)) {
    if (!(name in ROOM_DEFAULTS)) throw new RangeError(`RoomOptions.${name}: no such option`);
    if (typeof value !== 'number') throw new TypeError(`RoomOptions.${name}: must be a number, got ${typeof value}`);
    if (!(value >= 0 && value < Infinity)) {
      throw new RangeError(`RoomOptions.${name}: must be finite and not negative, got ${value}`);
    }
  }
  if (!(Number.isInteger(options.every) && options.every >= 1)) {
    throw new RangeError(`RoomOptions.every: must be a whole number from 1, got ${options.every}`);
  }
  const reach = options.radius * (1 + options.hysteresis);
  if (reach > FARTHEST)
    throw new RangeError(`RoomOptions.radius: ${reach} is farther than positions reach, ${FARTHEST}`);
  return options;
}
