import { afterEach, expect } from 'vitest';
import { failures, watchFailures } from './helpers/failures.js';

// Whatever of ours fails in a picture is left to plain three, with a warning: a test that does not mean it would not notice.
watchFailures();
afterEach(() => expect(failures.splice(0)).toEqual([]));
