import { Canvas } from '@react-three/fiber';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { Accelerated } from 'three-scene-index/react';
import { expect, test } from 'vitest';

test('renders on a server, where there is no window, nothing of the canvas', () => {
  expect(typeof window).toBe('undefined');
  const page = createElement(Canvas, null, createElement(Accelerated, { batch: true, structure: 'grid' }));
  expect(renderToString(page)).toMatch(/<canvas[^>]*><\/canvas>/);
});
