import { type Client, matchMaker, Room } from '@colyseus/core';
import { SEAT_SECONDS } from '../Gate.js';
import type { Times } from '../room/TickTimes.js';
import type { WorldRoom } from '../room/WorldRoom.js';
import { PLACES, writePlaces } from './places.js';

const RATE = 10;

/** What a server says of itself each second. */
export interface Numbers extends Times {
  size: number;
  radius: number;
  entities: number;
  players: number;
  /** Of positions, to all clients; with plain views, of all that there is. */
  bytes: number;
}

/** Whom a player sees, as the server knows it. */
export interface Watched {
  id: number;
  seen: number[];
}

/**
 * The whole of a world, for a map of it. Nothing that a game should offer: it is there where the server is told so, and
 * shows that what a player gets by the room `world` is only a part.
 */
export class OverviewRoom extends Room {
  override autoDispose = false;
  override patchRate = null;
  override maxClients = 4;
  override seatReservationTimeout = SEAT_SECONDS;
  override maxMessagesPerSecond = 30;

  #world!: WorldRoom;
  readonly #watched = new Map<string, number>();
  #sent = 0;
  #shown = 0;

  override onCreate({ world, roomId }: { world: string; roomId: string }): void {
    this.roomId = roomId;
    this.#world = matchMaker.getLocalRoomById(world) as WorldRoom;
    this.onMessage('watch', (client, id: unknown) => {
      if (typeof id === 'number') this.#watched.set(client.sessionId, id);
    });
    this.setTimestep(() => this.#show(), 1000 / RATE);
  }

  override onLeave(client: Client): void {
    this.#watched.delete(client.sessionId);
  }

  #show(): void {
    const { world, options } = this.#world;
    if (this.clients.length > 0) {
      this.broadcastBytes(PLACES, writePlaces(world.ids, world.kind, world.x, world.z, options.size), {});
      for (const client of this.clients) this.#showView(client);
    }
    if (++this.#shown % RATE === 0) this.#tellNumbers();
  }

  #showView(client: Client): void {
    const id = this.#watched.get(client.sessionId);
    const session = [...this.#world.sessions.values()].find(({ player }) => player === id);
    const seen = [...(session?.observer?.inView ?? [])];
    client.send('watched', { id: session?.player ?? -1, seen } satisfies Watched);
  }

  #tellNumbers(): void {
    const { world, options, sessions, times, bytes } = this.#world;
    const numbers: Numbers = {
      ...times.take(),
      ...{ size: options.size, radius: options.radius, entities: world.count, players: sessions.size },
      bytes: bytes - this.#sent,
    };
    this.#sent = bytes;
    this.broadcast('numbers', numbers);
  }
}
