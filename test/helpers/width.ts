/** Whether this run is of full width, as `npm run test:all` is; `npm test` keeps the core of each suite. */
export const isFull = process.env.FULL === '1';

/** What is for runs of full width, or what is for quick ones. */
export const atWidth = <T>(full: T, quick: T): T => (isFull ? full : quick);

/** The seeds from 1 on: as many in a run of full width, or fewer in a quick one, if it has the test. */
export const seeds = (full: number, quick = full): number[] =>
  Array.from({ length: atWidth(full, quick) }, (_, i) => i + 1);
