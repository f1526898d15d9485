import { Client, type Room } from '@colyseus/sdk';
import { TICKET, VIEW } from '../../src/protocol/limits.js';
import { Picture } from '../../src/protocol/Picture.js';
import type { ViewMessage } from '../../src/protocol/readView.js';

/** A client with Colyseus' own SDK, which keeps all that it is sent. */
export class Player {
  readonly room: Room;
  readonly picture = new Picture();
  /** Of the last tick. */
  message!: ViewMessage;
  /** By which it may come back. */
  ticket!: string;
  /** The code with which the connection was closed. */
  readonly closed: Promise<number>;
  reason = '';
  /** What was wrong with a message. */
  fault: unknown = null;
  /** All that came over the wire since it was emptied, a byte a character. */
  heard = '';
  #waiting: { tick: number; resolve: () => void }[] = [];

  private constructor(room: Room) {
    this.room = room;
    this.closed = new Promise((resolve) =>
      room.onLeave((code, reason) => {
        this.reason = reason ?? '';
        resolve(code);
      }),
    );
    const { events } = room.connection;
    const { onmessage } = events;
    events.onmessage = (event: MessageEvent) => {
      this.heard += Buffer.from(event.data).toString('latin1');
      onmessage?.(event);
    };
    room.onMessage(TICKET, (bytes: Uint8Array) => {
      this.ticket = new TextDecoder().decode(bytes);
    });
    room.onMessage(VIEW, (bytes: Uint8Array) => {
      try {
        this.message = this.picture.take(bytes);
      } catch (error) {
        this.fault = error;
      }
      const due = this.#waiting.filter(({ tick }) => tick <= this.picture.tick || this.fault !== null);
      this.#waiting = this.#waiting.filter((one) => !due.includes(one));
      for (const { resolve } of due) resolve();
    });
  }

  /** Joins the world, or a room of it with the ticket of a player. */
  static async join(url: string, id?: string, ticket?: string): Promise<Player> {
    const client = new Client(url);
    if (ticket !== undefined) client.auth.token = ticket;
    const room = await (id === undefined ? client.join('world') : client.joinById(id));
    room.reconnection.enabled = false;
    return new Player(room);
  }

  /** The names of those whose cards it has, by id. */
  get cards(): Map<number, string> {
    const { cards } = this.room.state as { cards?: Map<string, { id: number; name: string }> };
    const all = new Map<number, string>();
    cards?.forEach(({ id, name }) => void all.set(id, name));
    return all;
  }

  /** Their levels, by id. */
  get levels(): Map<number, number> {
    const { cards } = this.room.state as { cards?: Map<string, { id: number; level: number }> };
    const all = new Map<number, number>();
    cards?.forEach(({ id, level }) => void all.set(id, level));
    return all;
  }

  /** Resolves with the next message. */
  next(): Promise<void> {
    return this.reached(this.picture.tick + 1);
  }

  /** Resolves when all of a tick has come. */
  async reached(tick: number): Promise<void> {
    if (this.picture.tick < tick) await new Promise<void>((resolve) => this.#waiting.push({ tick, resolve }));
    if (this.fault !== null) throw this.fault;
  }
}
