import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { DOCS } from './pages.js';

const read = (name: string): string => readFileSync(resolve(DOCS, name), 'utf8');
const readme = read('../../README.md');

it.each([
  ['`accelerate`', /under (\d+) kB gzipped/],
  ['the core with one structure', /under (\d+) for the core alone/],
])('the first page is right about the size of %s', (what, sentence) => {
  const size = Number(readme.split(`| ${what} | `)[1].split(' kB')[0]);
  const most = Number(sentence.exec(read('index.md'))?.[1]);
  expect(size).toBeLessThan(most);
  expect(size).toBeGreaterThan(most / 2);
});
