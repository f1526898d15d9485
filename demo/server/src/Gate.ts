import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Which requests a server accepts. */
export interface GateOptions {
  /** Pages on other hosts that may connect, such as `https://example.com`. Default none. */
  origins?: readonly string[];
  /** How many seats an address may request in `SEAT_SECONDS`. Default 100. */
  seatsPerAddress?: number;
  /** Take the address from `x-real-ip`. Only behind a proxy that overwrites it: otherwise clients choose it. */
  isBehindProxy?: boolean;
}

/** Why a request is refused. */
interface Refusal {
  status: number;
  reason: string;
}

/** How long a seat waits for its client. */
export const SEAT_SECONDS = 2;
/** Longest body of a seat request, in bytes. Clients have no options to send: their ticket is in a header. */
const MOST_BODY = 256;

/** Checks requests before Colyseus sees them: their origin, their length, and how often an address asks. */
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

  /** Puts itself before the listeners that a server has now. */
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
   * Whether a page of that origin may connect: one on the same host, on any port, or one of the listed origins. Programs
   * that are no browsers send no origin, and may connect.
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
    // Seat requests are the only posts, so no spelling of the path gets around these limits.
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

/** An IPv4 address, or the first 64 bits of an IPv6 address: a client can use all addresses that share them. */
export function networkOf(address: string): string {
  const own = address.replace(/^::ffff:(?=\d+\.)/, '');
  if (!own.includes(':')) return own;
  return own.split('::')[0].split(':').slice(0, 4).join(':');
}

function refuse(response: ServerResponse, { status, reason }: Refusal): void {
  const body = JSON.stringify({ code: status, error: reason });
  if (status === 429) response.setHeader('retry-after', SEAT_SECONDS);
  // The rest of the body is not read.
  response.setHeader('connection', 'close');
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
}
