import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { addressOf, withAbsoluteLinks, withAddresses } from '../assets/scripts/prepare-package.mjs';

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const pkg = read('package.json');
const root = fileURLToPath(new URL('..', import.meta.url));

test('no dependencies but three, as a peer, and frameworks where they are used', () => {
  expect(pkg).not.toHaveProperty('dependencies');
  expect(pkg).not.toHaveProperty('optionalDependencies');
  const optional = Object.keys(pkg.peerDependenciesMeta);
  expect(Object.keys(pkg.peerDependencies).filter((name) => !optional.includes(name))).toEqual(['three']);
});

test('bundlers may drop what is not used, only the build is published, and installing runs no scripts', () => {
  expect([pkg.sideEffects, pkg.files]).toEqual([false, ['dist']]);
  const hooks = ['preinstall', 'install', 'postinstall', 'prepare'];
  expect(Object.keys(pkg.scripts).filter((name) => hooks.includes(name))).toEqual([]);
});

const entries = Object.values<string | { types: string; default: string }>(pkg.exports).filter(
  (entry) => typeof entry !== 'string',
);

test('of each entry the types come first, as compilers take the first that fits', () => {
  expect(entries.length).toBeGreaterThan(1);
  for (const entry of entries) expect(Object.keys(entry)).toEqual(['types', 'default']);
});

test('the package holds these files and no others', () => {
  const pack = ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'];
  const [{ files }] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8', stdio: 'pipe' }));
  const paths: string[] = files.map(({ path }: { path: string }) => path);
  const own = ['LICENSE', 'README.md', 'package.json'];
  expect(paths.filter((path) => !path.startsWith('dist/')).sort()).toEqual(own);
  const built = paths.filter((path) => path.startsWith('dist/'));
  expect(built.filter((path) => !/\.(js|js\.map|d\.ts)$/.test(path))).toEqual([]);
  // Made by `npm run build`, which comes before the tests in `npm test`.
  if (!existsSync(`${root}/dist`)) return;
  for (const { types, default: entry } of entries) {
    expect(built.map((path) => `./${path}`)).toEqual(expect.arrayContaining([types, entry]));
  }
});

interface Entry {
  integrity?: string;
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  optionalDependencies?: Record<string, string>;
}

/** Folders of packages that are installed, and which of these may have scripts: those of esbuild only fetch a faster way to it. */
describe.each<[folder: string, scripts: string[]]>([
  ['', []],
  ['test/bench/', []],
  ['test/consumer/project/', []],
  ['demo/docs/', ['node_modules/esbuild', 'node_modules/fsevents']],
])('what is installed in /%s', (folder, scripts) => {
  const entries = Object.entries<Entry>(read(`${folder}package-lock.json`).packages).filter(([path]) => path !== '');

  test('comes from the registry with a checksum, and runs no script', () => {
    expect(entries.length).toBeGreaterThan(5);
    const wrong = entries.filter(([path, { integrity = '', resolved = '', link, hasInstallScript }]) => {
      const isOdd =
        !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) || !/^($|https:\/\/registry\.npmjs\.org\/)/.test(resolved);
      return isOdd || link || (hasInstallScript && !scripts.includes(path));
    });
    expect(wrong).toEqual([]);
  });

  // npm leaves out what the registry lacked when the lock was made; `npm ci` then fails on other platforms.
  test('is complete for all platforms', () => {
    const wanted = entries.flatMap(([, entry]) => Object.keys(entry.optionalDependencies ?? {}));
    expect(wanted.filter((name) => !entries.some(([path]) => path.endsWith(`node_modules/${name}`)))).toEqual([]);
  });
});

test('development uses exact versions, and docs are built without scripts', () => {
  for (const [name, version] of Object.entries({
    ...pkg.devDependencies,
    ...read('demo/docs/package.json').dependencies,
  })) {
    expect(version, name).toMatch(/^(npm:three@)?\d+\.\d+\.\d+$/);
  }
  expect(readFileSync(`${root}/demo/docs/build.mjs`, 'utf8')).toMatch(/'ci', '--ignore-scripts'/);
});

