import { Prospects } from '../../src/render/Prospects.js';
import { random } from './random.js';

/** Objects that an update follows while a scene wakes: so few that even small scenes take some updates. */
const SLICE = 5;

/**
 * Has scenes on standby wake and go to rest at random, not when it pays.
 * @returns what ends this.
 */
export function randomVerdicts(seed: number): () => void {
  const next = random(seed);
  const verdict = (): number | null => {
    const n = next();
    if (n < 0.15) return null;
    return n < 0.4 ? Number.POSITIVE_INFINITY : 0;
  };
  const { prototype } = Prospects;
  const before = Object.getOwnPropertyDescriptors(prototype);
  Object.defineProperties(prototype, {
    afterPicture: { configurable: true, writable: true, value: verdict },
    slice: { configurable: true, get: () => SLICE },
  });
  return () => {
    const { afterPicture, slice } = before;
    Object.defineProperties(prototype, { afterPicture, slice });
  };
}
