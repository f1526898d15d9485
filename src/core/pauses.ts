/** Work in the pauses between pictures, in pieces, so that no picture comes late. */

/** Milliseconds of a pause that work may take. */
const SLICE = 4;

export class Pauses {
  #end = 0;
  #last = 0;

  /** Resolved when there is time for a piece of work: at once, while one as long as the last ends within this pause. */
  async next(): Promise<void> {
    const now = performance.now();
    const isDue = 2 * now - this.#last > this.#end;
    this.#last = now;
    if (!isDue) return;
    await pause();
    this.#last = performance.now();
    this.#end = this.#last + SLICE;
  }
}

/** Goes through steps in pauses; null if it is over. */
export async function inPauses<T>(steps: Iterator<void, T>, isOver: () => boolean): Promise<T | null> {
  const pauses = new Pauses();
  for (;;) {
    await pauses.next();
    if (isOver()) return null;
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Resolved in a pause between pictures; on a page that has none, some time later. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: 200 });
    else setTimeout(resolve, 16);
  });
}
