import { Redis } from 'ioredis';
import type { Region } from '../protocol/regions/index.js';

/** Every so many ticks a region is saved. */
const SAVE = 40;
/** Messages that wait for a tick, or for Redis to take them; what is older is of no use once newer ones are there. */
const MOST_WAITING = 64;

/**
 * What regions in other processes say, over Redis: their messages as they are, and a snapshot of this one. While Redis is
 * gone nothing is queued: regions do without each other until it is back.
 */
export class RegionLink {
  readonly #publisher: Redis;
  readonly #subscriber: Redis;
  readonly #world: string;
  readonly #region: number;
  #inbox: Uint8Array[] = [];
  /** Messages that Redis has not taken yet. */
  #unanswered = 0;
  #isSaving = false;

  private constructor(publisher: Redis, subscriber: Redis, world: string, region: number) {
    this.#publisher = publisher;
    this.#subscriber = subscriber;
    this.#world = world;
    this.#region = region;
    subscriber.on('messageBuffer', (_: Buffer, bytes: Buffer) => {
      if (this.#inbox.length >= MOST_WAITING) this.#inbox.shift();
      // The bytes of a message begin where numbers can be read.
      this.#inbox.push(Uint8Array.from(bytes));
    });
  }

  /** Connects, and reads what was saved of the region, if anything was. */
  static async open(url: string, world: string, region: number): Promise<{ link: RegionLink; snapshot?: Uint8Array }> {
    const options = { enableOfflineQueue: false, maxRetriesPerRequest: 1, retryStrategy: () => 250, lazyConnect: true };
    const publisher = new Redis(url, options);
    const subscriber = new Redis(url, { ...options, enableReadyCheck: false });
    for (const redis of [publisher, subscriber]) redis.on('error', () => {});
    await Promise.all([publisher.connect(), subscriber.connect()]);
    const link = new RegionLink(publisher, subscriber, world, region);
    await subscriber.subscribe(link.#channel(region));
    const snapshot = await publisher.getBuffer(link.#key);
    return snapshot === null ? { link } : { link, snapshot: Uint8Array.from(snapshot) };
  }

  /** What has come since the last tick. */
  take(): Uint8Array[] {
    const inbox = this.#inbox;
    this.#inbox = [];
    return inbox;
  }

  /** Sends what a region has to say in this tick, and saves it from time to time, or when another one waits for that. */
  give(region: Region): void {
    if (this.#publisher.status !== 'ready' || this.#unanswered >= MOST_WAITING) return;
    for (const to of region.recipients) this.#send(to, region.export(to));
    // Also while it recovers: regions that were restarted together wait for each other's snapshots.
    if ((region.ticks % SAVE === 0 || region.isSnapshotWanted) && !this.#isSaving) this.#save(region);
  }

  close(): void {
    this.#publisher.disconnect();
    this.#subscriber.disconnect();
  }

  #send(to: number, bytes: Uint8Array): void {
    this.#unanswered++;
    this.#publisher
      .publish(this.#channel(to), Buffer.from(bytes))
      .catch(() => {})
      .finally(() => {
        this.#unanswered--;
      });
  }

  #save(region: Region): void {
    const snapshot = region.snapshot();
    this.#isSaving = true;
    this.#publisher
      .set(this.#key, Buffer.from(snapshot))
      .then(() => region.stored(snapshot))
      // The next one may come through.
      .catch(() => {})
      .finally(() => {
        this.#isSaving = false;
      });
  }

  get #key(): string {
    return `${this.#world}:snapshot:${this.#region}`;
  }

  #channel(region: number): string {
    return `${this.#world}:region:${region}`;
  }
}
