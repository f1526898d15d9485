import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const pkg = read('package.json');
const lock = read('package-lock.json');
const root = fileURLToPath(new URL('..', import.meta.url));

/** What npm says, without running a script or asking the network. */
const npm = (...args: string[]): string =>
  execFileSync('npm', [...args, '--ignore-scripts', '--offline'], { cwd: root, encoding: 'utf8', stdio: 'pipe' });

test('no dependencies but three, as a peer, and frameworks where they are used', () => {
  expect(pkg).not.toHaveProperty('dependencies');
  expect(pkg).not.toHaveProperty('optionalDependencies');
  const optional = Object.keys(pkg.peerDependenciesMeta);
  expect(Object.keys(pkg.peerDependencies).filter((name) => !optional.includes(name))).toEqual(['three']);
});

test('bundlers may drop what is not used', () => {
  expect(pkg.sideEffects).toBe(false);
});

test('installing runs no scripts', () => {
  const hooks = ['preinstall', 'install', 'postinstall', 'prepare'];
  expect(Object.keys(pkg.scripts).filter((name) => hooks.includes(name))).toEqual([]);
});

test('of each entry the types come first, as compilers take the first that fits', () => {
  const entries = Object.values(pkg.exports).filter((entry) => typeof entry !== 'string');
  expect(entries.length).toBeGreaterThan(1);
  for (const entry of entries) expect(Object.keys(entry as object)).toEqual(['types', 'default']);
});

test('only the build is published', () => {
  expect(pkg.files).toEqual(['dist']);
});

test('the package holds these files and no others', () => {
  const [{ files }] = JSON.parse(npm('pack', '--dry-run', '--json'));
  const paths: string[] = files.map(({ path }: { path: string }) => path);
  const own = ['LICENSE', 'README.md', 'package.json'];
  expect(paths.filter((path) => !path.startsWith('dist/')).sort()).toEqual(own);
  const built = paths.filter((path) => path.startsWith('dist/'));
  expect(built.filter((path) => !/\.(js|js\.map|d\.ts)$/.test(path))).toEqual([]);
  // Made by `npm run build`, which comes before the tests in `npm test`.
  if (!existsSync(`${root}/dist`)) return;
  const entries = Object.values<string | { types: string; default: string }>(pkg.exports).filter(
    (entry) => typeof entry !== 'string',
  );
  for (const { types, default: entry } of entries) {
    expect(built.map((path) => `./${path}`)).toEqual(expect.arrayContaining([types, entry]));
  }
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

test('the lock file agrees with the package, so that npm ci installs it without running scripts', () => {
  expect(() => npm('ci', '--dry-run', '--no-audit', '--no-fund')).not.toThrow();
});

describe.each(['package-lock.json', 'test/bench/package-lock.json', 'test/consumer/project/package-lock.json'])(
  'of what %s installs',
  (file) => {
    interface Entry {
      integrity?: string;
      resolved?: string;
      link?: boolean;
      hasInstallScript?: boolean;
    }
    const entries = Object.entries<Entry>(read(file).packages).filter(([path]) => path !== '');
    const those = (isSo: (entry: Entry) => boolean): string[] =>
      entries.filter(([, entry]) => isSo(entry)).map(([path]) => path);

    test('nothing runs a script', () => {
      expect(entries.length).toBeGreaterThan(5);
      expect(those((entry) => entry.hasInstallScript === true)).toEqual([]);
    });

    test('all has a checksum', () => {
      expect(those(({ integrity }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))).toEqual([]);
    });

    test('all comes from the registry', () => {
      expect(those((entry) => entry.link === true)).toEqual([]);
      const elsewhere = those(
        ({ resolved }) => !/^https:\/\/registry\.npmjs\.org\//.test(resolved ?? 'https://registry.npmjs.org/'),
      );
      expect(elsewhere).toEqual([]);
    });
  },
);

test('there is a way to report what is not safe', () => {
  expect(readFileSync(`${root}/SECURITY.md`, 'utf8')).toMatch(/report/i);
});
