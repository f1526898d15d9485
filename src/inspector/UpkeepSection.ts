import type { Item } from 'three/addons/inspector/ui/Item.js';
import { batchReports } from '../batching/MeshBatching.js';
import { STRUCTURES, type StructureName } from '../contract/SpatialIndex.js';
import { structureOf } from '../contract/Structure.js';
import { AcceleratedScene } from '../render/accelerate.js';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';
import { maintainScene, sceneStats } from '../scene/structure.js';
import { createIndex } from '../structures/createIndex.js';
import {
  button,
  checkbox,
  framed,
  inBytes,
  inCount,
  inMs,
  inPercent,
  labelled,
  Readings,
  select,
  statusLine,
  wide,
} from './widgets.js';

/** The structure of an index, what it costs, and what can be done about it. */
export class UpkeepSection {
  readonly item: Item;
  readonly #index: SceneIndex;
  readonly #readings = new Readings('Upkeep');
  readonly #structure: HTMLSelectElement;
  readonly #batching: HTMLInputElement | null;
  readonly #status = statusLine();
  /** Options of every structure that there was, as a structure knows only its own. */
  #options = {};
  #version = -1;

  /** @param changed Called after each change of the index. */
  constructor(index: SceneIndex, changed: () => void) {
    this.#index = index;
    this.item = this.#readings.item;
    this.#structure = select(STRUCTURES, (name) => this.#do(() => this.#restructure(name), changed));
    this.item.add(labelled('Structure', this.#structure));
    this.#batching = index instanceof AcceleratedScene ? this.#addBatching(index, changed) : null;
    this.#readings
      .add('Nodes')
      .add('Depth')
      .add('Memory')
      .add('In order')
      .add('Followed objects')
      .add('Looked at by each update')
      .add('Left out, bounds NaN');
    const maintain = button('Maintain', () => this.#do(() => maintainScene(index, Number.POSITIVE_INFINITY), changed));
    const rebuild = button('Rebuild', () =>
      this.#do(() => partsOf(index, 'SceneIndexTab').entries.index.rebuild(), changed),
    );
    this.item.add(wide(framed(maintain, rebuild)));
    this.item.add(wide(this.#status));
  }

  /** Shows the index as it is now. Counts only after changes. */
  show(): void {
    const { structure, version, root } = this.#index;
    this.#structure.value = structure;
    if (this.#batching !== null) this.#batching.checked = batchReports.get(root)?.isWhole === true;
    if (version === this.#version) return;
    this.#version = version;
    const stats = sceneStats(this.#index);
    this.#readings.set('Nodes', inCount(stats.nodes));
    this.#readings.set('Depth', inCount(stats.height));
    this.#readings.set('Memory', inBytes(stats.bytes));
    this.#readings.set('In order', inPercent(stats.quality, 1));
    this.#readings.set('Followed objects', inCount(stats.tracked));
    this.#readings.set('Looked at by each update', inCount(stats.dynamic));
    this.#readings.set('Left out, bounds NaN', inCount(stats.quarantined));
  }

  #addBatching(index: AcceleratedScene, changed: () => void): HTMLInputElement {
    const input = checkbox((isOn) => {
      index.batch(index.root, isOn);
      changed();
    });
    this.item.add(labelled('Draw in batches', input));
    return input;
  }

  #restructure(name: StructureName): void {
    const { entries } = partsOf(this.#index, 'SceneIndexTab');
    this.#options = { ...this.#options, ...structureOf(entries.measured, 'SceneIndexTab').options };
    this.#index.setIndex(createIndex(name, this.#options));
  }

  /** Does something to the index and says how long it took. */
  #do(act: () => void, changed: () => void): void {
    const start = performance.now();
    act();
    this.#status.textContent = `Done in ${inMs(performance.now() - start)}.`;
    this.#version = -1;
    changed();
  }
}
