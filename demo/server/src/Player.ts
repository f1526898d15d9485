import { Client, type Room, type SeatReservation } from '@colyseus/sdk';
import { DOOR, PLACES, type Place, readPlaces, STEER, writeSteer } from './wire.js';
import type { ZoneState } from './ZoneRoom.js';

/** Is told of a player: in which room it is, each tick that it hears of, and why it is in no room. */
export interface Listener {
  entered?(room: Room<unknown, ZoneState>): void;
  told?(tick: number, bytes: number): unknown;
  lost?(code: number, reason: string): unknown;
}

/** The client of a player, who goes through doors, and comes back when the connection broke. */
export class Player {
  room!: Room<unknown, ZoneState>;
  own: Place = { id: -1, x: 0, z: 0 };
  /** Where things were when they were told of last, by id. */
  readonly places = new Map<number, Place>();
  readonly #client: Client;
  readonly #listener: Listener;
  #way = writeSteer(0, 0);

  constructor(url: string, listener: Listener = {}) {
    this.#client = new Client(url);
    this.#listener = listener;
  }

  async join(zone: number, name: string): Promise<void> {
    this.#enter(await this.#client.joinOrCreate(`zone-${zone}`, { name }));
  }

  /** The names of all that it has in view, by id, as the cards that it was given say. */
  get seen(): Map<number, string> {
    const seen = new Map<number, string>();
    this.room.state.cards?.forEach(({ name }, id) => void seen.set(Number(id), name));
    return seen;
  }

  /** Goes in a direction from now on. */
  steer(x: number, z: number): void {
    this.#way = writeSteer(x, z);
    this.room.sendBytes(STEER, this.#way);
  }

  #enter(room: Room): void {
    this.room = room as Room<unknown, ZoneState>;
    room.reconnection.minUptime = 0;
    room.onMessage(PLACES, (bytes: Uint8Array) => {
      const { tick, places } = readPlaces(bytes, this.room.state.size);
      this.own = places[0];
      for (const place of places) this.places.set(place.id, place);
      this.#listener.told?.(tick, bytes.length);
    });
    room.onMessage(DOOR, async (seat: SeatReservation) => {
      this.#enter(await this.#client.consumeSeatReservation(seat));
      void room.leave();
    });
    room.onDrop((code) => this.#listener.lost?.(code, 'the connection is lost, trying again'));
    room.onReconnect(() => this.#begin());
    room.onLeave((code, reason) => {
      if (this.room === room) this.#listener.lost?.(code, reason || `closed with ${code}, reload to join again`);
    });
    this.#begin();
  }

  #begin(): void {
    this.places.clear();
    this.room.sendBytes(STEER, this.#way);
    this.#listener.entered?.(this.room);
  }
}
