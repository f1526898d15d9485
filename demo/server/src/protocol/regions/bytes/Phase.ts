/** Steps of a region, as its messages name them: RUNNING, unless it was restored and is coming back. */
export const RUNNING = 0;
export const ANNOUNCING = 1;
export const CLAIMING = 2;
