import { browser } from './browser.mjs';
import { instances } from './instances.mjs';
import { libraries } from './libraries.mjs';
import { sizes } from './sizes.mjs';
import { structures } from './structures.mjs';
import { keptRows } from './tables.mjs';

export const CHARTS = {
  uniform: () => libraries('uniform'),
  city: () => libraries('city'),
  sizes,
  browser,
  instances,
  structures,
};

/** A chart of results that are kept: its picture, what it shows, and the same as a Markdown table. */
export function chart(name) {
  const make = CHARTS[name];
  if (make === undefined) throw new Error(`No chart ${name}; there are ${Object.keys(CHARTS).join(', ')}`);
  return make();
}

/** A plugin of markdown-it: `<!-- @chart: name -->` is a chart, with its table below; `<!-- @table: name -->` is a table. */
export function charts(md) {
  const { html_block: plain } = md.renderer.rules;
  md.renderer.rules.html_block = (tokens, i, ...rest) => {
    const [, kind, name] = /^<!--\s*@(chart|table):\s*(\S+)\s*-->/.exec(tokens[i].content) ?? [];
    if (kind === undefined) return plain(tokens, i, ...rest);
    if (kind === 'table') return md.render(keptRows(name));
    const { svg, caption, table } = chart(name);
    return `<figure class="chart" v-pre>${svg}<figcaption>${md.utils.escapeHtml(caption)}</figcaption></figure>
<details class="details custom-block"><summary>The same as a table</summary>\n${md.render(table)}</details>\n`;
  };
}
