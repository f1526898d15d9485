import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  betweenFolders,
  betweenRooms,
  drawRooms,
  importCycles,
  namesIn,
  readImports,
  roomOf,
  type UpwardCall,
  wrongCalls,
} from './helpers/importGraph.js';

/** What may be imported from outside of a folder, and the rooms that may. */
const PARTS = [
  {
    folder: 'src',
    graph: readImports('src', (file) => !file.includes('assembly/')),
    outside: [
      [/^npm:three$/, /^(three|scene|instances|passes|batching|levels|render|explain|react|inspector)\b/],
      [/^npm:(react|@react-three\/fiber)$/, /^react$/],
    ],
  },
  {
    folder: 'demo',
    graph: readImports('demo', (file) => !/^(docs|examples|read|server)\//.test(file)),
    // Of the library the demo knows entries alone; `assets/` files are data.
    outside: [
      [/^src\/(index|standalone)\.ts$/, /^/],
      [/^npm:three$/, /^(?!ui\b)/],
      [/^npm:lil-gui$/, /^ui$/],
      [/^assets\//, /^worlds\/(model|town|cities|museum)$/],
    ],
  },
] as const;

/** Calls between rooms of src that no import shows, by functions that were handed over. */
const CALLS: readonly UpwardCall[] = [
  ['three', 'scene/follow', 'added', 'removed'],
  ['three', 'render', 'listFor'],
  ['scene/follow', 'render', 'onEntry', 'onForget'],
  ['scene', 'render', 'onDispose'],
  ['instances/table', 'instances', 'reach'],
  ['instances/drawn', 'instances', 'ask', 'failed'],
  ['instances', 'batching', 'levelsOf'],
  ['batching/levels', 'batching', 'take'],
  ['passes', 'render', 'begun', 'ended', 'leave', 'want', 'redraw'],
  ['passes', 'render/occlusion', 'mayHideIn', 'isHidden', 'explain'],
  ['passes', 'render/shadows', 'explain', 'report'],
];

describe.each(PARTS)('$folder', ({ graph, outside }) => {
  test('no import cycles of files, of rooms', () => {
    expect(graph.files.length).toBeGreaterThan(100);
    expect(importCycles(graph)).toEqual([]);
    expect(importCycles(betweenRooms(graph))).toEqual([]);
  });

  test('nothing is imported from outside but by who may', () => {
    const strangers = graph.files.flatMap((file) => {
      const isInside = (target: string) => graph.files.includes(target);
      const others = graph.imports.get(file)!.filter((target) => !isInside(target));
      const may = (to: string) => outside.some(([what, who]) => what.test(to) && who.test(roomOf(file)));
      return others.filter((target) => !may(roomOf(target))).map((target) => `${file} → ${target}`);
    });
    expect(strangers).toEqual([]);
  });
});

test('folders of the first level of src have an order, too', () => {
  expect(importCycles(betweenFolders(PARTS[0].graph))).toEqual([]);
});

test('the rooms of src import each other along the arrows of src/README.md, and along each of them', () => {
  const file = new URL('../src/README.md', import.meta.url);
  const text = readFileSync(file, 'utf8');
  const picture = drawRooms(PARTS[0].graph, CALLS);
  const drawn = text.replace(/(?<=<!-- rooms -->\n)[\s\S]*(?=<!-- \/rooms -->)/, () => `${picture}\n`);
  if (process.env.UPDATE_BASELINES) writeFileSync(file, drawn);
  else expect(text).toBe(drawn);
});

test('dotted arrows are calls without an import, by functions that the calling room declares', () => {
  const textOf = (file: string) => readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');
  expect(wrongCalls(PARTS[0].graph, CALLS, textOf)).toEqual([]);
  expect(wrongCalls(PARTS[0].graph, [['render', 'core', 'never']], textOf)).toHaveLength(2);
});

test('only src/three names private parts of three, or asks for its revision', () => {
  const src = new URL('../src/', import.meta.url);
  const { files } = PARTS[0].graph;
  const readers = files
    .filter((file) => roomOf(file) !== 'three')
    .flatMap((file) => {
      const text = readFileSync(new URL(file, src), 'utf8');
      return namesIn(file, text)
        .filter((name) => /^(_[a-zA-Z]\w*|REVISION)$/.test(name))
        .map((name) => `${file}: ${name}`);
    });
  expect(readers).toEqual([]);
  // Such names are found where they are.
  expect(namesIn('a.ts', readFileSync(new URL('three/batches.ts', src), 'utf8'))).toContain('_indirectTexture');
});
