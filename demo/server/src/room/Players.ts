import { randomBytes } from 'node:crypto';
import type { Ticket } from '../protocol/ticket.js';
import { readEntityBytes } from '../world/EntityBytes.js';
import { PLAYER, type World } from '../world/World.js';
import type { Session } from './Session.js';

/** Ids of players begin above those of all others. */
const FIRST = 2 ** 32;
/** Every so many ticks it is looked who has no client. */
const SWEEP = 20;

/** The players of one region: who comes, who comes back, who is gone for good. */
export class Players {
  readonly #world: World;
  readonly #grace: number;
  /** Since which tick players have had no client. */
  readonly #alone = new Map<number, number>();

  constructor(world: World, grace: number) {
    this.#world = world;
    this.#grace = grace;
  }

  /** Whether a ticket is that of a player here, or of one on its way here. */
  has({ entity, secret }: Ticket): boolean {
    const { region } = this.#world;
    return region.itemOf(entity) >= 0 && readEntityBytes(region.payloadOf(entity)).ticket === secret;
  }

  /** Makes a new player. */
  add(): Ticket {
    const { size, region } = this.#world;
    const entity = FIRST + randomBytes(6).readUIntBE(0, 6);
    const secret = randomBytes(8).readBigUInt64LE() | 1n;
    const share = (region.region + Math.random()) / region.map.count;
    this.#world.add(entity, PLAYER, share * size, Math.random() * size, secret);
    return { entity, secret };
  }

  /** The region in which a player is that has left this one. */
  regionOf({ player }: Session): number {
    return this.#world.region.map.regionAt(this.#world.x[player], this.#world.z[player]);
  }

  /** Removes a player for good. */
  remove(entity: number): void {
    const { region } = this.#world;
    if (region.owns(entity)) this.#world.remove(region.itemOf(entity));
  }

  /** Removes players that have been without a client for too long. */
  sweep(sessions: Iterable<Session>): void {
    const { region, tick } = this.#world;
    if (tick % SWEEP !== 0) return;
    const { ids, kind, entity } = this.#world;
    const attended = new Set([...sessions].map((session) => session.entity));
    for (const id of ids) {
      if (kind[id] !== PLAYER || attended.has(entity[id])) this.#alone.delete(entity[id]);
      else if (!this.#alone.has(entity[id])) this.#alone.set(entity[id], tick);
      else if (tick - this.#alone.get(entity[id])! > this.#grace) this.#world.remove(id);
    }
    for (const one of this.#alone.keys()) if (!region.owns(one)) this.#alone.delete(one);
  }
}
