type Attributes = Record<string, string>;

/** Makes an element. Strings become text nodes, never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A mark in a colour of `style/tokens.css`; in none without a name. */
export function swatch(colour = ''): HTMLElement {
  const made = element('span', { class: 'swatch' });
  paint(made, colour);
  return made;
}

/** Gives an element a colour of `style/tokens.css`; without a name it is hidden. */
export function paint(target: HTMLElement | SVGElement, colour: string): void {
  target.style.color = colour && `var(--${colour})`;
  target.style.display = colour ? '' : 'none';
}

/** Writes a text where it differs: the page is laid out anew only for changes. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}.`);
  return found as T;
}
