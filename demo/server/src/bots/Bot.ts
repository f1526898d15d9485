import { Protocol } from '@colyseus/core';
import { WebSocket } from 'ws';
import { MOVED } from '../protocol/closeCodes.js';
import { STEER, TICKET } from '../protocol/limits.js';
import { writeSteer } from '../protocol/steer.js';
import { openSocket } from './openSocket.js';

/** What a bot counts. */
export interface Heard {
  /** Bytes of positions, and of Colyseus' state. */
  positions: number;
  state: number;
  messages: number;
  /** How often one has followed its player over a border. */
  moves: number;
}

const STEER_HEADER = Uint8Array.of(Protocol.ROOM_DATA_BYTES, STEER);

/**
 * A client that plays at random: it reads what it is sent and counts it, no more, so that one process can be hundreds. It goes
 * where its player goes.
 */
export class Bot {
  readonly #url: string;
  readonly #heard: Heard;
  #socket!: WebSocket;
  #ticket: string | undefined;
  #isClosed = false;

  private constructor(url: string, heard: Heard) {
    this.#url = url;
    this.#heard = heard;
  }

  /** Resolves when it is in the room. */
  static async join(url: string, room: string, heard: Heard): Promise<Bot> {
    const bot = new Bot(url, heard);
    await bot.#join(room);
    return bot;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  steer(x: number, z: number): void {
    this.#socket.send(Buffer.concat([STEER_HEADER, writeSteer(x, z)]));
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.terminate();
  }

  async #join(room: string): Promise<void> {
    const socket = await openSocket(this.#url, room, this.#ticket);
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#hear(data));
    await new Promise((resolve, reject) => {
      socket.once('message', resolve);
      socket.once('error', reject);
      socket.once('close', reject);
    });
    socket.on('close', (code, reason) => {
      if (code === MOVED && !this.#isClosed) this.#move(`${reason}`);
    });
    if (this.#isClosed) socket.terminate();
  }

  #move(room: string): void {
    this.#join(room).then(
      () => {
        this.#heard.moves++;
      },
      // The region is gone, and with it the player for now: a bot has no more patience.
      () => {},
    );
  }

  #hear(data: Buffer): void {
    const heard = this.#heard;
    heard.messages++;
    if (data[0] !== Protocol.ROOM_DATA_BYTES) heard.state += data.length;
    else if (data[1] === TICKET) this.#ticket = `${data.subarray(2)}`;
    else heard.positions += data.length;
    if (data[0] === Protocol.JOIN_ROOM) this.#socket.send(Uint8Array.of(Protocol.JOIN_ROOM));
  }
}
