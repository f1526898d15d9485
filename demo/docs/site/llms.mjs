// llms.txt, the list of all pages in Markdown.
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { frontMatterOf, pageText } from './pageText.mjs';
import { fileOf, SIDEBAR } from './sidebar.mjs';

const DOCS = fileURLToPath(new URL('..', import.meta.url));

/** Writes the list, and each page as Markdown beside its HTML. */
export function writeLlms(outDir, { title, description }) {
  const list = [`# ${title}`, '', `> ${description}`];
  for (const { text, items } of SIDEBAR) {
    list.push('', `## ${text}`, '');
    for (const { text: name, link } of items) {
      const file = fileOf(link);
      list.push(`- [${name}](${file}): ${frontMatterOf(readFileSync(join(DOCS, file), 'utf8')).description}`);
      mkdirSync(dirname(join(outDir, file)), { recursive: true });
      writeFileSync(join(outDir, file), `${pageText(join(DOCS, file))}\n`);
    }
  }
  const home = `# ${title}\n\n> ${description}\n\n${pageText(join(DOCS, 'index.md'))}\n`;
  writeFileSync(join(outDir, 'index.md'), home);
  list.push('', '## API', '', '- [API by task](api/index.md): All exports, by what you want to do.');
  cpSync(join(DOCS, 'api'), join(outDir, 'api'), {
    recursive: true,
    filter: (path) => path.endsWith('.md') || statSync(path).isDirectory(),
  });
  writeFileSync(join(outDir, 'llms.txt'), `${list.join('\n')}\n`);
}
