// Where links of pages lead on the site. Pages that show a README say by `from:` in which folder its links begin; those of
// other pages begin where the page is.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { INCLUDE } from './pageText.mjs';
import { fileOf, SIDEBAR } from './sidebar.mjs';

const SITE = 'demo/docs/';

/** The anchor of a heading, by GitHub's rule, so that links within READMEs hold on both. */
export function slug(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** Files of the repository that a page shows as a whole, and where that is. */
function shownFiles() {
  const shown = new Map([['README.md', '/']]);
  for (const { link } of SIDEBAR.flatMap(({ items }) => items)) {
    const text = readFileSync(new URL(`../${fileOf(link)}`, import.meta.url), 'utf8');
    for (const [, path, region] of text.matchAll(INCLUDE)) {
      if (region === undefined) shown.set(posix.join(SITE, posix.dirname(fileOf(link)), path), link);
    }
  }
  return shown;
}

/** A plugin of markdown-it: a link to a file leads to the page that shows it; of one that no page shows the words stay. */
export function repositoryLinks(md) {
  const shown = shownFiles();
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    const from = env.frontmatter?.from ?? posix.join(SITE, posix.dirname(env.relativePath ?? ''));
    for (const token of tokens) {
      let isLink = true;
      token.children &&= token.children.filter((child) => {
        if (child.type === 'link_open') {
          const address = addressOf(child.attrGet('href'), from);
          isLink = address !== undefined;
          if (isLink) child.attrSet('href', address);
        }
        return isLink || !child.type.startsWith('link_');
      });
    }
  });

  function addressOf(href, from) {
    if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
    const [path, anchor] = href.split('#');
    const file = posix.join(from, path);
    const isPage = file.startsWith(SITE) && file.endsWith('.md');
    const page = isPage ? `/${file.slice(SITE.length).replace(/(?:index)?\.md$/, '')}` : shown.get(file);
    return page && `${page}${anchor === undefined || page === '/' ? '' : `#${anchor}`}`;
  }
}
