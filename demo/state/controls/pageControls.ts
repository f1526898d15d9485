import type { IndexOptions, StructureName } from '../../../src/index.js';
import { STRUCTURES } from '../../../src/standalone.js';
import { type Control, choice, range, toggle, type Values } from './Control.js';
import { INDEX_CONTROLS } from './indexControls.js';

/** Levels the filter of node boxes can tell apart. */
export const LEVELS = 16;

/** The ways to draw a world, by their names; each world offers some. */
export const MODES = {
  'Side by side': 'both',
  Levels: 'levels',
  Occlusion: 'occlusion',
  Index: 'index',
  Batched: 'batched',
  'Plain three': 'three',
} as const;

const structures = Object.fromEntries(STRUCTURES.map((name) => [name, name])) as Record<string, StructureName>;

/** What can be changed in every world, by folders of the panel. */
export const FOLDERS = {
  World: {
    theme: choice('Theme', 'auto', { 'As the system': 'auto', Dark: 'dark', Light: 'light' }),
    paused: toggle('Paused', false),
  },
  Index: {
    mode: choice('Drawn by', 'index', MODES),
    /** Where the handle between both ways to draw is. */
    handle: range('Handle, %', 50, [0, 100]),
    structure: choice<StructureName>('Structure', 'packed', structures),
  },
  Nodes: {
    nodes: choice('Show in', 'above', { None: 'none', 'From above': 'above', 'Both views': 'both' }),
    bounds: choice('Boxes of', 'content', { Contents: 'content', Cells: 'cell' }),
    minLevel: range('From level', 0, [0, LEVELS]),
    /** LEVELS means down to the last. */
    maxLevel: range('To level', LEVELS, [0, LEVELS]),
  },
  Player: {
    autopilot: toggle('Autopilot', true),
    /** Colours by class in the player's view as well. */
    classColours: toggle('Class colours', false),
    fov: range('Field of view', 60, [20, 110]),
    far: range('View distance', 150, [2, 500]),
  },
} as const;

type Folders = typeof FOLDERS;
type FolderValues = Values<Folders['World']> &
  Values<Folders['Index']> &
  Values<Folders['Nodes']> &
  Values<Folders['Player']>;

/** The values of all controls of the page, options of the index included. */
export interface PageValues extends FolderValues, Required<IndexOptions> {}

/** The controls of all folders by name, with the options of the structures. */
export const PAGE_CONTROLS: Readonly<Record<string, Control>> = {
  ...FOLDERS.World,
  ...FOLDERS.Index,
  ...INDEX_CONTROLS,
  ...FOLDERS.Nodes,
  ...FOLDERS.Player,
};
