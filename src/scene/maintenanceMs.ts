/** Milliseconds that maintenance takes by default: a good measure for each frame. */
export const MAINTENANCE_MS = 0.5;
