import type { Region } from '../protocol/regions/index.js';
import { connectRedis, watchRedis } from './redisConnections.js';
import { DONE, defineScripts, keysOf, REPLACED, type RegionRedis } from './scripts.js';

/** Every so many ticks a region is saved. */
const SAVE = 40;
/** How many messages wait for a tick, and how many ticks for Redis. Newer messages replace older ones. */
const MOST_WAITING = 64;
/** How long a region stays with a process that no longer renews its lease, in milliseconds. */
const LEASE = 5000;
/** How often a waiting process checks whether the region is free, in milliseconds. */
const RETRY = 200;

/** What was stored of a region when it was claimed. */
export interface SavedRegion {
  /** The incarnation of the region that begins with it. */
  readonly token: number;
  readonly snapshot: Uint8Array;
  /** What was given away since then. */
  readonly log: readonly Uint8Array[];
}

export interface ClaimOptions {
  /** See LEASE. */
  lease?: number;
  /** Called if another process runs the region, once: the claim goes on when that ends. */
  waits?: () => void;
}

/**
 * The connection of a region to Redis. Only one process holds a region at a time. Each tick is one atomic script: it stores
 * what the region gave away and publishes its messages, unless a later process has claimed the region. While Redis is
 * unreachable nothing is queued; when it is back, the region is saved before any message is sent.
 */
export class RegionLink {
  readonly saved: SavedRegion;
  /** True once another process has claimed the region: nothing that this one writes counts any more. */
  isReplaced = false;
  readonly #publisher: RegionRedis;
  readonly #subscriber: RegionRedis;
  readonly #world: string;
  readonly #keys: [string, string, string];
  readonly #stopWatching: () => void;
  #inbox: Uint8Array[] = [];
  /** The number of the last tick that was sent, and how many of these Redis has not answered. */
  #tick = 0;
  #unanswered = 0;
  /** Something may not have been stored: the next tick must include a snapshot. */
  #isBehind = false;
  #isSaving = false;

  private constructor(redis: RegionRedis[], world: string, region: number, saved: SavedRegion, lease: number) {
    [this.#publisher, this.#subscriber] = redis;
    this.#world = world;
    this.#keys = keysOf(world, region);
    this.saved = saved;
    this.#subscriber.on('messageBuffer', (_: Buffer, bytes: Buffer) => {
      if (this.#inbox.length >= MOST_WAITING) this.#inbox.shift();
      // The bytes of a message begin where numbers can be read.
      this.#inbox.push(Uint8Array.from(bytes));
    });
    this.#stopWatching = watchRedis([this.#subscriber], () => this.#renew(lease));
  }

  /**
   * Claims a region, after waiting until no other process runs it.
   * @throws Error if Redis cannot be reached, or has no snapshot of the region: a restart never creates a world.
   */
  static async claim(url: string, world: string, region: number, options: ClaimOptions = {}): Promise<RegionLink> {
    const { lease = LEASE, waits } = options;
    // Failed commands are not sent again: the ticks after them would be refused, and a snapshot replaces them all.
    const once = { autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0 };
    const safe = { ...once, enableOfflineQueue: false, lazyConnect: true };
    const publisher = defineScripts(connectRedis(url, safe));
    const subscriber = defineScripts(connectRedis(url, { ...safe, enableReadyCheck: false }));
    try {
      await Promise.all([publisher.connect(), subscriber.connect()]);
      let isToldOf = false;
      for (;;) {
        const answer = await publisher.claimRegionBuffer(...keysOf(world, region), lease);
        if (answer[0] === 1) {
          const [, token, snapshot, log] = answer;
          const saved = { token: Number(token), snapshot: aligned(snapshot), log: log.map(aligned) };
          await subscriber.subscribe(channelOf(world, region));
          return new RegionLink([publisher, subscriber], world, region, saved, lease);
        }
        if (answer[0] === -1) {
          throw new Error(
            `RegionLink: Redis has no snapshot of region ${region}. For a new world run \`npm run create\`. If there was one, restore Redis from its backup.`,
          );
        }
        if (!isToldOf) waits?.();
        isToldOf = true;
        await new Promise((resolve) => setTimeout(resolve, RETRY));
      }
    } catch (error) {
      publisher.disconnect();
      subscriber.disconnect();
      throw error;
    }
  }

  /** What has come since the last tick. */
  take(): Uint8Array[] {
    const inbox = this.#inbox;
    this.#inbox = [];
    return inbox;
  }

  /** Sends what a region has to say in this tick, and saves it from time to time, or when another one waits for that. */
  give(region: Region): void {
    const { log } = region;
    if (this.#publisher.status !== 'ready' || this.#unanswered >= MOST_WAITING || (this.#isBehind && this.#isSaving)) {
      if (log !== null) this.#isBehind = true;
      return;
    }
    // Also while it recovers: regions that were restarted together wait for each other's snapshots.
    const isDue = (region.ticks % SAVE === 0 || region.isSnapshotWanted) && !this.#isSaving;
    const messages = region.recipients.flatMap((to) => [channelOf(this.#world, to), Buffer.from(region.export(to))]);
    void this.#commit(region, this.#isBehind || isDue, log, messages);
  }

  /** Saves a region that has stopped; resolves with whether the snapshot is stored. */
  async save(region: Region): Promise<boolean> {
    return this.#commit(region, true, null, []);
  }

  /** Releases the region, so that another process need not wait for the lease to expire. */
  async release(): Promise<void> {
    await this.#publisher.releaseRegion(...this.#keys, this.saved.token).catch(() => {});
  }

  close(): void {
    this.#stopWatching();
    this.#publisher.disconnect();
    this.#subscriber.disconnect();
  }

  async #commit(region: Region, saves: boolean, log: Uint8Array | null, messages: (string | Buffer)[]) {
    const snapshot = saves ? region.snapshot() : null;
    // A snapshot has what the log would say.
    const stored = [snapshot, saves ? null : log].map((bytes) => (bytes === null ? '' : Buffer.from(bytes)));
    this.#unanswered++;
    this.#isSaving ||= saves;
    if (saves) this.#isBehind = false;
    const answer = await this.#publisher
      .commitRegion(...this.#keys, this.saved.token, ++this.#tick, ...stored, ...messages)
      .catch(() => null);
    this.#unanswered--;
    if (saves) this.#isSaving = false;
    if (answer === REPLACED) this.isReplaced = true;
    else if (answer !== DONE) this.#isBehind = true;
    else if (snapshot !== null) region.stored(snapshot);
    return answer === DONE;
  }

  #renew(lease: number): void {
    if (this.#publisher.status !== 'ready') return;
    this.#publisher.renewRegion(...this.#keys, this.saved.token, lease).then(
      (answer) => {
        if (answer === REPLACED) this.isReplaced = true;
      },
      () => {},
    );
  }
}

function channelOf(world: string, region: number): string {
  return `${world}:region:${region}`;
}

/** A copy that begins where numbers can be read. */
function aligned(bytes: Buffer): Uint8Array {
  return Uint8Array.from(bytes);
}
