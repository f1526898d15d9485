// Links of pages to files of the repository. Pages that show a README say by `from:` in which folder its links begin;
// those of other pages begin where the page is.
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { INCLUDE } from './pageText.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SITE = 'demo/docs/';
const DOCS = join(ROOT, SITE);

/** Files that the site has as text, beside its pages. */
const wanted = new Set();

/** Files that a page shows as a whole, and where that is. */
function shownFiles() {
  const shown = new Map([['README.md', '/']]);
  for (const folder of ['', 'guides', 'performance']) {
    for (const name of readdirSync(join(DOCS, folder))) {
      if (!name.endsWith('.md')) continue;
      const file = join(DOCS, folder, name);
      for (const [, path, region] of readFileSync(file, 'utf8').matchAll(INCLUDE)) {
        if (region !== undefined) continue;
        shown.set(relative(ROOT, resolve(dirname(file), path)), addressOf(posix.join(folder, name)));
      }
    }
  }
  return shown;
}

/** Where the site has a page. */
function addressOf(file) {
  return `/${file.replace(/(?:index)?\.md$/, '')}`;
}

/** A plugin of markdown-it. */
export function repositoryLinks(md, base) {
  const shown = shownFiles();
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    const from = env.frontmatter?.from ?? posix.join(SITE, posix.dirname(env.relativePath ?? ''));
    for (const { children } of tokens) {
      for (const token of children ?? []) if (token.type === 'link_open') turn(token, from);
    }
  });

  function turn(token, from) {
    const href = token.attrGet('href');
    if (/^(https?:|mailto:|#|\/)/.test(href)) return;
    const [path, anchor] = href.split('#');
    const file = posix.join(from, path);
    const page = file.startsWith(SITE) ? addressOf(file.slice(SITE.length)) : shown.get(file);
    if (page !== undefined) {
      token.attrSet('href', `${page}${anchor === undefined || page === '/' ? '' : `#${anchor}`}`);
      return;
    }
    if (path.endsWith('/') || posix.extname(path) === '') {
      token.attrSet('href', '/architecture#rooms');
      return;
    }
    wanted.add(file);
    token.attrSet('href', `${base}source/${file}.txt`);
    token.attrSet('target', '_self');
  }
}

/** Puts the files that pages link to into the built site. */
export function copyLinked(outDir) {
  for (const file of wanted) {
    const target = join(outDir, 'source', `${file}.txt`);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(ROOT, file), target);
  }
}
