import { Item } from 'three/addons/inspector/ui/Item.js';
import type { SceneIndex } from '../scene/SceneIndex.js';
import { SceneIndexHelper } from '../scene/SceneIndexHelper.js';
import { checkbox, labelled, topOf } from './widgets.js';

/** Draws the nodes of an index in the scene, on request. */
export class NodesSection {
  readonly item: Item = new Item('Nodes', '');
  readonly #index: SceneIndex;
  #helper: SceneIndexHelper | null = null;
  #isFlat = false;

  constructor(index: SceneIndex) {
    this.#index = index;
    this.item.itemRow.classList.add('no-hover');
    const show = checkbox((isOn) => {
      if (isOn) this.#show();
      else this.dispose();
    });
    const flatten = checkbox((isOn) => {
      this.#isFlat = isOn;
      this.update();
    });
    this.item.add(labelled('Show, coloured by depth', show));
    this.item.add(labelled('Flat, as a map', flatten));
  }

  /** Draws the nodes as they are now. */
  update(): void {
    if (this.#helper === null) return;
    this.#helper.flat = this.#isFlat;
    this.#helper.update();
  }

  /** Takes the nodes out of the scene. */
  dispose(): void {
    this.#helper?.dispose();
    this.#helper = null;
  }

  #show(): void {
    this.dispose();
    this.#helper = new SceneIndexHelper(this.#index, { flat: this.#isFlat });
    // Nodes are in the world, even if the scene is moved.
    this.#helper.matrixWorldAutoUpdate = false;
    topOf(this.#index.root).add(this.#helper);
  }
}
