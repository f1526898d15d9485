// Drawings of diagrams/*.svg. They are put into the page itself, so that their colours follow the theme of the site.
import { readFileSync } from 'node:fs';

export const DIAGRAM = /<!--\s*@diagram:\s*([\w-]+)\s*-->/g;

const svgOf = (name) => readFileSync(new URL(`../diagrams/${name}.svg`, import.meta.url), 'utf8');

/** What a diagram shows, in words: for those who cannot see it. */
export function diagramText(name) {
  const [, label] = /aria-label="([^"]+)"/.exec(svgOf(name)) ?? [];
  if (label === undefined) throw new Error(`The diagram ${name} has no aria-label`);
  return `*Diagram: ${label}*`;
}

/** A plugin of markdown-it: `<!-- @diagram: name -->` is the drawing of that name. */
export function diagrams(md) {
  const { html_block: plain } = md.renderer.rules;
  md.renderer.rules.html_block = (tokens, i, ...rest) => {
    const [, name] = tokens[i].content.matchAll(DIAGRAM).next().value ?? [];
    if (name === undefined) return plain(tokens, i, ...rest);
    return `<figure class="diagram" v-pre>${svgOf(name)}</figure>\n`;
  };
}
