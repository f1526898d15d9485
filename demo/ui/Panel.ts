import GUI, { type Controller } from 'lil-gui';
import { isBuiltIn, modesOf, WORLD_NAMES, type WorldName, worldEntry } from '../state/catalogue.js';
import type { Controls, Values } from '../state/controls/Control.js';
import { appliesTo, INDEX_CONTROLS } from '../state/controls/indexControls.js';
import { FOLDERS } from '../state/controls/pageControls.js';
import type { Settings } from '../state/Settings.js';
import type { Store } from '../state/Store.js';
import { adoptLilGuiStyles } from './lilGuiStyles.js';

/** Options that the methods of a custom view set themselves. */
const SET_BY_METHODS: ReadonlySet<string> = new Set(['planar', 'looseness']);

/** All settings in one place. Each change is live. */
export class Panel {
  readonly #gui: GUI;
  readonly #store: Store;
  #own: GUI | null = null;
  /** Controls that need a player and a single index, which a custom view has not. */
  readonly #ofPlayers: (GUI | Controller)[];
  #hasPlayer = true;
  readonly #show: () => void;

  constructor(container: HTMLElement, store: Store, openFile: () => void) {
    adoptLilGuiStyles();
    this.#store = store;
    const gui = new GUI({ container, injectStyles: false, title: 'Settings' });
    this.#gui = gui;
    const world = gui.addFolder('World');
    const titles = Object.fromEntries(WORLD_NAMES.map((name) => [worldEntry(name).title, name]));
    const shown = { world: store.settings.world };
    world
      .add(shown, 'world', titles)
      .name('World')
      .onChange((name: WorldName) => (isBuiltIn(name) ? store.set({ world: name }) : openFile()));
    const changed = (name: string) => store.announce([name as keyof Settings]);
    const values = store.settings as unknown as Values;
    fill(world, FOLDERS.World, values, changed);
    const index = gui.addFolder('Index');
    const ofIndex = fill(index, FOLDERS.Index, values, changed);
    const modeSelect = ofIndex[0]![1].domElement.querySelector('select')!;
    const options = fill(index, INDEX_CONTROLS, values, changed);
    fill(gui.addFolder('Nodes'), FOLDERS.Nodes, values, changed);
    const player = gui.addFolder('Player');
    fill(player, FOLDERS.Player, values, changed);
    this.#ofPlayers = [player, ...ofIndex.map(([, controller]) => controller)];

    // Changes made elsewhere show here as well.
    this.#show = () => {
      shown.world = store.settings.world;
      for (const part of this.#ofPlayers) part.show(this.#hasPlayer);
      for (const [name, controller] of options) {
        controller.show(this.#hasPlayer ? appliesTo(name, store.settings.structure) : !SET_BY_METHODS.has(name));
      }
      const modes = modesOf(store.settings.world);
      Object.values(FOLDERS.Index.mode.choices).forEach((mode, i) => {
        const option = modeSelect.options[i]!;
        option.hidden = option.disabled = !modes.includes(mode);
      });
      for (const controller of gui.controllersRecursive()) controller.updateDisplay();
    };
    store.on(null, this.#show);
    this.#show();
  }

  /** Shows the controls of a world in a folder of their own, on top. */
  open(name: WorldName, hasPlayer: boolean, changed: (control: string) => void): void {
    this.#hasPlayer = hasPlayer;
    this.#show();
    this.#own?.destroy();
    this.#own = null;
    const { title, controls } = worldEntry(name);
    if (Object.keys(controls).length === 0) return;
    this.#own = this.#gui.addFolder(title);
    fill(this.#own, controls, this.#store.worldValues[name], changed);
    this.#gui.$children.prepend(this.#own.domElement);
  }
}

/** Adds a line for each control; a change writes the value and then calls `changed`. */
function fill(
  folder: GUI,
  controls: Controls,
  values: Values,
  changed: (name: string) => void,
): [name: string, controller: Controller][] {
  return Object.entries(controls).map(([name, control]) => {
    if (control.kind === 'button') {
      return [name, folder.add({ [name]: () => changed(name) }, name).name(control.label)];
    }
    const controller =
      control.kind === 'range'
        ? folder.add(values, name, control.low, control.high, control.step)
        : control.kind === 'choice'
          ? folder.add(values, name, { ...control.choices })
          : folder.add(values, name);
    return [name, controller.name(control.label).onChange(() => changed(name))];
  });
}
