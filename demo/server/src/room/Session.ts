import type { Socket } from 'node:net';
import { StateView } from '@colyseus/schema';
import type { WebSocketClient } from '@colyseus/ws-transport';
import type { Observer } from 'three-scene-index/interest';

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

  constructor(client: WebSocketClient, entity: number) {
    this.client = client;
    this.entity = entity;
  }

  /** What is sent until `flush` goes out with one call of the system. */
  hold(): void {
    this.#socket?.cork();
  }

  flush(): void {
    this.#socket?.uncork();
  }

  // Not part of what `ws` declares; without it each message goes out by itself.
  get #socket(): Socket | undefined {
    return (this.client.ref as { _socket?: Socket })._socket;
  }

  /** Bytes that wait in this process for the client to read. */
  get waiting(): number {
    return this.client.ref.bufferedAmount;
  }
}
