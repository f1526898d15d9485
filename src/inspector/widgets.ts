import type { Object3D } from 'three';
import { Item } from 'three/addons/inspector/ui/Item.js';

/** A heading with rows below it: names with values that change. */
export class Readings {
  readonly item: Item;
  readonly #columns: number;
  readonly #values = new Map<string, HTMLElement[]>();

  /** @param columns Values in a row. */
  constructor(title: string, columns = 1) {
    this.item = new Item(title, ...new Array<string>(columns).fill(''));
    this.item.itemRow.classList.add('no-hover');
    this.#columns = columns;
  }

  /** Adds rows; a colour is that of the row's line in a graph. */
  add(names: readonly string[], colors: Readonly<Record<string, string>> = {}): void {
    for (const name of names) {
      const label = document.createElement('span');
      label.textContent = name;
      if (colors[name] !== undefined) label.prepend(swatch(colors[name]));
      const values = Array.from({ length: this.#columns }, () => {
        const value = document.createElement('span');
        value.className = 'value';
        value.textContent = '–';
        return value;
      });
      this.item.add(new Item(label, ...values));
      this.#values.set(name, values);
    }
  }

  /** Writes the values of a row. */
  set(name: string, ...texts: string[]): void {
    this.#values.get(name)?.forEach((value, i) => {
      const text = texts[i] ?? '';
      // Browsers lay out the panel again even where the text is the same.
      if (value.textContent !== text) value.textContent = text;
    });
  }
}

function swatch(color: string): HTMLElement {
  const mark = document.createElement('span');
  Object.assign(mark.style, {
    display: 'inline-block',
    width: '0.7em',
    height: '0.7em',
    marginRight: '0.6em',
    borderRadius: '2px',
    background: color,
  });
  return mark;
}

/** Numbers the controls, whose ids must differ. */
let count = 0;

/** A row with a control and its label. */
export function labelled(name: string, control: HTMLElement): Item {
  const label = document.createElement('label');
  control.id = `three-scene-index-${++count}`;
  label.htmlFor = control.id;
  label.textContent = name;
  // Pages style their own labels.
  Object.assign(label.style, { margin: '0', color: 'inherit', font: 'inherit' });
  return new Item(label, framed(control));
}

/** Controls side by side, framed to look like the Inspector's. */
export function framed(...controls: HTMLElement[]): HTMLElement {
  const frame = document.createElement('div');
  frame.className = 'param-control';
  frame.append(...controls);
  return frame;
}

export function button(text: string, act: () => void): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.textContent = text;
  element.addEventListener('click', act);
  return element;
}

/** The browser's own checkbox: the Inspector's cannot be reached by keyboard. */
export function checkbox(changed: (isOn: boolean) => void): HTMLInputElement {
  const element = document.createElement('input');
  element.type = 'checkbox';
  Object.assign(element.style, { width: '16px', height: '16px', margin: '0', accentColor: 'var(--color-accent)' });
  element.addEventListener('change', () => changed(element.checked));
  return element;
}

export function select<T extends string>(options: readonly T[], changed: (option: T) => void): HTMLSelectElement {
  const element = document.createElement('select');
  for (const option of options) element.append(new Option(option, option));
  element.addEventListener('change', () => changed(element.value as T));
  return element;
}

/** A line with the result of a click, read out by screen readers when it changes. */
export function statusLine(): HTMLElement {
  const element = document.createElement('div');
  element.setAttribute('role', 'status');
  Object.assign(element.style, { color: 'var(--text-secondary)', whiteSpace: 'normal', userSelect: 'text' });
  return element;
}

/** A row as wide as the list. */
export function wide(content: HTMLElement): Item {
  const item = new Item(content);
  const cell = item.itemRow.firstElementChild as HTMLElement;
  Object.assign(cell.style, { gridColumn: '1 / -1', display: 'block', whiteSpace: 'normal' });
  item.itemRow.classList.add('no-hover');
  return item;
}

const COUNT = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const COORDINATE = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 4, useGrouping: false });

/** 24197 as 24,197. */
export function inCount(count: number): string {
  return COUNT.format(count);
}

/** A part of a whole in per cent, small ones with a decimal: only nothing reads as 0 %. */
export function inPercent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  if (percent === 0 || percent >= 10) return `${percent.toFixed(0)} %`;
  return percent < 0.1 ? '< 0.1 %' : `${percent.toFixed(1)} %`;
}

export function inBytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

export function inMs(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}

/** Coordinates with four digits each. */
export function inPoint({ x, y, z }: { x: number; y: number; z: number }): string {
  return [x, y, z].map((c) => COORDINATE.format(c)).join(', ');
}

/** The topmost object above one: as a rule the scene that is drawn. */
export function topOf(object: Object3D): Object3D {
  let top = object;
  while (top.parent !== null) top = top.parent;
  return top;
}
