import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { describe, expect, test } from 'vitest';

/** What each folder of src, and each file directly in it, may import. `npm:three` is the package. */
const ALLOWED: Record<string, string[]> = {
  core: ['core'],
  wasm: ['core', 'wasm'],
  query: ['core', 'query', 'wasm'],
  structures: ['core', 'query', 'structures'],
  three: ['core', 'query', 'structures', 'three', 'npm:three'],
  'core.ts': ['core', 'query', 'structures', 'wasm'],
  'index.ts': ['core', 'query', 'structures', 'three', 'core.ts', 'npm:three'],
};

const src = new URL('../src/', import.meta.url);
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.includes('assembly/'));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

test('src holds sources', () => {
  expect(files).toContain('index.ts');
});

describe.each(files)('src/%s', (file) => {
  test('imports only what its layer may', () => {
    const layer = layerOf(file);
    expect(Object.keys(ALLOWED), `${layer} is no known layer`).toContain(layer);
    const wrong = imports.get(file)!.filter((target) => !ALLOWED[layer].includes(layerOf(target)));
    expect(wrong, `${layer} may import only from ${ALLOWED[layer].join(', ')}`).toEqual([]);
  });
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

/** `structures/Octree.ts` → `structures`, `index.ts` → `index.ts`, `npm:three/addons/x.js` → `npm:three`. */
function layerOf(path: string): string {
  return path.split('/')[0];
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
