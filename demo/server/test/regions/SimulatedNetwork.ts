/** How often a message is lost or doubled, and for how many rounds it may take, at most. */
export interface Faults {
  loss: number;
  doubling: number;
  delay: number;
}

export const NO_FAULTS: Faults = { loss: 0, doubling: 0, delay: 0 };

/** Messages between regions, each of which may be lost, doubled, late, and overtaken by others. */
export class SimulatedNetwork {
  faults: Faults;
  bytes = 0;
  messages = 0;
  readonly #next: () => number;
  #underWay: { to: number; bytes: Uint8Array; rounds: number }[] = [];

  constructor(faults: Faults, next: () => number) {
    this.faults = faults;
    this.#next = next;
  }

  send(to: number, bytes: Uint8Array): void {
    const { loss, doubling, delay } = this.faults;
    this.messages++;
    this.bytes += bytes.length;
    if (this.#next() < loss) return;
    for (let copies = this.#next() < doubling ? 2 : 1; copies > 0; copies--) {
      this.#underWay.push({ to, bytes, rounds: Math.floor(this.#next() * (delay + 1)) });
    }
  }

  /** Hands out what has arrived, in any order where there are delays. */
  deliver(take: (to: number, bytes: Uint8Array) => void): void {
    const arrived = this.#underWay.filter(({ rounds }) => rounds === 0);
    this.#underWay = this.#underWay.filter(({ rounds }) => rounds > 0);
    for (const message of this.#underWay) message.rounds--;
    for (const { to, bytes } of arrived) take(to, bytes);
  }
}
