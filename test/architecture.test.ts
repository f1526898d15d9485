import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { describe, expect, test } from 'vitest';

/**
 * What each room of src may import beside itself: a room is a folder, its subfolders are rooms of their own, and so is each
 * file directly in src. `npm:three` is the package. The order is that of the arrows: nothing imports what stands below it.
 */
const ALLOWED: Record<string, string[]> = {
  core: [],
  'core/lists': ['core'],
  'core/storage': ['core'],
  'core/shapes': ['core', 'core/storage'],
  wasm: [],
  query: ['core', 'core/lists', 'core/storage', 'core/shapes', 'wasm'],
  'query/join': ['core', 'core/lists', 'core/storage', 'query', 'wasm'],
  'structures/contract': ['core', 'core/lists', 'core/shapes', 'query'],
  'structures/build': ['core', 'core/storage'],
  'structures/tree': [
    'core',
    'core/lists',
    'core/storage',
    'core/shapes',
    'query',
    'structures/contract',
    'structures/build',
  ],
  'structures/list': ['core/storage', 'structures/build', 'structures/tree'],
  'structures/octree': ['core', 'core/storage', 'structures/build', 'structures/contract', 'structures/tree'],
  'structures/grid': ['core', 'core/storage', 'structures/build', 'structures/tree'],
  'structures/bvh': ['core', 'core/storage', 'structures/build', 'structures/tree'],
  structures: [
    'core',
    'core/lists',
    'core/storage',
    'core/shapes',
    'query/join',
    'structures/contract',
    'structures/tree',
    'structures/list',
    'structures/octree',
    'structures/grid',
    'structures/bvh',
  ],
  'standalone.ts': [
    'core/lists',
    'core/shapes',
    'query',
    'structures/contract',
    'structures/list',
    'structures/octree',
    'structures/grid',
    'structures/bvh',
    'structures',
  ],
  'three/objects': ['core', 'npm:three'],
  'three/bounds': ['three/objects', 'npm:three'],
  'three/follow': ['core', 'structures/contract', 'structures', 'three/objects', 'three/bounds', 'npm:three'],
  'three/cameras': [
    'core',
    'core/lists',
    'structures/contract',
    'three/objects',
    'three/bounds',
    'three/follow',
    'npm:three',
  ],
  'three/picking': ['three/objects', 'three/follow', 'npm:three'],
  'three/shadows': ['core/shapes', 'three/objects', 'three/follow', 'npm:three'],
  three: [
    'core',
    'core/lists',
    'core/shapes',
    'query',
    'structures/contract',
    'structures',
    'three/objects',
    'three/follow',
    'three/cameras',
    'three/picking',
    'npm:three',
  ],
  'three/accelerate': [
    'core',
    'three/objects',
    'three/follow',
    'three/cameras',
    'three/picking',
    'three/shadows',
    'three',
    'npm:three',
  ],
  'index.ts': ['standalone.ts', 'three/bounds', 'three/cameras', 'three/accelerate', 'three'],
};
/** A folder with more files than this has a room in it that was not built. */
const MOST_FILES = 15;

const src = new URL('../src/', import.meta.url);
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.includes('assembly/'));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

test('src holds sources', () => {
  expect(files).toContain('index.ts');
});

describe.each(files)('src/%s', (file) => {
  test('imports only what its room may', () => {
    const room = roomOf(file);
    expect(Object.keys(ALLOWED), `${room} is no known room`).toContain(room);
    const may = [room, ...ALLOWED[room]];
    const wrong = imports.get(file)!.filter((target) => !may.includes(roomOf(target)));
    expect(wrong, `${room} may import only from ${may.join(', ')}`).toEqual([]);
  });
});

test('what a room may import stands above it', () => {
  const order = ['npm:three', ...Object.keys(ALLOWED)];
  const upward = Object.entries(ALLOWED).flatMap(([room, others]) =>
    others.filter((other) => !(order.indexOf(other) < order.indexOf(room))).map((other) => `${room} → ${other}`),
  );
  expect(upward).toEqual([]);
});

test('every room that may be imported is', () => {
  const idle = Object.entries(ALLOWED).flatMap(([room, others]) => {
    const targets = files.filter((file) => roomOf(file) === room).flatMap((file) => imports.get(file)!.map(roomOf));
    return others.filter((other) => !targets.includes(other)).map((other) => `${room} → ${other}`);
  });
  expect(idle).toEqual([]);
});

test('no folder is crowded', () => {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
});

test('no import cycles', () => {
  expect(cycles()).toEqual([]);
});

/** All import targets, type-only ones too: relative ones as files of src, packages as `npm:name/path`. */
function importsOf(file: string): string[] {
  const targets: string[] = [];
  const note = (node: { source: unknown }) => {
    const name = (node.source as { value?: unknown } | null)?.value;
    if (typeof name !== 'string') return;
    targets.push(name.startsWith('.') ? posix.join(posix.dirname(file), name).replace(/\.js$/, '.ts') : `npm:${name}`);
  };
  const { program, errors } = parseSync(file, readFileSync(new URL(file, src), 'utf8'));
  if (errors.length > 0) throw new SyntaxError(`src/${file}: ${errors[0].message}`);
  new Visitor({
    ImportDeclaration: note,
    ExportNamedDeclaration: note,
    ExportAllDeclaration: note,
    ImportExpression: note,
    TSImportType: note,
  }).visit(program);
  return targets;
}

/** `core/shapes/Ray.ts` → `core/shapes`, `index.ts` → `index.ts`, `npm:three/addons/x.js` → `npm:three`. */
function roomOf(path: string): string {
  if (path.startsWith('npm:')) return path.split('/')[0];
  const room = posix.dirname(path);
  return room === '.' ? path : room;
}

/** One cycle for each import that closes one, written as `a.ts → b.ts → a.ts`. */
function cycles(): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string) => {
    const start = path.indexOf(file);
    if (start >= 0) found.push([...path.slice(start), file].join(' → '));
    if (start >= 0 || done.has(file)) return;
    path.push(file);
    for (const target of imports.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of files) visit(file);
  return found;
}
