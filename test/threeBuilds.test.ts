import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'vite';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const visit = (path: string, visitor: ConstructorParameters<typeof Visitor>[0]): void =>
  new Visitor(visitor).visit(parseSync(path, read(path)).program);

/** Names that the sources import from three as values, and files that import all of it. */
function importsOfThree(): { names: Set<string>; whole: string[] } {
  const names = new Set<string>();
  const whole: string[] = [];
  const files = readdirSync(new URL('../src/', import.meta.url), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((file) => /\.tsx?$/.test(file) && !file.includes('assembly'))) {
    visit(`src/${file}`, {
      ImportDeclaration({ source, importKind, specifiers }) {
        if (source.value !== 'three' || importKind === 'type') return;
        for (const one of specifiers) {
          if (one.type !== 'ImportSpecifier') whole.push(file);
          else if (one.importKind !== 'type')
            names.add('name' in one.imported ? one.imported.name : one.imported.value);
        }
      },
    });
  }
  return { names, whole };
}

const { names, whole } = importsOfThree();

function exportsOf(path: string): Set<string> {
  const names = new Set<string>();
  visit(path, {
    ExportNamedDeclaration({ specifiers }) {
      for (const { exported } of specifiers) names.add('name' in exported ? exported.name : exported.value);
    },
  });
  return names;
}

const BUILDS = ['three', 'three-186', 'three-168'].flatMap((version) =>
  ['module', 'webgpu', 'webgpu.nodes'].map((build) => `node_modules/${version}/build/three.${build}.js`),
);

it.each(BUILDS.filter((path) => existsSync(path)))('all that the sources import by name is in %s', (path) => {
  const exported = exportsOf(path);
  expect(exported.has('WebGLRenderer')).toBe(path.endsWith('.module.js'));
  expect(names.size).toBeGreaterThan(50);
  expect([...names].filter((name) => !exported.has(name))).toEqual([]);
  // Names that some builds lack are read as properties there.
  expect(whole).toEqual(['three/shaders.ts']);
});
