import { random } from '../world/random.js';
import { Bot, type Heard } from './Bot.js';

/** So many join at the same time. */
const AT_ONCE = 16;
/** Every so many milliseconds each takes another way. */
const WAY = 2000;

/** Bots in this process, each with a connection of its own. */
export class Bots {
  /** What all of them heard. */
  readonly heard: Heard = { positions: 0, state: 0, messages: 0, moves: 0 };
  readonly #all: Bot[] = [];
  readonly #timers: NodeJS.Timeout[] = [];

  get open(): number {
    return this.#all.filter((bot) => bot.isOpen).length;
  }

  /** Resolves when all have joined, each the next of some rooms. */
  async join(url: string, count: number, seed: number, rooms: readonly string[] = ['world']): Promise<void> {
    const next = random(seed);
    let left = count;
    const joinSome = async (): Promise<void> => {
      while (left-- > 0) this.#start(await Bot.join(url, rooms[left % rooms.length], this.heard), next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, joinSome));
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    for (const bot of this.#all) bot.close();
  }

  #start(bot: Bot, next: () => number): void {
    const turn = (): void => {
      if (!bot.isOpen) return;
      const angle = next() * 2 * Math.PI;
      bot.steer(Math.cos(angle), Math.sin(angle));
    };
    this.#all.push(bot);
    turn();
    this.#timers.push(setTimeout(() => this.#timers.push(setInterval(turn, WAY)), next() * WAY));
  }
}
