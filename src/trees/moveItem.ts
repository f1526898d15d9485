import { BOX, contains } from '../core/box.js';
import type { Layout } from './Layout.js';
import { removeItem } from './removeItem.js';

/**
 * Gives an item a new box: in place if its entries may stay, else by placing it anew. Returns true when the tree is
 * outgrown.
 * @param items How many items there are.
 */
export function moveItem(layout: Layout, id: number, box: Float64Array, items: number): boolean {
  const { tree } = layout;
  const { firstSlot, nextSlot } = tree.rows;
  const slot = firstSlot[id];
  if (!tree.multiple || nextSlot[slot] < 0) {
    // If the box lies within that of its row, the layout may accept it by the node alone.
    const child = tree.rowNodeOf(slot);
    if (contains(tree.nodes.box, BOX * child, box, 0) && layout.acceptsWithinRow(tree.nodes.parent[child])) {
      tree.moveWithin(slot, box);
      return false;
    }
    if (layout.canStay(slot, box)) {
      tree.move(slot, box);
      return false;
    }
  } else if (layout.canStayEverywhere(slot, box)) {
    let s = slot;
    do {
      tree.move(s, box);
      s = nextSlot[s];
    } while (s !== slot);
    return false;
  }
  removeItem(layout, id);
  return layout.place(id, box, items);
}
