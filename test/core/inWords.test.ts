import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inWords } from '../../src/core/options.js';
import * as core from '../../src/standalone.js';
import { BAD_VALUES } from '../helpers/badValues.js';

const fail = (): never => {
  throw new Error('asked for words');
};

it.each<[value: unknown, words: string]>([
  [undefined, 'undefined'],
  [null, 'null'],
  [-1.5, '-1.5'],
  ['abc', 'abc'],
  [Symbol('s'), 'Symbol(s)'],
  [7n, '7'],
  [2n ** 200n, 'a huge bigint'],
  [() => 1, 'a function'],
  [[], 'an array of 0'],
  [[1, 'b', Symbol('s')], '1,b,Symbol(s)'],
  [[1, {}], 'an array of 2'],
  [Object.assign([1, 2], { toString: fail, join: fail, [Symbol.iterator]: fail }), 'an object'],
  [new Array(9).fill(0), 'an array of 9'],
  [{}, '[object Object]'],
  [Object.create(null), '[object Object]'],
  [{ toString: fail }, '[object Object]'],
  [new core.IdList(), '[object IdList]'],
  [new Float64Array(2), '[object Float64Array]'],
  [core, '[object Module]'],
  [new Proxy({}, { get: fail }), 'an object'],
  ['x'.repeat(61), `${'x'.repeat(60)}…`],
])('words for a value, case %#', (value, words) => {
  expect(inWords(value)).toBe(words);
});

it('there are words for anything, and few', () => {
  for (const { label, make } of BAD_VALUES) expect(inWords(make()).length, label).toBeLessThan(70);
});

it('no other text is made of what a caller gives', () => {
  const src = new URL('../../src/', import.meta.url);
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(?!.*assembly).*\.ts$/.test(file),
  );
  const found = files.filter((file) => /\$\{String\(|map\(String\)/.test(readFileSync(new URL(file, src), 'utf8')));
  expect(found).toEqual([]);
});
