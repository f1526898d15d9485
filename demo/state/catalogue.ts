import type { Controls, Values } from './controls/Control.js';
import { COLLISION_CONTROLS } from './controls/collisionControls.js';
import type { PageValues } from './controls/pageControls.js';
import {
  MILLION_CONTROLS,
  MUSEUM_CONTROLS,
  RANGE_CONTROLS,
  STREET_CONTROLS,
  TOWN_CONTROLS,
} from './controls/worldControls.js';

/** What to look for in a world, and where to read on. */
export interface About {
  /** A sentence or two. */
  look: string;
  /** The code of its view, from the root of the repository. */
  code: string;
  /** The name of a guide in demo/docs/guides, and of an example in demo/examples. */
  guide: string;
  example: string;
}

/** A world on offer. What is listed here appears in the bar, on the panel and in the address of the page. */
export interface WorldEntry {
  title: string;
  /** Shown while it loads. */
  loading: string;
  about: About;
  /** Settings of the page that suit it. */
  defaults: Partial<PageValues>;
  /** Its own controls. The world reads their values while it runs. */
  controls: Controls;
  /** Whose data it shows. */
  credit?: string;
  /** Keys and gestures of its own, for the help. */
  keys?: readonly (readonly [key: string, meaning: string])[];
  /** The ways to draw it, the one it opens with first. */
  modes?: readonly PageValues['mode'][];
  /** What plain three is in it, where that does not draw each object. */
  plainThree?: string;
  /** Whether the renderer is given all of its meshes, which may be drawn in batches. */
  isWhole?: boolean;
  /** Made of files that the user chooses; nothing else can load it. */
  fromFiles?: boolean;
}

/** Of worlds whose objects are drawn by one shader. */
const LISTED = 'Every object is tested by itself, as three.js does; a shader then draws those in view in one call';

/** The code of each world is loaded on demand, by worlds/loadWorld.ts. */
export const CATALOGUE = {
  town: {
    title: 'Town',
    loading: 'Loading…',
    about: {
      look: 'Houses behind the camera turn grey from above: the index skips them. Choose Batched, and watch the draw calls.',
      code: 'demo/worlds/town/townWorld.ts',
      guide: 'batching',
      example: 'batch',
    },
    defaults: { planar: false, far: 150, maxLevel: 3 },
    isWhole: true,
    modes: ['index', 'batched', 'three', 'both'],
    controls: TOWN_CONTROLS,
  },
  cities: {
    title: 'Cities',
    loading: 'Loading 135,233 places…',
    about: {
      look: 'All 135,233 places lie flat on the map, so the boxes of the index do as well. Few of them are ever tested.',
      code: 'demo/worlds/cities/citiesWorld.ts',
      guide: 'structures',
      example: 'quadtree',
    },
    credit: 'City data: GeoNames, CC BY 4.0',
    // The places lie flat on the map, which suits a quadtree. Boxes from level 4 on would cover them.
    defaults: { planar: true, far: 18, maxLevel: 3 },
    plainThree: LISTED,
    controls: {},
  },
  million: {
    title: 'Million',
    loading: 'Placing boxes…',
    about: {
      look: 'One mesh of a million boxes: only those in view are drawn, and the one under the pointer is picked in microseconds.',
      code: 'demo/worlds/million/Million.ts',
      guide: 'instances',
      example: 'instances',
    },
    defaults: { far: 320 },
    controls: MILLION_CONTROLS,
  },
  street: {
    title: 'Street',
    loading: 'Building houses…',
    about: {
      look: 'Most of what is in view lies behind houses and is not drawn: from above it has its own colour.',
      code: 'demo/worlds/street/StreetWorld.ts',
      guide: 'occlusion',
      example: 'cull',
    },
    defaults: { far: 260, maxLevel: 2 },
    modes: ['occlusion', 'index', 'three'],
    controls: STREET_CONTROLS,
  },
  museum: {
    title: 'Museum',
    loading: 'Unpacking scans…',
    about: {
      look: 'Distant scans, trees and hills are drawn with fewer triangles. The settings show the levels in colour, or the difference.',
      code: 'demo/worlds/museum/MuseumWorld.ts',
      guide: 'levels',
      example: 'batch',
    },
    defaults: { far: 380, maxLevel: 2 },
    modes: ['levels', 'batched', 'three'],
    controls: MUSEUM_CONTROLS,
  },
  collisions: {
    title: 'Collisions',
    loading: 'Loading…',
    about: {
      look: 'Objects that touch turn red. Every method finds the same pairs; the table shows what each one needs for it.',
      code: 'demo/worlds/collisions/Collisions.ts',
      guide: 'motion',
      example: 'collide',
    },
    keys: [
      ['1 to 9, 0', 'Choose a method'],
      ['R', 'Run all methods over the same frames'],
      ['L', 'Ramp: more and more objects, up to the limit of each method'],
      ['X', 'A region round the pointer, and which objects each method would look at'],
      ['Click', 'Add an object'],
      ['Esc', 'Stop'],
    ],
    // All objects move, and small nodes separate them early.
    defaults: { capacity: 16 },
    controls: COLLISION_CONTROLS,
  },
  range: {
    title: 'Range',
    loading: 'Loading…',
    about: {
      look: 'The circle is what the player reaches, the shape ahead a skill. The coloured figures are the answers to two queries.',
      code: 'demo/worlds/range/RangeWorld.ts',
      guide: 'picking',
      example: 'nearest',
    },
    defaults: { planar: true, far: 90, maxLevel: 4 },
    plainThree: LISTED,
    controls: RANGE_CONTROLS,
  },
  model: {
    title: 'Your model…',
    loading: 'Reading and measuring the model. Escape cancels.',
    about: {
      look: 'The report says what your model costs in each way, and what would not join a batch, with the reason.',
      code: 'demo/worlds/model/modelWorld.ts',
      guide: 'report',
      example: 'accelerate',
    },
    defaults: { far: 150, maxLevel: 3 },
    isWhole: true,
    modes: ['index', 'batched', 'three'],
    controls: {},
    fromFiles: true,
  },
} as const satisfies Record<string, WorldEntry>;

