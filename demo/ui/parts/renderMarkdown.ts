import { element } from './element.js';

/** Shows the Markdown that reports consist of: headings, tables and paragraphs. Names in it stay text. */
export function renderMarkdown(text: string): Node[] {
  return text
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map(renderBlock);
}

function renderBlock(block: string): Node {
  const heading = /^(#+) (.*)$/.exec(block);
  // The page has a title of its own.
  if (heading) return element(heading[1]!.length === 1 ? 'h2' : 'h3', {}, ...inline(heading[2]!));
  if (!block.startsWith('|')) return element('p', {}, ...inline(block));
  const [head, , ...rows] = block.split('\n').map(cellsOf);
  const body = rows.map((cells) => element('tr', {}, ...cells.map((cell) => element('td', {}, ...inline(cell)))));
  const titles = head!.map((cell) => element('th', { scope: 'col' }, ...inline(cell)));
  const table = element('table', {}, element('thead', {}, element('tr', {}, ...titles)), element('tbody', {}, ...body));
  return element(
    'div',
    { class: 'table', tabindex: '0', role: 'group', 'aria-label': `Table: ${head!.join(', ')}` },
    table,
  );
}

/** The cells of a line; a bar with a backslash before it is text. */
function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** Text with code between back ticks. */
function inline(text: string): (Node | string)[] {
  return text.split(/(?<!\\)`/).map((piece, i) => {
    const plain = piece.replace(/\\([^\w\s])/g, '$1').replace(/\\_/g, '_');
    return i % 2 === 0 ? plain : element('code', {}, plain);
  });
}
