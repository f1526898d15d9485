import { BOX, contains } from '../../core/box.js';
import type { Layout } from './Layout.js';
import { removeItem } from './removeItem.js';

/**
 * Gives an item a new box: where its entries are if they may stay there, else it is placed anew. Returns true when the
 * tree is outgrown.
 * @param items How many items there are.
 */
export function moveItem(layout: Layout, id: number, box: Float64Array, items: number): boolean {
  const { tree } = layout;
  const { firstSlot, nextSlot } = tree.rows;
  const slot = firstSlot[id];
  if (!tree.multiple || nextSlot[slot] < 0) {
    // What lies within the box of its row lies where others do that may stay.
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
