import { PerspectiveCamera } from 'three';
import { expect, it } from 'vitest';
import { VisibilityTracker } from '../../src/index.js';
import { bytesPerCall } from '../helpers/garbage.js';
import { indexOf } from '../helpers/indexed.js';
import { random } from '../helpers/random.js';
import { boxMesh } from '../helpers/scene.js';

it('a visibility tracker allocates nothing for the objects in view while nothing changes', () => {
  const next = random(1);
  const strewn = (): number => next() * 40 - 20;
  const index = indexOf(...Array.from({ length: 500 }, () => boxMesh(strewn(), strewn(), strewn() - 40)));
  const tracker = new VisibilityTracker(index, new PerspectiveCamera(90, 1, 0.1, 100));
  tracker.update();
  expect(tracker.visible.length).toBeGreaterThan(300);
  // The smallest thing, a number, takes 12 bytes or more; three's reading of a frustum makes some of them.
  const most = 8 * tracker.visible.length;
  expect(bytesPerCall(() => tracker.update(), 500, 3000, most)).toBeLessThan(most);
});
