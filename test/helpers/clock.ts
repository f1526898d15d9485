import { afterEach, beforeEach } from 'vitest';

/** Has the clock go on by so many milliseconds whenever somebody looks at it. */
export function setClock(step: number): void {
  let time = 0;
  performance.now = () => {
    time += step;
    return time;
  };
}

/** Has no time pass in the tests of a file: what is done for some milliseconds in each update is all done at once. */
export function stopClock(): void {
  beforeEach(() => setClock(0));
  // The method of its class is left.
  afterEach(() => void Reflect.deleteProperty(performance, 'now'));
}
