import type { Saved } from '../world/openRegion.js';
import { random } from '../world/random.js';
import { KINDS, World } from '../world/World.js';
import type { RoomOptions } from './RoomOptions.js';

/** The world of a room, without entities or as it was saved. */
export function openWorld(options: RoomOptions, incarnation?: number, saved?: Saved): World {
  const margin = options.radius * (1 + options.hysteresis) + 1;
  return new World({ ...options, margin, ...(incarnation === undefined ? {} : { incarnation }) }, saved);
}

/** Puts those who wander into a new world. All regions draw the same places, and each keeps what lies in its own. */
export function populate(world: World, { size, seed, entities }: RoomOptions): void {
  const next = random(seed);
  for (let entity = 0; entity < entities; entity++) {
    const [x, z] = [next() * size, next() * size];
    if (world.owns(x, z)) world.add(entity, 1 + (entity % (KINDS.length - 1)), x, z);
  }
}
