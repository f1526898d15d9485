/**
 * Looks, and the stamps of what they find.
 *
 * Nobody tells when a geometry, a material or a matrix of instances changes: each is compared with what is known of it. A
 * look is a time within which that is done once, however many ask: an update, or the passes of a render. Between looks, as
 * while a page's own code runs, each question compares anew, so no edit is missed.
 *
 * Each change that a look finds gets a stamp. Whoever makes something of a fact keeps the stamp of the fact, and makes it
 * anew where the stamp is another. So no answer is taken from another who asks.
 */

/** The present look; 0 for none. */
export let look = 0;

let looks = 0;
let stamps = 0;

/** The number of a new look, for {@link resumeLook}. */
export function nextLook(): number {
  return ++looks;
}

/** Goes on with a look; returns the one before, with which to go on afterwards. */
export function resumeLook(number: number): number {
  const before = look;
  look = number;
  return before;
}

/** True for what was compared in this look already. */
export function isLookedAt(lookedIn: number): boolean {
  return look !== 0 && lookedIn === look;
}

/** The stamp of a change: higher than that of any change before. */
export function takeStamp(): number {
  return ++stamps;
}
