/** World units of one step of a coordinate on the wire; a power of two, so that steps are exact. */
export const STEP = 1 / 128;
/** Of the steps of positions 16 bits are sent: this is how far from the observer they tell. */
export const MOST_STEPS = 32_767;
export const FARTHEST = MOST_STEPS * STEP;

/** How many entities a client sees at most, the nearest. */
export const MOST_SEEN = 255;
/** Ids have up to 31 bits; 16 on the wire where there are no larger ones. */
export const MOST_ID = 2 ** 31 - 1;
export const MOST_SHORT_ID = 2 ** 16 - 1;

/**
 * No view message is longer. In it are a header of 24 bytes, up to `MOST_SEEN` ids of 4 bytes that have left, and up to as many
 * that have entered or moved, of 10 bytes at most: 24 + 255 * 14 = 3,594.
 */
export const MOST_VIEW_BYTES = 4096;

/** What a client sends is no longer, all its framing included: the transport closes whoever sends more. */
export const MOST_INPUT_BYTES = 64;

/** Types of messages, as Colyseus has them. */
export const VIEW = 1;
export const STEER = 2;
export const TICKET = 3;
