// The examples of the demo, running on the pages of the docs: `<!-- @example: name -->` is the example of that name.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

export const EXAMPLE = /<!--\s*@example:\s*([\w-]+)\s*-->/g;

/** The page of the example says it. */
function titleOf(name) {
  const page = readFileSync(new URL(`../../examples/${name}/index.html`, import.meta.url), 'utf8');
  return /<title>(.*) – /.exec(page)[1];
}

/** What stands in the Markdown of a page, which runs nothing: a link. */
export const exampleText = (name) => `[Run this example: ${titleOf(name)}](/demo/examples/${name}/)`;

/** A plugin of markdown-it. The picture is there before the example runs, and is all there is without scripts. */
export function liveExamples(md) {
  const { html_block: plain } = md.renderer.rules;
  md.renderer.rules.html_block = (tokens, i, options, env, self) => {
    const [, name] = tokens[i].content.matchAll(EXAMPLE).next().value ?? [];
    if (name === undefined) return plain(tokens, i, options, env, self);
    const picture = posix.relative(posix.dirname(`docs/${env.relativePath}`), `examples/${name}/picture.webp`);
    return `<LiveExample name="${name}" title="${titleOf(name)}"><img src="${picture}" alt=""></LiveExample>\n`;
  };
}
