/** Work in the pauses between pictures, in pieces, so that no picture comes late. */

/** Milliseconds for which what was edited has to rest before slow work is done with it again. */
export const REST = 250;
/** Milliseconds that work may take at once. */
const SLICE = 3;

export class Pauses {
  #end = 0;
  #last = 0;
  #idleUntil = 0;

  /** Resolved when there is time for a piece of work: at once, while one as long as the last ends within this slice. */
  async next(): Promise<void> {
    const now = performance.now();
    const isDue = 2 * now - this.#last > this.#end;
    this.#last = now;
    if (!isDue) return;
    // A pause may have room for several slices, between which a page gets its events.
    if (now + SLICE < this.#idleUntil) await new Promise((resolve) => setTimeout(resolve));
    else this.#idleUntil = await pause();
    this.#last = performance.now();
    this.#end = this.#last + SLICE;
  }
}

/** Goes through steps in pauses, which may be shared with other work; null if it is over. */
export async function inPauses<T>(
  steps: Iterator<void, T>,
  isOver: () => boolean,
  pauses: Pauses = new Pauses(),
): Promise<T | null> {
  for (;;) {
    await pauses.next();
    if (isOver()) return null;
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Resolved in a pause between pictures, with the time by which it ends; on a page that has none, some time later. */
export function pause(): Promise<number> {
  return new Promise((resolve) => {
    // Pages that have a substitute of their own may tell no deadline.
    const begin = (deadline?: IdleDeadline): void => resolve(performance.now() + (deadline?.timeRemaining() ?? 0));
    if (typeof requestIdleCallback === 'function') requestIdleCallback(begin, { timeout: 200 });
    else setTimeout(resolve, 16, 0);
  });
}