export type WorldName = keyof typeof CATALOGUE;

/** The worlds that need no files of the user's. */
export type BuiltInWorld = Exclude<WorldName, 'model'>;

/** A card of the tour: of a first visit, and of the help. */
export interface TourStop {
  title: string;
  /** With counts of the frame in braces. */
  text: string;
  /** What it is about, as a selector; the parts that are visible are lit together. */
  about: string;
  /** Shows the nodes in both views. */
  nodes?: true;
  /** Draws the world in this way from then on. */
  mode?: PageValues['mode'];
}

/** What is told of a world in two views. */
export const TOUR: readonly TourStop[] = [
  {
    title: 'This is a scene',
    text: '{total} objects, seen from above. In every frame, three.js tests each one of them.',
    about: '#above',
  },
  {
    title: 'This is what the camera sees',
    text: '{visible} of them. From above they are coloured; everything grey is culled, which means that it is not drawn.',
    about: '#player',
  },
  {
    title: 'This is what the index asked',
    text: 'It tested {boxesTested} boxes in place of {total} objects: a box outside the view is skipped with all that is in it.',
    about: '#player, #above',
    nodes: true,
  },
  {
    title: 'This is what it costs',
    text: 'Choose Index, Batched or Plain three above: each draws the same picture, and these figures say what a frame takes in it.',
    about: '#hud',
  },
  {
    title: 'This is the difference',
    text: 'Plain three draws the left of the handle, three-scene-index the right, both from the same camera. Drag the handle.',
    about: '#player',
    mode: 'both',
  },
];

/** The values of a world's own controls. */
export type WorldValues<N extends WorldName> = Values<(typeof CATALOGUE)[N]['controls']>;

export const WORLD_NAMES = Object.keys(CATALOGUE) as WorldName[];

/** An entry in the terms that all entries share. */
export function worldEntry(name: WorldName): WorldEntry {
  return CATALOGUE[name];
}

export function isBuiltIn(name: WorldName): name is BuiltInWorld {
  return !worldEntry(name).fromFiles;
}

/** The way in which a world is drawn: the chosen one, where it offers that, else its first. */
export function modeIn(name: WorldName, mode: PageValues['mode']): PageValues['mode'] {
  const modes = modesOf(name);
  return modes.includes(mode) ? mode : modes[0]!;
}

/** The ways to draw a world that make a difference in it. */
export function modesOf(name: WorldName): readonly PageValues['mode'][] {
  return worldEntry(name).modes ?? ['index', 'three'];
}
