import { isBuiltIn, modeIn, modesOf, WORLD_NAMES, type WorldName, worldEntry } from '../state/catalogue.js';
import type { Mode, Theme } from '../state/Settings.js';
import type { Store } from '../state/Store.js';
import { isLight } from '../state/theme.js';
import { byId, element } from './parts/element.js';

interface Actions {
  openFile: () => void;
  help: () => void;
}

/** The buttons on top, kept in step with the settings. */
export function bindBar(store: Store, { openFile, help }: Actions): void {
  const all = <T extends HTMLElement>(selector: string) => [...document.querySelectorAll<T>(selector)];
  const panel = byId('panel');
  const settingsButton = byId('settings');

  for (const name of WORLD_NAMES) {
    const button = element('button', { type: 'button', 'data-world': name }, worldEntry(name).title);
    button.addEventListener('click', () => (isBuiltIn(name) ? store.set({ world: name }) : openFile()));
    byId('worlds').append(button);
  }
  for (const button of all('[data-mode]')) {
    button.addEventListener('click', () => store.set({ mode: button.dataset.mode as Mode }));
  }
  byId('autopilot').addEventListener('click', () => store.set({ autopilot: !store.settings.autopilot }));
  byId('add').addEventListener('click', () => store.set({ adding: !store.settings.adding }));
  byId('theme').addEventListener('click', () => store.set({ theme: otherTheme(store.settings.theme) }));
  byId('help').addEventListener('click', help);
  const foldButton = byId('fold');
  foldButton.addEventListener('click', () => {
    const isOpen = foldButton.ariaExpanded !== 'true';
    foldButton.ariaExpanded = String(isOpen);
    // Unfolded it may scroll, which a keyboard can do where it has the focus.
    byId('hud').tabIndex = isOpen ? 0 : -1;
  });
  // In a smaller window the panel takes too much of the views, unless a visitor asks for it there.
  const hasRoom = matchMedia('(min-width: 1920px)');
  let isAskedFor = false;
  settingsButton.addEventListener('click', () => {
    const opens = panel.hasAttribute('hidden');
    isAskedFor = opens && !hasRoom.matches;
    showPanel(opens);
  });
  hasRoom.addEventListener('change', () => {
    if (!hasRoom.matches && !isAskedFor) showPanel(false);
  });
  showPanel(hasRoom.matches);

  let inView: WorldName | null = null;
  store.on(null, show);
  show();

  function show(): void {
    const { world, mode, autopilot, adding } = store.settings;
    for (const button of all('[data-world]')) press(button, button.dataset.world === world);
    if (world !== inView) {
      inView = world;
      scrollTo(all(`[data-world=${world}]`)[0]!);
    }
    const modes = modesOf(world);
    const shown = modeIn(world, mode);
    for (const button of all('[data-mode]')) {
      press(button, button.dataset.mode === shown);
      button.hidden = !modes.includes(button.dataset.mode as Mode);
    }
    const plain = worldEntry(world).plainThree ?? 'Everything in view, by three.js without the library';
    byId('modes').querySelector<HTMLElement>('[data-mode=three]')!.title = plain;
    press(byId('autopilot'), autopilot);
    press(byId('add'), adding);
  }

  function showPanel(open: boolean): void {
    panel.hidden = !open;
    settingsButton.setAttribute('aria-expanded', String(open));
  }
}

export function otherTheme(theme: Theme): Theme {
  return isLight(theme) ? 'dark' : 'light';
}

function press(button: HTMLElement, pressed: boolean): void {
  button.setAttribute('aria-pressed', String(pressed));
}

/** Brings a button to the middle of the strip, where that scrolls. */
function scrollTo(button: HTMLElement): void {
  const strip = button.closest('.strip')!;
  const { left, width } = button.getBoundingClientRect();
  strip.scrollLeft += left + width / 2 - strip.getBoundingClientRect().left - strip.clientWidth / 2;
}
