// Looks at the built site as it will be served: no link leads nowhere, and nothing is loaded from elsewhere.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

const ELEMENT = /<(a|link|script|img|iframe|source|video|audio)\b[^>]*>/g;
const ADDRESS = /\s(?:href|src)="([^"]*)"/;

/** Sentences about what is wrong, none for a site in order. */
export function problemsOf(outDir, base = '/') {
  const files = readdirSync(outDir, { recursive: true }).map((file) => file.replaceAll('\\', '/'));
  const pages = files.filter((file) => file.endsWith('.html'));
  const html = new Map(pages.map((page) => [page, readFileSync(join(outDir, page), 'utf8')]));
  const anchors = new Map(
    [...html].map(([page, text]) => [page, new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))]),
  );
  const problems = [];
  for (const [page, text] of html) {
    for (const [element, name] of text.matchAll(ELEMENT)) {
      const address = ADDRESS.exec(element)?.[1];
      if (address === undefined || /^(data|mailto):/.test(address)) continue;
      if (/^(https?:)?\/\//.test(address)) {
        if (name !== 'a') problems.push(`${page} loads ${address}`);
        continue;
      }
      const [whole, anchor] = decodeURI(address).split('#');
      const [path] = whole.split('?');
      const file = path === '' ? page : fileAt(outDir, page, path, base);
      if (file === null) problems.push(`${page} links to ${address}, which is not there`);
      else if (anchor && anchors.has(file) && !anchors.get(file).has(anchor)) {
        problems.push(`${page} links to ${address}, which has no such heading`);
      }
    }
  }
  for (const style of files.filter((file) => file.endsWith('.css'))) {
    for (const [, address] of readFileSync(join(outDir, style), 'utf8').matchAll(
      /url\(["']?((?:https?:)?\/\/[^)"']+)/g,
    )) {
      problems.push(`${style} loads ${address}`);
    }
  }
  return problems;
}

/** The file that a server gives for an address on a page; null for none. */
function fileAt(outDir, page, path, base) {
  if (path.startsWith('/') && !path.startsWith(base)) return null;
  const inside = path.startsWith('/') ? path.slice(base.length) : posix.join(posix.dirname(page), path);
  for (const file of [inside, `${inside}.html`, posix.join(inside, 'index.html')]) {
    const full = join(outDir, file);
    if (existsSync(full) && statSync(full).isFile()) return file;
  }
  return null;
}
