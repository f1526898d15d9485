import { Item } from 'three/addons/inspector/ui/Item.js';

let count = 0;

/** A row with a control and its label, which is read out, and puts the focus there, as usual. */
export function labelled(name: string, control: HTMLElement): Item {
  const label = document.createElement('label');
  control.id = `three-scene-index-${++count}`;
  label.htmlFor = control.id;
  label.textContent = name;
  // Pages style their own labels.
  Object.assign(label.style, { margin: '0', color: 'inherit', font: 'inherit' });
  return new Item(label, framed(control));
}

/** Controls side by side in the frame that gives them the Inspector's look. */
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

/** The browser's own: that of the Inspector cannot be reached by keyboard. */
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

/** A line that says what came of a click, and is read out when it changes. */
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
