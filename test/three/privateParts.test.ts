import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { namesIn } from '../helpers/importGraph.js';

const OURS = new URL('../../src/three/', import.meta.url);
const THREE = new URL('../../node_modules/three/', import.meta.url);

/** Parts that only older revisions have, which are supported, too. */
const OLD: readonly string[] = [];

/** The texts of all files in a folder whose names match. */
function textsIn(folder: URL, pattern: RegExp): [file: string, text: string][] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => pattern.test(file));
  return files.map((file) => [file, readFileSync(new URL(file, folder), 'utf8')]);
}

it('each private part of three that src/three names is in the newest three', () => {
  const sources = [
    ...textsIn(new URL('src/', THREE), /\.js$/),
    ...textsIn(new URL('examples/jsm/', THREE), /\bOutline(Node|Pass)\.js$/),
  ];
  const there = new Set(sources.flatMap(([, text]) => text.match(/\b_\w+/g) ?? []));
  const named = textsIn(OURS, /\.ts$/).flatMap(([file, text]) =>
    namesIn(file, text)
      .filter((name) => /^_[a-zA-Z]\w*$/.test(name))
      .map((name) => ({ file, name })),
  );
  expect(named.length).toBeGreaterThan(30);
  const gone = named
    .filter(({ name }) => !there.has(name) && !OLD.includes(name))
    .map(({ file, name }) => `${file}: ${name}`);
  expect(gone, 'see "When a private part is gone" in CONTRIBUTING.md').toEqual([]);
});
