import { existsSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryLinks, slug } from '../../demo/docs/site/links.mjs';
import { frontMatterOf, INCLUDE, insertedIn, pageText, SNIPPET } from '../../demo/docs/site/pageText.mjs';
import { fileOf, SIDEBAR } from '../../demo/docs/site/sidebar.mjs';
import { TABLES } from '../../demo/docs/tables/tables.mjs';
import { EXAMPLES } from '../../demo/examples/catalogue.js';
import { DOCS, pages } from './pages.js';

const listed = SIDEBAR.flatMap(({ items }) => items.map(({ link }) => fileOf(link)));
const byFile = new Map(pages.map((page) => [page.file, page]));
/** Pages of their own, with what is said on other pages left out. */
const own = pages.filter(({ text }) => frontMatterOf(text).from === undefined);
const withoutCode = (text: string) => text.replace(/^( *)```.*?^\1```$/gms, '').replace(/`[^`\n]*`/g, '');

function anchorsOf(file: string): string[] {
  const text = pageText(join(DOCS, file)).replace(/^( *)```.*?^\1```$/gms, '');
  const counts = new Map<string, number>();
  return [...text.matchAll(/^#{1,6} (.+?)(?: \{#([\w-]+)\})?$/gm)].map(([, heading, given]) => {
    const anchor = given ?? slug(heading.replace(/\[(.*?)\]\(.*?\)/g, '$1').replace(/[`*]/g, ''));
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

describe('the pages of the docs', () => {
  it('are in the sidebar, each once, and nothing else is', () => {
    const all = pages.map(({ file }) => file).filter((file) => file !== 'index.md');
    expect([...listed].sort()).toEqual(all.sort());
  });

  it.each(pages)('$file has a description', ({ text }) => {
    expect(frontMatterOf(text).description?.length ?? 0).toBeGreaterThan(20);
    // YAML takes what precedes a colon for a key.
    expect(frontMatterOf(text).description).not.toMatch(/: /);
  });

  it.each(pages)('$file shows files and tables that exist', ({ file, text }) => {
    const shown = [...text.matchAll(INCLUDE), ...text.matchAll(SNIPPET)].map(([, path]) => path);
    const folder = dirname(join(DOCS, file));
    expect(shown.filter((path) => !existsSync(resolve(folder, path)))).toEqual([]);
    // None is written otherwise, and so not looked at.
    expect(shown).toHaveLength(text.match(/^<<<|@include/gm)?.length ?? 0);
    for (const name of insertedIn(text, 'table')) expect(Object.keys(TABLES)).toContain(name);
    expect(() => pageText(join(DOCS, file))).not.toThrow();
  });

  it.each(pages)('$file runs the examples whose code it shows', ({ text }) => {
    const examples = [...text.matchAll(/^<<< \S*\/examples\/([\w-]+)\/main\.tsx?$/gm)].map(([, name]) => name);
    expect(insertedIn(text, 'example')).toEqual(examples);
  });

  it('show every example of the demo', () => {
    const shown = pages.flatMap(({ text }) =>
      [...text.matchAll(SNIPPET)].map(([, path]) => posix.basename(posix.dirname(path))),
    );
    expect(EXAMPLES.map(({ name }) => name).filter((name) => !shown.includes(name))).toEqual([]);
  });

  it.each(own)('$file has no dead links', ({ file, text }) => {
    const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)|^ *(?:link|src): (\S+)$/gm)].map(
      ([, a, b]) => a ?? b,
    );
    for (const link of links) {
      if (/^https:/.test(link)) continue;
      if (!/^[/#]/.test(link)) {
        expect(existsSync(resolve(dirname(join(DOCS, file)), link)), link).toBe(true);
        continue;
      }
      const [path, anchor] = link.split('#');
      // Made by typedoc, at which VitePress looks, and by Vite, at which the test of the site does.
      if (posix.dirname(`${path}x`).match(/^\/(api|demo)/)) continue;
      const target = path === '' ? file : fileOf(path);
      expect(byFile.has(target), link).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(target), link).toContain(anchor);
    }
  });

  it('link from READMEs that they show to files that exist', () => {
    for (const { file, text } of pages) {
      const { from } = frontMatterOf(text);
      if (from === undefined) continue;
      const root = resolve(DOCS, '../..');
      const links = [...withoutCode(pageText(join(DOCS, file))).matchAll(/\]\((?!https?:)([^)#\s]+)/g)];
      for (const [, link] of links) expect(existsSync(join(root, from, link)), `${file}: ${link}`).toBe(true);
    }
  });
});

/** Where a link on a page leads; null where the words stay. */
function turned(href: string, relativePath: string, from?: string): string | null {
  const attributes = new Map([['href', href]]);
  const link = {
    type: 'link_open',
    attrGet: (name: string) => attributes.get(name),
    attrSet: (name: string, value: string) => void attributes.set(name, value),
  };
  const words = { type: 'text' };
  const paragraph = { children: [link, words, { type: 'link_close' }] };
  const push = (_: string, rule: (state: object) => void): void =>
    rule({ tokens: [paragraph], env: { relativePath, frontmatter: { from } } });
  repositoryLinks({ core: { ruler: { push } } });
  const types = paragraph.children.map(({ type }) => type);
  if (types.length === 1) expect(paragraph.children).toEqual([words]);
  else expect(types).toEqual(['link_open', 'text', 'link_close']);
  return types.length === 1 ? null : (attributes.get('href') as string);
}

it.each([
  // A README that is a page.
  ['../test/README.md', 'architecture.md', 'src', '/guarantees'],
  ['../README.md#install', 'architecture.md', 'src', '/'],
  ['core/box.ts', 'architecture.md', 'src', null],
  ['core/', 'architecture.md', 'src', null],
  ['demo/docs/guides/interest.md#model', 'changelog.md', '.', '/guides/interest#model'],
  ['#rooms', 'architecture.md', 'src', '#rooms'],
  ['https://threejs.org', 'architecture.md', 'src', 'https://threejs.org'],
  // A page of its own.
  ['../../server/README.md', 'guides/interest.md', undefined, null],
  ['../performance/index.md', 'guides/interest.md', undefined, '/performance/'],
  ['../../../test/bench/peers.md', 'guides/interest.md', undefined, '/performance/peers'],
  ['/guides/culling#planes', 'guides/interest.md', undefined, '/guides/culling#planes'],
])('the link %s on %s leads where it should', (href, page, from, expected) => {
  expect(turned(href, page, from)).toBe(expected);
});
