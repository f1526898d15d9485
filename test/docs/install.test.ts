import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DOCS } from './pages.js';

describe('what installs the docs', () => {
  interface Entry {
    integrity?: string;
    resolved?: string;
    link?: boolean;
    hasInstallScript?: boolean;
    optionalDependencies?: Record<string, string>;
  }
  const lock = JSON.parse(readFileSync(join(DOCS, 'package-lock.json'), 'utf8'));
  const entries = Object.entries<Entry>(lock.packages).filter(([path]) => path !== '');

  it('is exact', () => {
    const { dependencies } = JSON.parse(readFileSync(join(DOCS, 'package.json'), 'utf8'));
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('comes from the registry, with a checksum, for all platforms', () => {
    for (const [path, { integrity, resolved, link, optionalDependencies }] of entries) {
      expect(integrity, path).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
      expect(resolved ?? 'https://registry.npmjs.org/', path).toMatch(/^https:\/\/registry\.npmjs\.org\//);
      expect(link, path).toBeUndefined();
      for (const name of Object.keys(optionalDependencies ?? {})) {
        expect(
          entries.some(([other]) => other.endsWith(`node_modules/${name}`)),
          `${path}: ${name}`,
        ).toBe(true);
      }
    }
  });

  // esbuild has one, which only fetches a faster way to its program: that comes as a package. build.mjs runs none.
  it('runs no script but one that is not needed', () => {
    const scripts = entries.filter(([, entry]) => entry.hasInstallScript).map(([path]) => path);
    expect(scripts.filter((path) => path !== 'node_modules/esbuild' && path !== 'node_modules/fsevents')).toEqual([]);
    expect(readFileSync(join(DOCS, 'build.mjs'), 'utf8')).toMatch(/'ci', '--ignore-scripts'/);
  });
});
