import text from '../../node_modules/lil-gui/dist/lil-gui.css?inline';

/**
 * The style sheet of lil-gui without its icon font. That is a data: address, which the policy of this page refuses, and
 * browsers load such fonts whether they are used or not. A constructed sheet is no inline style.
 */
export function adoptLilGuiStyles(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text.replace(/@font-face\s*\{[^}]*\}/g, ''));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
