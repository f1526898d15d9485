import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { counted, number } from '../../demo/ui/parts/format.js';

it('writes numbers with separators, and one thing in the singular', () => {
  expect([number(1190.07, 2), number(1190.07), number(0.5, 1)]).toEqual(['1,190.07', '1,190', '0.5']);
  expect([0, 1, 2, 1000].map((count) => counted(count, 'draw call'))).toEqual([
    '0 draw calls',
    '1 draw call',
    '2 draw calls',
    '1,000 draw calls',
  ]);
});

it('is how all parts of the demo write numbers', () => {
  const demo = join(import.meta.dirname, '../../demo');
  const folders = ['control', 'measure', 'page', 'ui', 'views', 'worlds'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(demo, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(demo, folder, name)),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => /toFixed|toLocaleString/.test(readFileSync(file, 'utf8')))).toEqual([]);
});
