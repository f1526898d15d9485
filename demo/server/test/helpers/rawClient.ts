import { Protocol } from '@colyseus/core';
import type { WebSocket } from 'ws';
import { openSocket } from '../../src/bots/openSocket.js';

/** A client without manners: a bare socket, which answers nothing by itself once it has joined. */
export interface RawClient {
  readonly socket: WebSocket;
  readonly closed: Promise<number>;
}

/** Connects, and confirms that it joined unless it is to be silent. */
export async function connectRaw(url: string, confirms = true): Promise<RawClient> {
  const socket = await openSocket(url);
  socket.on('error', () => {});
  const closed = new Promise<number>((resolve) => socket.once('close', (code) => resolve(code)));
  await new Promise((resolve) => socket.once('message', resolve));
  if (confirms) socket.send(Uint8Array.of(Protocol.JOIN_ROOM));
  return { socket, closed };
}
