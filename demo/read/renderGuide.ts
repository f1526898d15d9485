import { element } from '../ui/parts/element.js';
import { renderMarkdown } from '../ui/parts/renderMarkdown.js';

/** Shows the Markdown that guides consist of: headings, paragraphs, lists, tables, code and links. */
export function renderGuide(text: string): Node[] {
  // Every other piece is code between fences.
  return text.split(/^```/m).flatMap((piece, i) => (i % 2 === 1 ? [codeOf(piece)] : blocksOf(piece).map(renderBlock)));
}

function codeOf(piece: string): Node {
  return element('pre', { tabindex: '0' }, element('code', {}, piece.slice(piece.indexOf('\n') + 1).trimEnd()));
}

function blocksOf(text: string): string[] {
  return text
    .replace(/<!--[\s\S]*?-->/g, '')
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '');
}

function renderBlock(block: string): Node {
  const [, marks, title] = /^(#+) (.*)$/.exec(block) ?? [];
  if (marks && title) return element(`h${Math.min(marks.length, 3)}` as 'h1', {}, ...inline(title));
  if (block.startsWith('|')) return renderMarkdown(block)[0]!;
  if (!/^([-*]|\d+\.) /.test(block)) return element('p', {}, ...inline(block));
  const items = block.split(/\n(?=(?:[-*]|\d+\.) )/).map((item) => item.replace(/^([-*]|\d+\.) /, ''));
  return element(/^\d/.test(block) ? 'ol' : 'ul', {}, ...items.map((item) => element('li', {}, ...inline(item))));
}

/** Text with code between back ticks, bold between two stars, and links. */
function inline(text: string): (Node | string)[] {
  return text.split(/(`[^`]*`|\*\*[^*]+\*\*|\[[^\]]*\]\([^)\s]*\))/).map((piece) => {
    if (piece.startsWith('`')) return element('code', {}, piece.slice(1, -1));
    if (piece.startsWith('**')) return element('strong', {}, ...inline(piece.slice(2, -2)));
    const [, label, to] = /^\[(.*)\]\((.*)\)$/.exec(piece) ?? [];
    return label && to ? linkTo(to, inline(label)) : piece;
  });
}

/** A link to another guide, or away; of pages that are not here the words. */
function linkTo(to: string, label: (Node | string)[]): Node {
  const [, guide] = /^\/guides\/([\w-]+)/.exec(to) ?? [];
  if (guide) return element('a', { href: `?file=demo/docs/guides/${guide}.md` }, ...label);
  return /^https:/.test(to) ? element('a', { href: to }, ...label) : element('span', {}, ...label);
}
