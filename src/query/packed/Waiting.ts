import { grow } from '../../core/grow.js';

/** Boxes of all levels that wait to be visited, that with the least entry on top. */
export class Waiting {
  /** How many wait. */
  top = 0;
  levels: Int32Array = new Int32Array(64);
  nodes: Int32Array = new Int32Array(64);
  entries: Float32Array = new Float32Array(64);

  /** Puts the nth box of a level below those with a lesser entry, except for the lowest ones, which stay as they are. */
  push(level: number, n: number, entry: number, lowest: number): void {
    if (this.top === this.nodes.length) {
      this.levels = grow(this.levels, this.top + 1);
      this.nodes = grow(this.nodes, this.top + 1);
      this.entries = grow(this.entries, this.top + 1);
    }
    const { levels, nodes, entries } = this;
    let i = this.top++;
    for (; i > lowest && entries[i - 1] < entry; i--) {
      entries[i] = entries[i - 1];
      nodes[i] = nodes[i - 1];
      levels[i] = levels[i - 1];
    }
    levels[i] = level;
    nodes[i] = n;
    entries[i] = entry;
  }
}
