import type { Item } from 'three/addons/inspector/ui/Item.js';
import { batchReports } from '../batching/MeshBatching.js';
import { STRUCTURES, type StructureName } from '../contract/SpatialIndex.js';
import { AcceleratedScene } from '../render/accelerate.js';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';
import { maintain, stats } from '../scene/structure.js';
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

const ROWS = [
  'Nodes',
  'Depth',
  'Memory',
  'In order',
  'Followed objects',
  'Checked by each update',
  'Left out, bounds NaN',
];

/** The structure of an index, what it costs, and buttons to maintain or rebuild it. */
export class UpkeepSection {
  readonly item: Item;
  readonly #index: SceneIndex;
  readonly #readings = new Readings('Upkeep');
  readonly #structure: HTMLSelectElement;
  readonly #batching: HTMLInputElement | null;
  readonly #status = statusLine();
  #version = -1;

  /** @param changed Called after each change of the index. */
  constructor(index: SceneIndex, changed: () => void) {
    this.#index = index;
    this.item = this.#readings.item;
    this.#structure = select(STRUCTURES, (name) => this.#do(() => this.#restructure(name), changed));
    this.item.add(labelled('Structure', this.#structure));
    this.#batching = index instanceof AcceleratedScene ? this.#addBatching(index, changed) : null;
    this.#readings.add(ROWS);
    const maintaining = button('Maintain', () => this.#do(() => maintain(index, Number.POSITIVE_INFINITY), changed));
    const rebuilding = button('Rebuild', () =>
      this.#do(() => partsOf(index, 'SceneIndexTab').entries.index.rebuild(), changed),
    );
    this.item.add(wide(framed(maintaining, rebuilding)));
    this.item.add(wide(this.#status));
  }

  /** Shows the index as it is now; counts again only after changes. */
  show(): void {
    const { structure, version, root } = this.#index;
    this.#structure.value = structure;
    if (this.#batching !== null) this.#batching.checked = batchReports.get(root)?.isWhole === true;
    if (version === this.#version) return;
    this.#version = version;
    const { nodes, height, bytes, quality, tracked, dynamic, quarantined } = stats(this.#index);
    const counts = [tracked, dynamic, quarantined].map(inCount);
    const texts = [inCount(nodes), inCount(height), inBytes(bytes), inPercent(quality, 1), ...counts];
    for (const [i, text] of texts.entries()) this.#readings.set(ROWS[i], text);
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
    this.#index.setStructure(createIndex(name));
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
