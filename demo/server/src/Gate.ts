import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Who may come to a server. */
export interface GateOptions {
  /** Origins of other hosts whose pages may connect, such as `https://example.com`. */
  origins?: readonly string[];
  /** So many seats an address may ask for in `SEAT_SECONDS`. */
  seatsPerAddress?: number;
  /** A proxy in front says who asks, by `x-real-ip`; else that header is anybody's. */
  isBehindProxy?: boolean;
}

/** A request that is refused. */
interface Refusal {
  status: number;
  reason: string;
}

/** A seat whose client does not come is free again after so long. */
export const SEAT_SECONDS = 2;
/** Bytes of what a client says when it asks for a seat: it has no options, its ticket goes with the headers. */
const MOST_BODY = 256;

/** What Colyseus leaves to the one in front of it: who asks, how often, and how much is read of that. */
export class Gate {
  readonly #origins: readonly string[];
  readonly #seats: number;
  readonly #isBehindProxy: boolean;
  readonly #asked = new Map<string, number>();
  #since = 0;

  constructor({ origins = [], seatsPerAddress = 100, isBehindProxy = false }: GateOptions) {
    this.#origins = origins;
    this.#seats = seatsPerAddress;
    this.#isBehindProxy = isBehindProxy;
  }

  /** Stands before all that answers requests of a server by now. */
  guard(server: Server): void {
    const listeners = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
    server.removeAllListeners('request');
    server.on('request', (request, response) => {
      const refusal = this.#refusalOf(request);
      if (refusal === null) for (const listener of listeners) listener.call(server, request, response);
      else refuse(response, refusal);
    });
  }

  /**
   * Whether a page of that origin may connect: one of the same host, whatever its port, or of the origins that are listed.
   * What is no browser says none, and may.
   */
  admits(origin: string | null | undefined, host: string | null | undefined): boolean {
    if (origin === null || origin === undefined || this.#origins.includes(origin)) return true;
    return URL.canParse(origin) && URL.canParse(`http://${host}`)
      ? new URL(origin).hostname === new URL(`http://${host}`).hostname
      : false;
  }

  #refusalOf(request: IncomingMessage): Refusal | null {
    const { method, headers } = request;
    if (!this.admits(headers.origin, headers.host)) return { status: 403, reason: 'the origin is not allowed' };
    // Nothing else is posted, however a path to that may be written.
    if (method !== 'POST') return null;
    if (headers['content-length'] === undefined) return { status: 411, reason: 'the length of the body is needed' };
    if (Number(headers['content-length']) > MOST_BODY) return { status: 413, reason: 'the body is too long' };
    return this.#takesSeat(request) ? null : { status: 429, reason: 'too many seats asked for' };
  }

  #takesSeat(request: IncomingMessage): boolean {
    const now = performance.now();
    if (now - this.#since > 1000 * SEAT_SECONDS) {
      this.#asked.clear();
      this.#since = now;
    }
    const address = this.#addressOf(request);
    const asked = (this.#asked.get(address) ?? 0) + 1;
    this.#asked.set(address, asked);
    return asked <= this.#seats;
  }

  #addressOf({ headers, socket }: IncomingMessage): string {
    const header = this.#isBehindProxy ? headers['x-real-ip'] : undefined;
    return networkOf(typeof header === 'string' ? header : (socket.remoteAddress ?? ''));
  }
}

/** The address, or of one of IPv6 its first 64 bits: whoever has one has all that begin so. */
export function networkOf(address: string): string {
  const own = address.replace(/^::ffff:(?=\d+\.)/, '');
  if (!own.includes(':')) return own;
  return own.split('::')[0].split(':').slice(0, 4).join(':');
}

function refuse(response: ServerResponse, { status, reason }: Refusal): void {
  const body = JSON.stringify({ code: status, error: reason });
  if (status === 429) response.setHeader('retry-after', SEAT_SECONDS);
  // What is left of the body is not read.
  response.setHeader('connection', 'close');
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
}
