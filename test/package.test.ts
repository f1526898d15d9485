import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const pkg = read('package.json');
const lock = read('package-lock.json');

test('no dependencies but three, as a peer', () => {
  expect(pkg).not.toHaveProperty('dependencies');
  expect(pkg).not.toHaveProperty('optionalDependencies');
  expect(Object.keys(pkg.peerDependencies)).toEqual(['three']);
});

test('bundlers may drop what is not used', () => {
  expect(pkg.sideEffects).toBe(false);
});

test('installing runs no scripts', () => {
  const hooks = ['preinstall', 'install', 'postinstall', 'prepare'];
  expect(Object.keys(pkg.scripts).filter((name) => hooks.includes(name))).toEqual([]);
});

test('only the build and the change log are published', () => {
  expect(pkg.files).toEqual(['dist', 'CHANGELOG.md']);
});

test('development uses exact versions', () => {
  for (const [name, version] of Object.entries(pkg.devDependencies)) {
    expect(version, name).toMatch(/^(npm:three@)?\d+\.\d+\.\d+$/);
  }
});

// npm leaves out what the registry lacked when the lock was made; `npm ci` then fails on other platforms.
test('the lock file holds every optional dependency', () => {
  const entries = Object.keys(lock.packages);
  const missing = Object.values<{ optionalDependencies?: Record<string, string> }>(lock.packages)
    .flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
    .filter((name) => !entries.some((path) => path.endsWith(`node_modules/${name}`)));
  expect(missing).toEqual([]);
});