test('there is a way to report what is not safe', () => {
  expect(readFileSync(`${root}/SECURITY.md`, 'utf8')).toMatch(/report/i);
});

const AT = 'https://example.org/a/b';

describe('the address of a repository', () => {
  test.each([
    [undefined, null],
    ['', null],
    [{}, null],
    ['owner/name', 'https://github.com/owner/name'],
    ['github:owner/name', 'https://github.com/owner/name'],
    ['gitlab:owner/name', 'https://gitlab.com/owner/name'],
    ['https://github.com/owner/name', 'https://github.com/owner/name'],
    ['https://github.com/owner/name.git/', 'https://github.com/owner/name'],
    ['git+https://github.com/owner/name.git', 'https://github.com/owner/name'],
    ['git://github.com/owner/name.git', 'https://github.com/owner/name'],
    ['git@github.com:owner/name.git', 'https://github.com/owner/name'],
    ['git+ssh://git@github.com/owner/name.git', 'https://github.com/owner/name'],
    ['https://git.example.org:8443/group/sub/name.js.git', 'https://git.example.org:8443/group/sub/name.js'],
    [{ type: 'git', url: 'git+https://github.com/owner/name.git' }, 'https://github.com/owner/name'],
  ])('of %j is %j', (repository, address) => {
    expect(addressOf(repository)).toBe(address);
  });

  test('is not made of what is none', () => {
    expect(() => addressOf('soon')).toThrow('prepack: "soon" is not the address of a repository');
  });
});

describe('package.json when it is packed', () => {
  test('has all addresses', () => {
    expect(withAddresses({ name: 'x' }, AT)).toEqual({
      name: 'x',
      repository: { type: 'git', url: `git+${AT}.git` },
      homepage: `${AT}#readme`,
      bugs: { url: `${AT}/issues` },
    });
  });

  test('keeps those it has', () => {
    const given = { homepage: 'https://example.org', bugs: { email: 'bugs@example.org' } };
    expect(withAddresses(given, AT)).toMatchObject(given);
  });
});

describe('the README when it is packed', () => {
  test.each([
    ['[a](src/README.md)', `[a](${AT}/blob/v1/src/README.md)`],
    ['[a](./src/README.md#rooms "Rooms")', `[a](${AT}/blob/v1/src/README.md#rooms "Rooms")`],
    ['[a][1]\n\n[1]: test/README.md', `[a][1]\n\n[1]: ${AT}/blob/v1/test/README.md`],
    ['![a](b.svg)', `![a](${AT}/raw/v1/b.svg)`],
    ['[![a](b.svg)](c.md)', `[![a](${AT}/raw/v1/b.svg)](${AT}/blob/v1/c.md)`],
    [
      '<source srcset="a.webp"><img src="b.webp">',
      `<source srcset="${AT}/raw/v1/a.webp"><img src="${AT}/raw/v1/b.webp">`,
    ],
    ['<a href="LICENSE">', `<a href="${AT}/blob/v1/LICENSE">`],
    ...[
      '[a](https://example.org)',
      '[a](mailto:a@example.org)',
      '[a](#install)',
      '<img src="data:,">',
      '`list[0](call)`',
      '```html\n<script src="main.js"></script>\n```',
    ].map((same) => [same, same]),
  ])('has for %j %j', (text, expected) => {
    expect(withAbsoluteLinks(text, AT, 'v1')).toBe(expected);
  });

  test('leads nowhere by a relative link', () => {
    const readme = readFileSync(`${root}/README.md`, 'utf8');
    const prose = withAbsoluteLinks(readme, AT, 'v1').replace(/^```[\s\S]*?^```$/gm, '');
    const leads = [...prose.matchAll(/\]\(([^)]+)\)|(?:src|srcset|href)="([^"]+)"/g)].map(([, a, b]) => a ?? b);
    expect(leads.length).toBeGreaterThan(20);
    expect(leads.filter((to) => !to.startsWith('https://'))).toEqual([]);
  });
});
