import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addressOf, withAbsoluteLinks, withAddresses } from '../assets/scripts/prepare-package.mjs';

const AT = 'https://example.org/a/b';

describe('the address of a repository', () => {
  it.each([
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

  it('is not made of what is none', () => {
    expect(() => addressOf('soon')).toThrow('prepack: "soon" is not the address of a repository');
  });
});

describe('package.json when it is packed', () => {
  it('has all addresses', () => {
    expect(withAddresses({ name: 'x' }, AT)).toEqual({
      name: 'x',
      repository: { type: 'git', url: `git+${AT}.git` },
      homepage: `${AT}#readme`,
      bugs: { url: `${AT}/issues` },
    });
  });

  it('keeps those it has', () => {
    const given = { homepage: 'https://example.org', bugs: { email: 'bugs@example.org' } };
    expect(withAddresses(given, AT)).toMatchObject(given);
  });
});

describe('the README when it is packed', () => {
  it.each([
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

  it('leads nowhere by a relative link', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const prose = withAbsoluteLinks(readme, AT, 'v1').replace(/^```[\s\S]*?^```$/gm, '');
    const leads = [...prose.matchAll(/\]\(([^)]+)\)|(?:src|srcset|href)="([^"]+)"/g)].map(([, a, b]) => a ?? b);
    expect(leads.length).toBeGreaterThan(20);
    expect(leads.filter((to) => !to.startsWith('https://'))).toEqual([]);
  });
});
