interface Dispatcher {
  dispatchEvent(event: never): void;
}

/** Events of one type to be fired: all of a list, or its first ones. */
export type Firing<Type extends string> = readonly [type: Type, events: readonly { type: Type }[], count?: number];

/** Fires the events of a tracker after its state is final, and keeps listeners from updating it meanwhile. */
export class TrackerEvents {
  isDisposed = false;
  #isFiring = false;
  readonly #where: string;

  constructor(where: string) {
    this.#where = where;
  }

  /** @throws Error when the tracker cannot be updated now. */
  checkUpdate(): void {
    if (this.isDisposed) throw new Error(`${this.#where}.update: the tracker was disposed`);
    if (this.#isFiring) throw new Error(`${this.#where}.update: must not be called by one of its own listeners`);
  }

  /**
   * Fires events one after the other. A listener that throws keeps no other event from being fired; what the first of
   * them threw is thrown at the end. Ends early when a listener disposes the tracker, which empties the lists.
   */
  fire<Type extends string>(tracker: Dispatcher, firings: readonly Firing<Type>[]): void {
    const failures: unknown[] = [];
    this.#isFiring = true;
    for (const [type, events, count = events.length] of firings) {
      for (let i = 0; i < count && i < events.length; i++) {
        const event = events[i];
        event.type = type;
        try {
          tracker.dispatchEvent(event as never);
        } catch (error) {
          failures.push(error);
        }
      }
    }
    this.#isFiring = false;
    if (failures.length > 0) throw failures[0];
  }
}
