import { type BadValue, MINE } from './badValues.js';

/** How messages begin: who refuses, and as a rule what. */
const WORDS = /^[A-Za-z]\w*(\.\w+…?)*(\[\d+\])?: ./;

/** No message is longer, whatever it is about. */
const MOST = 250;

/** What was disposed is of the right type, only too late. */
const GONE = /: the index was disposed$/;

/**
 * Calls with the value, and notes what is wrong with the outcome: it may be taken, or refused by a TypeError or RangeError
 * that says who refuses in a few words, or what the value itself throws may come through.
 * @param isTool True where the runtime may be the one that refuses.
 * @returns whether it was refused.
 */
export function attempt(
  value: BadValue,
  call: (made: unknown) => unknown,
  problems: string[],
  isTool = false,
): boolean {
  try {
    call(value.make());
    return false;
  } catch (error) {
    const { message } = error as Error;
    if (message === MINE) return true;
    const isTyped = error instanceof TypeError || error instanceof RangeError || GONE.test(message);
    const isPlain = isTyped && message.length < MOST && (value.isUnspeakable || WORDS.test(message));
    if (!isTool && !isPlain) problems.push(`${value.label}: ${message.slice(0, MOST)}`);
    return true;
  }
}
