// The Markdown of a page as a reader gets it: with what it includes, the code it shows and its tables of results.
import { readFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { keptRows, TABLE } from '../tables/tables.mjs';
import { DIAGRAM, diagramText } from './diagrams.mjs';
import { EXAMPLE, exampleText } from './liveExamples.mjs';

/** A file, and the region of it where not all is included. */
export const INCLUDE = /<!--\s*@include:\s*([^\s#]+)(?:#([\w-]+))?\s*-->/g;
export const SNIPPET = /^<<< (\S+?)(?:\{[^}]*\})?(?: \[.*\])?$/gm;
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
    .replace(DIAGRAM, (_, name) => diagramText(name))
    .replace(EXAMPLE, (_, name) => exampleText(name))
    .replace(TABLE, (_, name) => keptRows(name))
    .trim();
}

/** What lies between the comments that name a region; all without one. */
export function regionOf(text, region) {
  if (region === undefined) return text;
  const [, inside] = text.split(new RegExp(`<!-- #(?:end)?region ${region} -->\\n`));
  if (inside === undefined) throw new Error(`There is no region ${region}`);
  return inside.trimEnd();
}
