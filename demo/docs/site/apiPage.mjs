// The first page of the API, and its sidebar: all exports by task, each with the first sentence of its docstring.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TASKS } from './apiTasks.mjs';

const PACKAGE = 'three-scene-index';
const INTRODUCTION =
  'All exports of the package, by what you want to do. The last column names the entry to import from: *main* is ' +
  '`three-scene-index`, */core* is `three-scene-index/core`, and so on. Where two are named, either works.';

/** Called by typedoc. */
export function load({ renderer }) {
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
  const linked = (name) => `[\`${name}\`](${linkTo(exports.get(name)[0])})`;
  const label = ({ entry }) => (entry === PACKAGE ? 'main' : entry.slice(PACKAGE.length));

  renderer.on('endPage', (page) => {
    if (!page.model.isProject()) return;
    const lines = ['# API by task', '', INTRODUCTION];
    for (const { title, text, names, types } of TASKS) {
      lines.push('', `## ${title}`, '', text, '', '| export | what it does | entry |', '| --- | --- | --- |');
      for (const name of names) {
        const found = exports.get(name);
        const forms = new Set(found.map(linkTo)).size;
        const entries = found.map((one) => (forms > 1 ? `[${label(one)}](${linkTo(one)})` : label(one)));
        lines.push(`| ${linked(name)} | ${firstSentence(found[0].model)} | ${entries.join(',&nbsp;')} |`);
      }
      lines.push('', `Types: ${types.map(linked).join(', ')}`);
    }
    page.contents = `${lines.join('\n')}\n`;
  });

  renderer.on('endRender', ({ outputDirectory }) => {
    const groups = TASKS.map(({ title, names, types }) => ({
      text: title,
      collapsed: true,
      items: [...names, ...types].map((name) => ({ text: name, link: `/api/${linkTo(exports.get(name)[0])}` })),
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
