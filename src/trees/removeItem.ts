import type { Layout } from './Layout.js';

/** Removes all entries of an item. */
export function removeItem(layout: Layout, id: number): void {
  const { tree } = layout;
  for (let slot = tree.rows.firstSlot[id]; slot >= 0; slot = tree.rows.firstSlot[id]) {
    const node = tree.nodeOf(slot);
    tree.remove(slot);
    layout.removed(node);
  }
}
