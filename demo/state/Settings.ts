import type { IndexOptions } from '../../src/index.js';
import { modesOf, WORLD_NAMES, type WorldName, worldEntry } from './catalogue.js';
import { startValues } from './controls/Control.js';
import { INDEX_OPTIONS } from './controls/indexControls.js';
import { PAGE_CONTROLS, type PageValues } from './controls/pageControls.js';

/** Everything a user can choose on the page, apart from the controls of single worlds. */
export interface Settings extends PageValues {
  world: WorldName;
  /** A click adds an object. */
  adding: boolean;
}

export type Mode = Settings['mode'];
export type Theme = Settings['theme'];
export type NodesIn = Settings['nodes'];

/** The settings of a fresh page that shows a world. */
export function defaultsOf(world: WorldName): Settings {
  const mode = modesOf(world)[0];
  return { ...startValues(PAGE_CONTROLS), adding: false, mode, ...worldEntry(world).defaults, world } as Settings;
}

/** The settings in which worlds differ: a world opens with its own. */
export function settingsOfWorld(world: WorldName): Partial<Settings> {
  const defaults = defaultsOf(world);
  const names = WORLD_NAMES.flatMap((name) => Object.keys(worldEntry(name).defaults) as (keyof Settings)[]);
  return Object.fromEntries(names.map((name) => [name, defaults[name]]));
}

export function indexOptions(settings: Settings): Required<IndexOptions> {
  return Object.fromEntries(INDEX_OPTIONS.map((name) => [name, settings[name]])) as unknown as Required<IndexOptions>;
}
