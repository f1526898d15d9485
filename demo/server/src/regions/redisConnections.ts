import { RedisPresence } from '@colyseus/redis-presence';
import { Redis, type RedisOptions } from 'ioredis';

/** How often each connection is pinged, in milliseconds. */
const BEAT = 1000;
/** A connection that leaves a command unanswered for this long is considered dead and reopened, in milliseconds. */
const DEAD_AFTER = 3000;

const OPTIONS: RedisOptions = { connectTimeout: DEAD_AFTER, socketTimeout: DEAD_AFTER, retryStrategy: () => 250 };

/** A connection that reconnects for as long as it is not closed. */
export function connectRedis(url: string, options: RedisOptions = {}): Redis {
  const redis = new Redis(url, { ...OPTIONS, ...options });
  // Emitted for each failed attempt; callers see their commands fail.
  redis.on('error', () => {});
  return redis;
}

/** Pings connections, so that dead ones without traffic of their own are noticed. Returns a function that stops it. */
export function watchRedis(connections: readonly Redis[], beat?: () => void): () => void {
  const timer = setInterval(() => {
    for (const redis of connections) if (redis.status === 'ready') redis.ping().catch(() => {});
    beat?.();
  }, BEAT);
  timer.unref();
  return () => clearInterval(timer);
}

/** Colyseus' presence, with connections that are pinged. */
export class WatchedPresence extends RedisPresence {
  readonly #stop: () => void;

  constructor(url: string) {
    super(connectRedis(url));
    this.#stop = watchRedis([this.pub as Redis, this.sub as Redis]);
  }

  override shutdown(): void {
    this.#stop();
    super.shutdown();
  }
}
