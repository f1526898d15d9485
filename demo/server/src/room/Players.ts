import { randomBytes } from 'node:crypto';
import { readEntityBytes } from '../world/EntityBytes.js';
import { PLAYER, type World } from '../world/World.js';
import type { Session } from './Session.js';

/** By what a client comes back to its player, in whichever region that is; nobody else may know it. */
export interface Ticket {
  entity: number;
  ticket: string;
}

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

  /**
   * A new player, or the one of a ticket, which may be on its way here yet.
   * @throws Error for a ticket that is not right.
   */
  admit(options: unknown): Ticket {
    const asked = readTicket(options);
    if (asked === null) return this.#add();
    const { region } = this.#world;
    const item = region.itemOf(asked.entity);
    if (item < 0) throw new Error('no such player here');
    const { ticket } = readEntityBytes(region.payloadOf(asked.entity));
    if (ticket === 0n || ticket.toString(16) !== asked.ticket) throw new Error('the ticket is not right');
    return asked;
  }

  /** The region in which a player is that has left this one. */
  regionOf({ player }: Session): number {
    return this.#world.region.map.regionAt(this.#world.x[player], this.#world.z[player]);
  }

  /** Lets a player go; of several regions, one whose client may be on its way to another stays for a while. */
  leave(entity: number, isForGood: boolean): void {
    const { region } = this.#world;
    if ((isForGood || region.map.count === 1) && region.owns(entity)) this.#world.remove(region.itemOf(entity));
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

  #add(): Ticket {
    const { size, region } = this.#world;
    const entity = FIRST + randomBytes(6).readUIntBE(0, 6);
    const ticket = randomBytes(8).readBigUInt64LE() | 1n;
    const share = (region.region + Math.random()) / region.map.count;
    this.#world.add(entity, PLAYER, share * size, Math.random() * size, ticket);
    return { entity, ticket: ticket.toString(16) };
  }
}

/** What a client says when it joins is its own: anything may come. */
function readTicket(options: unknown): Ticket | null {
  if (options === null || typeof options !== 'object' || !('ticket' in options)) return null;
  const { entity, ticket } = options as Record<string, unknown>;
  if (typeof entity !== 'number' || typeof ticket !== 'string') throw new TypeError('a ticket has entity and ticket');
  return { entity, ticket };
}
