import { Protocol } from '@colyseus/core';
import { WebSocket } from 'ws';
import { STEER } from '../protocol/limits.js';
import { writeSteer } from '../protocol/steer.js';
import { openSocket } from './openSocket.js';

/** What a bot counts. */
export interface Heard {
  /** Bytes of positions, and of Colyseus' state. */
  positions: number;
  state: number;
  messages: number;
}

const STEER_HEADER = Uint8Array.of(Protocol.ROOM_DATA_BYTES, STEER);

/** A client that plays at random: it reads what it is sent and counts it, no more, so that one process can be hundreds. */
export class Bot {
  readonly #socket: WebSocket;
  readonly #heard: Heard;

  private constructor(socket: WebSocket, heard: Heard) {
    this.#socket = socket;
    this.#heard = heard;
    socket.on('message', (data: Buffer) => this.#hear(data));
  }

  /** Resolves when it is in the room. */
  static async join(url: string, room: string, heard: Heard): Promise<Bot> {
    const socket = await openSocket(url, room);
    const bot = new Bot(socket, heard);
    await new Promise((resolve, reject) => {
      socket.once('message', resolve);
      socket.once('error', reject);
      socket.once('close', reject);
    });
    return bot;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  steer(x: number, z: number): void {
    this.#socket.send(Buffer.concat([STEER_HEADER, writeSteer(x, z)]));
  }

  close(): void {
    this.#socket.terminate();
  }

  #hear(data: Buffer): void {
    const heard = this.#heard;
    heard.messages++;
    if (data[0] === Protocol.ROOM_DATA_BYTES) heard.positions += data.length;
    else heard.state += data.length;
    if (data[0] === Protocol.JOIN_ROOM) this.#socket.send(Uint8Array.of(Protocol.JOIN_ROOM));
  }
}
