import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { create, freePort, RegionProcess, startRedis } from './Processes.js';

/** Regions of one world in processes of their own, and a real Redis. */
export class Deployment {
  readonly regions: RegionProcess[] = [];
  readonly entities: number;
  readonly redisPort: number;
  redis: ChildProcess;
  readonly environment: Record<string, string>;
  readonly #ports: number[];

  private constructor(redis: ChildProcess, redisPort: number, ports: number[], environment: Record<string, string>) {
    this.redis = redis;
    this.redisPort = redisPort;
    this.#ports = ports;
    this.environment = environment;
    this.entities = Number(environment.ENTITIES);
  }

  /** Starts Redis and begins a world. */
  static async begin(regions: number, settings: Record<string, string> = {}): Promise<Deployment> {
    const redisPort = await freePort();
    const ports: number[] = [];
    for (let i = 0; i < regions; i++) ports.push(await freePort());
    const environment = {
      ...{ REDIS_URL: `redis://127.0.0.1:${redisPort}`, REGIONS: `${regions}`, LEASE: '2' },
      ...{ ENTITIES: '600', SIZE: '300', SPEED: '60', ...settings },
    };
    const deployment = new Deployment(await startRedis(redisPort), redisPort, ports, environment);
    const { status, text } = create(environment);
    if (status !== 0) throw new Error(text);
    return deployment;
  }

  /** Starts the process of a region, in place of the one before. */
  start(region: number, settings: Record<string, string> = {}, skew = 0): RegionProcess {
    const own = { PORT: `${this.#ports[region]}`, REGION: `${region}`, ...settings };
    this.regions[region] = new RegionProcess({ ...this.environment, ...own }, skew);
    return this.regions[region];
  }

  /** Starts all, and resolves when none waits for another. */
  async startAll(): Promise<void> {
    for (const region of this.#ports.keys()) this.start(region);
    await this.areBack();
  }

  async areBack(): Promise<void> {
    for (const region of this.regions) {
      await region.until(({ recovering, silent, deaf }) => [...recovering, ...silent, ...deaf].length === 0);
    }
  }

  /**
   * Entities that no region owns, or several, in each of some looks: one may be on its way, or on both sides of two questions,
   * once or twice.
   */
  async misplaced(looks = 60, isMisplaced = (owners: number): boolean => owners !== 1): Promise<number[]> {
    let misplaced = Array.from({ length: this.entities }, (_, entity) => entity);
    for (let i = 0; i < looks && misplaced.length > 0; i++) {
      const owners = new Map<number, number>();
      for (const region of this.regions) {
        for (const entity of await region.own()) owners.set(entity, (owners.get(entity) ?? 0) + 1);
      }
      misplaced = misplaced.filter((entity) => isMisplaced(owners.get(entity) ?? 0));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return misplaced;
  }

  async stopRedis(): Promise<void> {
    this.redis.kill('SIGCONT');
    this.redis.kill('SIGKILL');
    if (this.redis.exitCode === null && this.redis.signalCode === null) await once(this.redis, 'exit');
  }

  /** Starts it again, empty. */
  async restartRedis(): Promise<void> {
    this.redis = await startRedis(this.redisPort);
  }

  async end(): Promise<void> {
    await Promise.all(this.regions.map((region) => region.kill()));
    await this.stopRedis();
  }
}
