// The reference, as a plugin of typedoc: its modules have the names by which they are imported; its first page, and its
// sidebar, list what the package exports by task, each with the first sentence of its docstring.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TASKS } from './apiTasks.mjs';

const PACKAGE = 'three-scene-index';
/** The sources of the entries; the core first, so that what the main entry passes on is described there. */
export const ENTRIES = {
  [`${PACKAGE}/core`]: 'standalone',
  [PACKAGE]: 'index',
  [`${PACKAGE}/inspector`]: 'inspector',
  [`${PACKAGE}/interest`]: 'interest',
  [`${PACKAGE}/levels`]: 'levels',
  [`${PACKAGE}/react`]: 'react',
};
const INTRODUCTION =
  'All that the package exports for you to call or make, by what you want to do. The last column names the entry to ' +
  'import from: *main* is `three-scene-index`, */core* is `three-scene-index/core`, and so on. Where two are named, ' +
  'either works. The page of a function links to the types that it takes and returns.';

/** Called by typedoc. */
export function load({ converter, renderer }) {
  converter.on('resolveBegin', ({ project }) => {
    const names = new Map(Object.entries(ENTRIES).map(([name, source]) => [source, name]));
    for (const module of project.children ?? []) module.name = names.get(module.name) ?? module.name;
  });

  /** By name, what is exported by it: some functions have a form for scenes and one for the core. */
  const exports = new Map();
  renderer.on('beginRender', ({ project }) => {
    for (const { name: entry, children } of project.children) {
      for (const child of children) {
        const model = child.isReference() ? child.getTargetReflectionDeep() : child;
        exports.set(child.name, [{ entry, model }, ...(exports.get(child.name) ?? [])]);
      }
    }
  });
  const linkTo = ({ model }) => renderer.router.getFullUrl(model);
  const label = ({ entry }) => (entry === PACKAGE ? 'main' : entry.slice(PACKAGE.length));

  renderer.on('endPage', (page) => {
    if (!page.model.isProject()) return;
    const lines = ['# API by task', '', INTRODUCTION];
    for (const { title, text, names } of TASKS) {
      lines.push('', `## ${title}`, '', text, '', '| export | what it does | entry |', '| --- | --- | --- |');
      for (const name of names) {
        const found = exports.get(name);
        const forms = new Set(found.map(linkTo)).size;
        const entries = found.map((one) => (forms > 1 ? `[${label(one)}](${linkTo(one)})` : label(one)));
        const linked = `[\`${name}\`](${linkTo(found[0])})`;
        lines.push(`| ${linked} | ${firstSentence(found[0].model)} | ${entries.join(',&nbsp;')} |`);
      }
    }
    page.contents = `${lines.join('\n')}\n`;
  });

  renderer.on('endRender', ({ outputDirectory }) => {
    const groups = TASKS.map(({ title, names }) => ({
      text: title,
      collapsed: true,
      items: names.map((name) => ({ text: name, link: `/api/${linkTo(exports.get(name)[0])}` })),
    }));
    writeFileSync(join(outputDirectory, 'sidebar.json'), JSON.stringify(groups));
  });
}

function firstSentence({ comment, signatures }) {
  const parts = (comment ?? signatures[0].comment).summary;
  // A link within a sentence is shown as code.
  const text = parts.map((part) => (part.kind === 'inline-tag' ? `\`${part.text}\`` : part.text)).join('');
  const [sentence] = text
    .split(/\n\n/)[0]
    .replace(/\s+/g, ' ')
    .split(/(?<=[.?!])\s(?=[A-Z`])/);
  return sentence;
}
