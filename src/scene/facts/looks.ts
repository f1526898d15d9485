/**
 * Looks, and the stamps of the changes that they find.
 *
 * No event tells when a geometry, a material or a matrix of instances changes: each is compared with its known facts. A
 * look is a time within which each of them is compared once, however many callers ask: an update, or the passes of a
 * render. Between looks, as while a page's own code runs, each call compares anew, so no edit is missed.
 *
 * Each change that a look finds gets a stamp. Code that derives something from a fact keeps the stamp of the fact, and
 * derives it again once the stamp differs. So each caller notices every change, whoever asked before.
 */

/** The present look; 0 for none. */
export let look = 0;

let looks = 0;
let stamps = 0;

/** Returns the number of a new look, for {@link resumeLook}. */
export function nextLook(): number {
  return ++looks;
}

/** Resumes a look; returns the previous look, to be resumed afterwards. */
export function resumeLook(number: number): number {
  const before = look;
  look = number;
  return before;
}

/** True for a fact that was compared in the present look already. */
export function isLookedAt(lookedIn: number): boolean {
  return look !== 0 && lookedIn === look;
}

/** Returns the stamp of a new change: higher than all earlier stamps. */
export function takeStamp(): number {
  return ++stamps;
}
