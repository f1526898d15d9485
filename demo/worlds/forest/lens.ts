/** Nearer than this nothing is drawn, in metres. */
export const NEAR = 0.5;
