import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { Accelerated } from 'three-scene-index/react';
import { expect, test } from 'vitest';

test('renders on a server, where there is no window, what is below', () => {
  expect(typeof window).toBe('undefined');
  const page = createElement(Accelerated, { batch: true, structure: 'grid' }, createElement('p', null, 'below'));
  expect(renderToString(page)).toBe('<div style="display:contents"><p>below</p></div>');
});
