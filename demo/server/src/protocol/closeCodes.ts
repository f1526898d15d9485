// Why a room closed a connection.

/** Its player has crossed the border: the reason is the room to join. */
export const MOVED = 4301;
export const BAD_MESSAGE = 4400;
/** It did not read, or never confirmed that it joined. */
export const TOO_SLOW = 4408;
/** Somebody came with the ticket of the same player. */
export const REPLACED = 4409;
