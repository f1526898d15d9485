import type { Numbers } from '../src/overview/OverviewRoom.js';
import { PARTS } from '../src/room/TickTimes.js';

const COLOURS = ['culled', 'accent', 'range', 'intersecting', 'picked'];

/** Writes into an element of the page. */
export function showText(id: string, text: string): void {
  document.getElementById(id)!.textContent = text;
}

/** What the server says of itself. */
export function showNumbers(numbers: Numbers): void {
  const { players, entities, bytes, mean, means } = numbers;
  showText('players', players.toLocaleString('en'));
  showText('entities', entities.toLocaleString('en'));
  showText('bytes', `${(bytes / Math.max(1, players) / 1000).toFixed(1)} kB/s`);
  showText('tick', `${mean.toFixed(1)} ms`);
  const bars = PARTS.map((part, i) => {
    const bar = document.createElement('span');
    bar.style.flex = String(means[part]);
    bar.style.background = `var(--${COLOURS[i]})`;
    return bar;
  });
  const rows = PARTS.map((part, i) => {
    const row = document.createElement('li');
    const dot = document.createElement('i');
    const value = document.createElement('b');
    dot.className = 'dot';
    dot.style.background = `var(--${COLOURS[i]})`;
    value.textContent = means[part].toFixed(1);
    row.append(dot, part, value);
    return row;
  });
  const element = document.getElementById('parts')!;
  element.replaceChildren(...bars);
  element.ariaLabel = PARTS.map((part) => `${part} ${means[part].toFixed(1)} ms`).join(', ');
  document.getElementById('legend')!.replaceChildren(...rows);
}
