import type { Theme } from './Settings.js';

const light = matchMedia('(prefers-color-scheme: light)');

export function isLight(theme: Theme): boolean {
  return theme === 'auto' ? light.matches : theme === 'light';
}

/** Sets the theme of the page. */
export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'auto') delete dataset.theme;
  else dataset.theme = theme;
}

export function onSystemTheme(changed: () => void): void {
  light.addEventListener('change', changed);
}
