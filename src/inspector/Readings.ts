import { Item } from 'three/addons/inspector/ui/Item.js';

/** A heading with rows below it, each a name and values that change. */
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

  /** Adds a row; with a colour, of the line of that colour in a graph. */
  add(name: string, color: string | null = null): this {
    const label = document.createElement('span');
    label.textContent = name;
    if (color !== null) label.prepend(swatch(color));
    const values = Array.from({ length: this.#columns }, () => {
      const value = document.createElement('span');
      value.className = 'value';
      value.textContent = '–';
      return value;
    });
    this.item.add(new Item(label, ...values));
    this.#values.set(name, values);
    return this;
  }

  /** Writes the values of a row. */
  set(name: string, ...texts: string[]): void {
    this.#values.get(name)?.forEach((value, i) => {
      const text = texts[i] ?? '';
      // Writing a text, even the same, makes browsers lay out the panel anew.
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
