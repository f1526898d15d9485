import { RedisPresence } from '@colyseus/redis-presence';
import { Redis, type RedisOptions } from 'ioredis';

/** Each connection is asked for a sign of life this often, in milliseconds. */
const BEAT = 1000;
/** A connection on which a command is not answered for so long is dead, whatever the system says of it: it is opened anew. */
const DEAD_AFTER = 3000;

const OPTIONS: RedisOptions = { connectTimeout: DEAD_AFTER, socketTimeout: DEAD_AFTER, retryStrategy: () => 250 };

/** A connection that is opened again and again. */
export function connectRedis(url: string, options: RedisOptions = {}): Redis {
  const redis = new Redis(url, { ...OPTIONS, ...options });
  // It says so each time that it cannot connect; whoever uses it sees that its commands fail.
  redis.on('error', () => {});
  return redis;
}

/** Lets dead connections be found by pings: else one without traffic of its own would remain dead. Returns what stops them. */
export function watchRedis(connections: readonly Redis[], beat?: () => void): () => void {
  const timer = setInterval(() => {
    for (const redis of connections) if (redis.status === 'ready') redis.ping().catch(() => {});
    beat?.();
  }, BEAT);
  timer.unref();
  return () => clearInterval(timer);
}

/** Colyseus' presence, whose connections are watched. */
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
