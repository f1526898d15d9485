import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const DOCS: string = fileURLToPath(new URL('../../demo/docs', import.meta.url));

/** A page that is written by hand. */
export interface Page {
  /** Its file, from `demo/docs` on. */
  file: string;
  text: string;
}

/** All pages; those of the API are made by typedoc, and are not among them. */
export const pages: readonly Page[] = markdownIn('').map((file) => ({
  file,
  text: readFileSync(join(DOCS, file), 'utf8'),
}));

function markdownIn(folder: string): string[] {
  return readdirSync(join(DOCS, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return /^(node_modules|api|\.vitepress)$/.test(path) ? [] : markdownIn(path);
    return path.endsWith('.md') ? [path] : [];
  });
}
