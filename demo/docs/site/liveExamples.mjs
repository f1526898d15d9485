// The examples of the demo, running on the pages of the docs: `<!-- @example: name -->` is the example of that name.
import { posix } from 'node:path';
import { EXAMPLES } from '../../examples/catalogue.ts';

export const EXAMPLE = /<!--\s*@example:\s*([\w-]+)\s*-->/g;

function titleOf(name) {
  const example = EXAMPLES.find((one) => one.name === name);
  if (example === undefined) throw new Error(`There is no example ${name}`);
  return example.title;
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
