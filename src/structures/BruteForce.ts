import { ROOT } from '../core/storage/Nodes.js';
import { packRows } from './build/packRows.js';
import { type IndexDescriptor, TreeIndex } from './tree/TreeIndex.js';

/**
 * All rows in one list. Upkeep costs next to nothing and a query looks at every row: the right choice for a few hundred
 * items, and the measure for all others.
 */
export class BruteForce extends TreeIndex {
  constructor() {
    super(false);
  }

  protected override get descriptor(): IndexDescriptor {
    return { structure: 'bruteForce', options: {} };
  }

  protected override place(id: number, box: Float64Array): boolean {
    this.tree.insert(ROOT, id, box, 0);
    return false;
  }

  protected override canStay(): boolean {
    return true;
  }

  protected override acceptsWithinRow(): boolean {
    return true;
  }

  protected override removed(): void {
    // The root stays, empty or not.
  }

  protected override validateRules(): string[] {
    const { count, parent, row } = this.tree.nodes;
    const problems: string[] = [];
    for (let node = ROOT + 1; node < count; node++) {
      if (parent[node] >= 0 && row[node] < 0) problems.push(`node ${node} of the list is no row`);
    }
    return problems;
  }

  protected override arrange(ids: Int32Array, boxes: Float64Array, order: Int32Array): void {
    packRows(this.tree, ROOT, ids, boxes, order, 0, ids.length);
  }
}
