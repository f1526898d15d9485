import type { IndexOptions } from '../../src/index.js';
import { CATALOGUE, WORLD_NAMES, type WorldName } from '../worlds/catalogue.js';
import { startValues, type Values } from './Control.js';
import { INDEX_OPTIONS } from './indexControls.js';
import { type FOLDERS, PAGE_CONTROLS } from './pageControls.js';

type Folders = typeof FOLDERS;
type PageValues = Values<Folders['World']> &
  Values<Folders['Index']> &
  Values<Folders['Nodes']> &
  Values<Folders['Player']>;

export interface Settings extends PageValues, Required<IndexOptions> {
  world: WorldName;
  /** A click adds an object. */
  adding: boolean;
}

export type Mode = Settings['mode'];
export type Theme = Settings['theme'];
export type NodesIn = Settings['nodes'];

/** What a fresh page shows of a world. */
export function defaultsOf(world: WorldName): Settings {
  return { ...startValues(PAGE_CONTROLS), adding: false, ...CATALOGUE[world].defaults, world } as Settings;
}

/** The settings on which worlds differ: they start anew with each. */
export function settingsOfWorld(world: WorldName): Partial<Settings> {
  const defaults = defaultsOf(world);
  const names = WORLD_NAMES.flatMap((name) => Object.keys(CATALOGUE[name].defaults) as (keyof Settings)[]);
  return Object.fromEntries(names.map((name) => [name, defaults[name]]));
}

export function indexOptions(settings: Settings): Required<IndexOptions> {
  return Object.fromEntries(INDEX_OPTIONS.map((name) => [name, settings[name]])) as unknown as Required<IndexOptions>;
}
