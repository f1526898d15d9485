import { REVISION } from 'three';
import { expect, it } from 'vitest';

it('is the three that accelerate names as the oldest', () => {
  expect(REVISION).toBe('186');
});
