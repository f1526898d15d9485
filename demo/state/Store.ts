import { WORLD_NAMES, type WorldName, type WorldValues, worldEntry } from './catalogue.js';
import { startValues } from './controls/Control.js';
import { defaultsOf, type Settings } from './Settings.js';

type AllWorldValues = { readonly [N in WorldName]: WorldValues<N> };
type Listener = (settings: Settings) => void;

/** The settings of the page. Changes go through `set`, and listeners react to them. */
export class Store {
  readonly settings: Settings = defaultsOf('town');
  /** The values of the controls that each world brings. */
  readonly worldValues = Object.fromEntries(
    WORLD_NAMES.map((name) => [name, startValues(worldEntry(name).controls)]),
  ) as AllWorldValues;
  readonly #listeners: { keys: ReadonlySet<keyof Settings> | null; listener: Listener }[] = [];

  /** Calls back after a change of any of the keys; without keys after every change. */
  on(keys: (keyof Settings)[] | null, listener: Listener): void {
    this.#listeners.push({ keys: keys && new Set(keys), listener });
  }

  set(patch: Partial<Settings>): void {
    const { settings } = this;
    const changed = (Object.keys(patch) as (keyof Settings)[]).filter((key) => settings[key] !== patch[key]);
    if (changed.length === 0) return;
    Object.assign(settings, patch);
    this.announce(changed);
  }

  /** For controls that write into `settings` or `worldValues` themselves. */
  announce(changed: (keyof Settings)[]): void {
    for (const { keys, listener } of this.#listeners) {
      if (!keys || changed.some((key) => keys.has(key))) listener(this.settings);
    }
  }
}
