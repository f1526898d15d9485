import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Settings } from './settings.js';

/** How long a seat waits for its client. */
export const SEAT_SECONDS = 15;
/** Longest body of a seat request, in bytes. */
const MOST_BODY = 256;

/** Checks requests before Colyseus sees them: their origin, their length, and how often an address asks. */
export function makeGate({ origins, seats, isBehindProxy }: Settings['gate']) {
  const asked = new Map<string, number>();
  let since = 0;

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
  return { admits, guard };
}

/** An IPv4 address, or the first 64 bits of an IPv6 address: a client can use all addresses that share them. */
function networkOf(address: string): string {
  const own = address.replace(/^::ffff:(?=\d+\.)/, '');
  return own.includes(':') ? own.split('::')[0].split(':').slice(0, 4).join(':') : own;
}
