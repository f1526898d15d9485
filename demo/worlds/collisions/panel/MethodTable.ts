import { element, setText, swatch } from '../../../ui/parts/element.js';
import { number } from '../../../ui/parts/format.js';
import { METHODS, type MethodId } from '../setup/methods.js';
import { type Comparison, MOST_BY_BRUTE_FORCE } from '../simulation/Comparison.js';
import { cellsOf } from './Readout.js';

const COLUMNS: [title: string, meaning: string][] = [
  ['FPS', 'Frames a second, drawing included'],
  ['Update', 'Milliseconds a frame to follow all objects'],
  ['Query', 'Milliseconds a frame to find the pairs'],
  ['Box tests', 'Bounds compared one by one in a frame'],
  ['Pairs', 'Overlapping pairs in the last frame'],
  ['Same', 'Whether these are the pairs that the others found in the same frames'],
  ['Most', 'Ramp: the most objects whose collisions take less than its limit'],
  ['Region', 'Candidates: objects filed in nodes that touch the region'],
];

/** Columns that are also shown as parts of a bar, in these colours. */
const BARS: Record<string, string> = { Update: 'text-soft', Query: 'accent' };

interface Line {
  button: HTMLButtonElement;
  update: HTMLElement;
  query: HTMLElement;
  cells: HTMLElement[];
}

/** The table of all methods with their measurements. A method's name is a button that chooses it. */
export class MethodTable {
  readonly element: HTMLElement;
  readonly #lines = new Map<MethodId, Line>();
  readonly #heads: HTMLElement[];

  constructor(onChoose: (method: MethodId) => void) {
    this.#heads = COLUMNS.map(([title, meaning]) => {
      const mark = BARS[title] ? [swatch(BARS[title])] : [];
      return element('th', { scope: 'col', title: meaning }, ...mark, title);
    });
    const body = element('tbody');
    METHODS.forEach(({ id, title, rule }, i) => {
      const button = element(
        'button',
        { type: 'button', 'data-method': id, title: `${rule} (${(i + 1) % 10})` },
        title,
      );
      button.addEventListener('click', () => onChoose(id));
      const [update, query] = [element('i'), element('i')];
      const bar = element('span', { class: 'spent', 'aria-hidden': 'true' }, update, query);
      const cells = COLUMNS.map(() => element('td', {}, '–'));
      this.#lines.set(id, { button, update, query, cells });
      body.append(element('tr', {}, element('th', { scope: 'row' }, button, bar), ...cells));
    });
    this.element = element(
      'table',
      { class: 'methods', 'aria-label': 'Methods compared; times in milliseconds a frame' },
      element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, 'Method'), ...this.#heads)),
      body,
    );
  }

  show(comparison: Comparison, candidates: ReadonlyMap<MethodId, number> | null): void {
    const longest = Math.max(1e-3, ...[...comparison.rows.values()].map(({ update, query }) => update + query));
    const { ramp, rampResults } = comparison;
    const isHidden = [ramp === null && rampResults.length === 0, candidates === null];
    isHidden.forEach((hidden, i) => {
      this.#heads[6 + i].hidden = hidden;
    });
    for (const [id, { button, update, query, cells }] of this.#lines) {
      const known = comparison.rows.get(id);
      const able = comparison.canRun(id);
      button.setAttribute('aria-pressed', String(comparison.running === id));
      button.disabled = !able;
      update.style.width = `${known ? (100 * known.update) / longest : 0}%`;
      query.style.width = `${known ? (100 * known.query) / longest : 0}%`;
      const texts = known ? cellsOf(known) : ['–', '–', '–', '–', '–'];
      if (!able && !known) texts[0] = `over ${number(MOST_BY_BRUTE_FORCE)}`;
      const agrees = comparison.agrees(id);
      const ramped = rampResults.find(({ method }) => method === id);
      const climbs = ramp?.current?.method === id ? `${number(ramp.current.count)}…` : '';
      const most = ramped ? `${number(ramped.count)}${ramped.withinLimit ? '+' : ''}` : climbs;
      texts.push(agrees === null ? '' : agrees ? 'yes' : 'no', most, number(candidates?.get(id) ?? 0));
      for (const [i, text] of texts.entries()) setText(cells[i], text);
      cells[5].className = agrees === null ? '' : agrees ? 'same' : 'other';
      isHidden.forEach((hidden, i) => {
        cells[6 + i].hidden = hidden;
      });
    }
  }
}
