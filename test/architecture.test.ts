import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { betweenRooms, drawRooms, importCycles, readImports, roomOf } from './helpers/importGraph.js';

// A room is a folder; its subfolders are rooms of their own, and so is each file directly in src.

const src = readImports('src', (file) => !file.includes('assembly/'));
const demo = readImports('demo', (file) => !/^(docs|examples|read|server)\//.test(file));

describe.each([
  { folder: 'src', graph: src, entry: 'index.ts' },
  { folder: 'demo', graph: demo, entry: 'main.ts' },
])('$folder', ({ graph, entry }) => {
  test('holds sources', () => {
    expect(graph.files).toContain(entry);
  });

  test('no file imports itself by way of others', () => {
    expect(importCycles(graph)).toEqual([]);
  });

  test('nor does a room: data flows one way', () => {
    expect(importCycles(betweenRooms(graph))).toEqual([]);
  });
});

test('nor does a folder of the first level of src', () => {
  expect(importCycles(betweenRooms(src, (path) => path.split('/')[0]))).toEqual([]);
});

/** What rooms may import beside each other, by parts of their names: all else of src does without any package. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  three: /^(scene|passes|instances|batching|render|explain|react)\b|^inspector\.ts$/,
  react: /^react$/,
  '@react-three/fiber': /^react$/,
};

test('packages are imported by the rooms that are about them', () => {
  const { files: rooms, imports } = betweenRooms(src);
  const outside = rooms.flatMap((room) => imports.get(room)!.flatMap((to) => (imports.has(to) ? [] : [[room, to]])));
  expect(outside.filter(([room, to]) => !PACKAGES[to.replace('npm:', '')]?.test(room))).toEqual([]);
  expect(new Set(outside.map(([, to]) => to.replace('npm:', '')))).toEqual(new Set(Object.keys(PACKAGES)));
});

test('the demo knows entries of the library, and packages that a page of its own would have', () => {
  const { imports } = betweenRooms(demo);
  const outside = [...imports.values()].flat().filter((to) => !imports.has(to) && !to.startsWith('assets/'));
  const entries = ['src/index.ts', 'src/standalone.ts', 'src/levels-worker.ts'];
  expect(new Set(outside)).toEqual(new Set([...entries, 'npm:three', 'npm:lil-gui']));
});

test('src/README.md shows the rooms as they are', () => {
  const file = new URL('../src/README.md', import.meta.url);
  const text = readFileSync(file, 'utf8');
  const drawn = text.replace(/(?<=<!-- rooms -->\n)[\s\S]*(?=<!-- \/rooms -->)/, () => `${drawRooms(src)}\n`);
  if (process.env.UPDATE_BASELINES) writeFileSync(file, drawn);
  else expect(text).toBe(drawn);
});

test('imports of a file are found in each of their forms, and cycles of any length', () => {
  const { imports } = readImports('test/helpers', (file) => file === 'importGraph.ts');
  expect(imports.get('importGraph.ts')).toEqual(['npm:node:fs', 'npm:node:path', 'npm:vite']);
  const graph = (...arrows: [string, string[]][]) => ({
    files: arrows.map(([file]) => file),
    imports: new Map(arrows),
  });
  expect(importCycles(graph(['a.ts', ['b.ts']], ['b.ts', ['c.ts']], ['c.ts', ['a.ts']]))).toEqual([
    'a.ts → b.ts → c.ts → a.ts',
  ]);
  expect(importCycles(graph(['a.ts', ['b.ts']], ['b.ts', []]))).toEqual([]);
  expect(['core/shapes/Ray.ts', 'index.ts', '../src/index.ts', 'npm:three/addons/x.js'].map(roomOf)).toEqual([
    ...['core/shapes', 'index.ts', 'src/index.ts', 'npm:three'],
  ]);
});
