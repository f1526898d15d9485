import { expect, it } from 'vitest';
import { repositoryLinks } from '../../demo/docs/site/repositoryLinks.mjs';

/** What becomes of a link on a page of a site with the base `/docs/`. */
function turned(href: string, relativePath: string, from?: string): string {
  const attributes = new Map([['href', href]]);
  const token = {
    type: 'link_open',
    attrGet: (name: string) => attributes.get(name),
    attrSet: (name: string, value: string) => void attributes.set(name, value),
  };
  const push = (_: string, rule: (state: object) => void): void =>
    rule({ tokens: [{ children: [token] }], env: { relativePath, frontmatter: { from } } });
  repositoryLinks({ core: { ruler: { push } } }, '/docs/');
  return attributes.get('href') as string;
}

it.each([
  // A README that is a page.
  ['../test/README.md', 'architecture.md', 'src', '/guarantees'],
  ['../README.md#install', 'architecture.md', 'src', '/'],
  ['core/box.ts', 'architecture.md', 'src', '/docs/source/src/core/box.ts.txt'],
  ['core/', 'architecture.md', 'src', '/architecture#rooms'],
  ['demo/docs/guides/interest.md#model', 'changelog.md', '.', '/guides/interest#model'],
  ['#rooms', 'architecture.md', 'src', '#rooms'],
  ['https://threejs.org', 'architecture.md', 'src', 'https://threejs.org'],
  // A page of its own.
  ['../../server/README.md', 'guides/interest.md', undefined, '/docs/source/demo/server/README.md.txt'],
  ['../performance/index.md', 'guides/interest.md', undefined, '/performance/'],
  ['/guides/culling#planes', 'guides/interest.md', undefined, '/guides/culling#planes'],
])('the link %s on %s leads where it should', (href, page, from, expected) => {
  expect(turned(href, page, from)).toBe(expected);
});
