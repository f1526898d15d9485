import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { CloseCode, Protocol } from '@colyseus/core';
import { WebSocket } from 'ws';
import type { Settings } from './settings.js';
import { OVERVIEW, STEER } from './wire.js';

/** How long a seat waits for its client. */
export const SEAT_SECONDS = 15;
/** Longest body of a seat request, in bytes. */
const MOST_BODY = 256;
/** Refused frames are logged once in so many milliseconds, with their number: each client may send many. */
const QUIET = 60_000;

/** Checks what comes before Colyseus sees it: the origin and length of requests, how often an address asks, and frames. */
export function makeGate({ origins, seats, isBehindProxy }: Settings['gate']) {
  const asked = new Map<string, number>();
  let since = 0;
  let [refused, quietUntil] = [0, 0];

  function refuse(why: string): void {
    refused++;
    if (performance.now() < quietUntil) return;
    console.warn(`refused ${refused} frame${refused > 1 ? 's' : ''} of clients, the last for: ${why}`);
    [refused, quietUntil] = [0, performance.now() + QUIET];
  }

  /** A connection that is closed at the first frame that the page would not send. */
  class GatedSocket extends WebSocket {
    override emit(event: string, ...values: unknown[]): boolean {
      const [data, isBinary] = values;
      // A frame that is no frame, or too long. The socket closes by itself.
      if (event === 'error') refuse((data as Error).message);
      else if (event !== 'message' || isKnown(data as Buffer, isBinary === true)) return super.emit(event, ...values);
      else if (this.readyState === WebSocket.OPEN) {
        refuse(isBinary ? 'no message of this server' : 'a text frame');
        this.close(CloseCode.WITH_ERROR, 'that is no message');
      }
      return true;
    }
  }

  /** Whether a page may connect: one of the same host, on any port, or of a listed origin. Others than browsers send none. */
  function admits(origin: string | null | undefined, host: string | null | undefined): boolean {
    const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : undefined);
    if (!origin || origins.includes(origin)) return true;
    return hostOf(origin) !== undefined && hostOf(origin) === hostOf(`http://${host}`);
  }

  function refusalOf({ method, headers, socket }: IncomingMessage): [number, string] | null {
    if (!admits(headers.origin, headers.host)) return [403, 'the origin is not allowed'];
    // Seat requests are the only posts, so no spelling of the path gets around these limits.
    if (method !== 'POST') return null;
    const length = headers['content-length'];
    if (length === undefined) return [411, 'the length of the body is needed'];
    if (!(Number(length) <= MOST_BODY)) return [413, 'the body is too long'];
    const network = networkOf(`${(isBehindProxy && headers['x-real-ip']) || socket.remoteAddress}`);
    if (performance.now() - since > 1000 * SEAT_SECONDS) {
      asked.clear();
      since = performance.now();
    }
    asked.set(network, (asked.get(network) ?? 0) + 1);
    return asked.get(network)! <= seats ? null : [429, 'too many seats asked for'];
  }

  /** Puts itself before the listeners that a server has now. */
  function guard(server: Server): void {
    const listeners = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request');
    server.on('request', (request, response) => {
      const [status, error] = refusalOf(request) ?? [];
      if (status === undefined) for (const listener of listeners) listener.call(server, request, response);
      // Closed, as the rest of the body is not read.
      else response.writeHead(status, { connection: 'close' }).end(JSON.stringify({ code: status, error }));
    });
  }
  return { admits, guard, GatedSocket };
}

/** Whether a frame begins as one of the messages of a client does. The room reads the direction itself. */
function isKnown([first, type, ...others]: Buffer, isBinary: boolean): boolean {
  if (!isBinary) return false;
  if (first === Protocol.ROOM_DATA_BYTES) return type === STEER;
  if (first === Protocol.ROOM_DATA) return type === OVERVIEW && others.length === 0;
  return type === undefined && [Protocol.JOIN_ROOM, Protocol.LEAVE_ROOM, Protocol.PING].includes(first as never);
}

/** An IPv4 address, or the first 64 bits of an IPv6 address: a client can use all addresses that share them. */
function networkOf(address: string): string {
  const own = address.replace(/^::ffff:(?=\d+\.)/, '');
  return own.includes(':') ? own.split('::')[0].split(':').slice(0, 4).join(':') : own;
}
