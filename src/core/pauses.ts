/** Work in the pauses between pictures, in pieces, so that no picture comes late. */

/** Milliseconds that must pass after an edit before slow work on the edited data starts again. */
export const EDIT_REST_MS = 250;
/** Longest slice of work, in milliseconds. */
const SLICE = 3;

export class Pauses {
  #end = 0;
  #last = 0;
  #idleUntil = 0;

  /** Resolves when there is time for a piece of work; now if the slice has time for one as long as the last piece. */
  async next(): Promise<void> {
    const now = performance.now();
    const isDue = 2 * now - this.#last > this.#end;
    this.#last = now;
    if (!isDue) return;
    // A pause may have room for several slices; between slices the page gets its events.
    if (now + SLICE < this.#idleUntil) await new Promise((resolve) => setTimeout(resolve));
    else this.#idleUntil = await pause();
    this.#last = performance.now();
    this.#end = this.#last + SLICE;
  }
}

/** Runs an iterator to its end in pauses, which other work may share. Returns null once `isOver` returns true. */
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

/** Resolves in a pause between pictures, with the time at which the pause ends; without idle callbacks 16 ms later. */
export function pause(): Promise<number> {
  return new Promise((resolve) => {
    // A page's own substitute for `requestIdleCallback` may pass no deadline.
    const begin = (deadline?: IdleDeadline): void => resolve(performance.now() + (deadline?.timeRemaining() ?? 0));
    if (typeof requestIdleCallback === 'function') requestIdleCallback(begin, { timeout: 200 });
    else setTimeout(resolve, 16, 0);
  });
}
