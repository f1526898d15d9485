// The Markdown of a page as a reader gets it: with what it includes, the code it shows, and what its comments stand for.
import { readFileSync } from 'node:fs';
import { dirname, extname, posix, resolve } from 'node:path';
import { keptRows } from '../tables/tables.mjs';

/** A file, and the region of it where not all is included. */
export const INCLUDE = /<!--\s*@include:\s*([^\s#]+)(?:#([\w-]+))?\s*-->/g;
export const SNIPPET = /^<<< (\S+?)(?:\{[^}]*\})?(?: \[.*\])?$/gm;
const INSERTION = /<!--\s*@(diagram|example|table):\s*([\w-]+)\s*-->/g;
const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n/;

/** The lines `key: value` before a page. */
export function frontMatterOf(text) {
  const lines = FRONT_MATTER.exec(text)?.[1].split('\n') ?? [];
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, key, value] = /^(\w+): (.+)$/.exec(line) ?? [];
      return key === undefined ? [] : [[key, value]];
    }),
  );
}

export function pageText(file) {
  const text = readFileSync(file, 'utf8');
  const at = (path) => resolve(dirname(file), path);
  return text
    .replace(FRONT_MATTER, '')
    .replace(INCLUDE, (_, path, region) => regionOf(readFileSync(at(path), 'utf8'), region))
    .replace(SNIPPET, (_, path) => `\`\`\`${extname(path).slice(1)}\n${readFileSync(at(path), 'utf8')}\`\`\``)
    .replace(INSERTION, (_, kind, name) => INSERTED[kind].asText(name))
    .trim();
}

/** The lines between the comments that name a region; all lines without one. */
function regionOf(text, region) {
  if (region === undefined) return text;
  const [, inside] = text.split(new RegExp(`<!-- #(?:end)?region ${region} -->\\n`));
  if (inside === undefined) throw new Error(`There is no region ${region}`);
  return inside.trimEnd();
}

/** The names in comments of a kind: `uniform` in `<!-- @table: uniform -->`. */
export function insertedIn(text, kind) {
  return [...text.matchAll(INSERTION)].flatMap(([, of, name]) => (of === kind ? [name] : []));
}

/** The meaning of comments: in the Markdown of a page, and on the site. */
const INSERTED = {
  // In the page itself, so that the colours of a drawing follow the theme of the site. In words for those who cannot see it.
  diagram: {
    asText: (name) => `*Diagram: ${capture(`../diagrams/${name}.svg`, /aria-label="([^"]+)"/)}*`,
    asHtml: (name) => `<figure class="diagram" v-pre>${read(`../diagrams/${name}.svg`)}</figure>\n`,
  },
  // The picture is there before the example runs, and is all there is without scripts.
  example: {
    asText: (name) => `[Run this example: ${titleOf(name)}](/demo/examples/${name}/)`,
    asHtml(name, page) {
      const picture = posix.relative(posix.dirname(`docs/${page}`), `examples/${name}/picture.webp`);
      return `<LiveExample name="${name}" title="${titleOf(name)}"><img src="${picture}" alt=""></LiveExample>\n`;
    },
  },
  table: { asText: keptRows, asHtml: (name, _, md) => md.render(keptRows(name)) },
};

const titleOf = (name) => capture(`../../examples/${name}/index.html`, /<title>(.*) – /);

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');

function capture(path, pattern) {
  const found = pattern.exec(read(path));
  if (found === null) throw new Error(`${path} has no ${pattern}`);
  return found[1];
}

/** A plugin of markdown-it that puts in what comments stand for. */
export function insertions(md) {
  const { html_block: plain } = md.renderer.rules;
  md.renderer.rules.html_block = (tokens, i, options, env, self) => {
    const [, kind, name] = tokens[i].content.matchAll(INSERTION).next().value ?? [];
    return kind ? INSERTED[kind].asHtml(name, env.relativePath, md) : plain(tokens, i, options, env, self);
  };
}
