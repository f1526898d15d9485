import type { Theme } from '../state/Settings.js';
import { applyTheme, isLight } from '../state/theme.js';

/** The theme is in the address, as in the demo, and goes along with the links of the page. T toggles it. */
export function bindTheme(button: HTMLElement): void {
  button.addEventListener('click', toggle);
  addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 't' || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (!(event.target as HTMLElement).closest('input:not([type=checkbox]), select, textarea')) toggle();
  });
  showTheme();
}

function toggle(): void {
  const params = new URLSearchParams(location.search);
  params.set('theme', isLight(current()) ? 'dark' : 'light');
  history.replaceState(null, '', `?${params}`);
  showTheme();
}

/** Gives the page, and the links on it, the theme of its address. */
export function showTheme(): void {
  const theme = current();
  applyTheme(theme);
  for (const link of document.links) {
    if (link.origin !== location.origin) continue;
    const params = new URLSearchParams(link.search);
    if (theme === 'auto') params.delete('theme');
    else params.set('theme', theme);
    link.search = params.toString();
  }
}

function current(): Theme {
  const asked = new URLSearchParams(location.search).get('theme');
  return asked === 'dark' || asked === 'light' ? asked : 'auto';
}
