import type { Socket } from 'node:net';
import { StateView } from '@colyseus/schema';
import type { WebSocketClient } from '@colyseus/ws-transport';
import type { Observer } from 'three-scene-index/interest';

/** Of a connection, as WebSocket has it. */
const OPEN = 1;

/** A client in a room: the entity that it plays, what it sees, and whether it keeps up. */
export class Session {
  readonly client: WebSocketClient;
  /** The entity that it plays. */
  readonly entity: number;
  /** Its id in the index, once it is observed. */
  player = -1;
  /** Which cards it gets. */
  readonly view: StateView = new StateView();
  /** Not before it has confirmed that it joined. */
  observer: Observer | null = null;
  /** It is to be told all that is in view, as it has missed something, or knows nothing yet. */
  needsAll = true;
  /** False once it was sent away for what it did. */
  isWelcome = true;
  /** Ticks in a row in which it could be told nothing. */
  skipped = 0;

  /** What Colyseus has sent since `hold`. */
  readonly held: Uint8Array[] = [];
  /** What goes out with `release`: WebSocket frames, with all that was held. */
  frames: Uint8Array | null = null;
  #isHeld = false;

  constructor(client: WebSocketClient, entity: number) {
    this.client = client;
    this.entity = entity;
    const raw = client.raw.bind(client);
    client.raw = (bytes, options, callback) => {
      if (this.#isHeld && callback === undefined) this.held.push(bytes as Uint8Array);
      else raw(bytes, options, callback);
    };
  }

  /** Keeps what Colyseus sends from now on until `release`. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Writes the frames to the connection, unless it is being closed. */
  release(): void {
    this.#isHeld = false;
    this.held.length = 0;
    const { frames } = this;
    this.frames = null;
    if (frames !== null && frames.length > 0 && this.client.readyState === OPEN) this.#socket?.write(frames);
  }

  // Not part of what `ws` declares.
  get #socket(): Socket | undefined {
    return (this.client.ref as { _socket?: Socket })._socket;
  }

  /** Bytes that wait in this process for the client to read. */
  get waiting(): number {
    return this.client.ref.bufferedAmount;
  }
}
