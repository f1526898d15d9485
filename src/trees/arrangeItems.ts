import { BOX, copyBox } from '../core/box.js';
import type { Layout } from './Layout.js';
import { MortonOrder } from './MortonOrder.js';

/**
 * Builds the tree of a layout anew from the items it holds and the new ones that are given.
 * @param items How many there are in all, new ones included.
 */
export function arrangeItems(layout: Layout, items: number, newIds: Int32Array, newBoxes: Float64Array): void {
  const { rows } = layout.tree;
  const held = items - newIds.length;
  let ids = newIds;
  let boxes = newBoxes;
  if (held > 0) {
    ids = new Int32Array(items);
    boxes = new Float64Array(BOX * items);
    let n = 0;
    for (let id = 0; n < held; id++) {
      if (rows.firstSlot[id] < 0) continue;
      rows.read(rows.firstSlot[id], boxes, BOX * n);
      ids[n++] = id;
    }
    ids.set(newIds, held);
    boxes.set(newBoxes, BOX * held);
  }
  layout.reset(items);
  // Ids and boxes are copied in Morton order, so that all later passes read memory sequentially.
  const curve = new MortonOrder(boxes, layout.ordersByGround);
  const { order } = curve;
  const sortedIds = new Int32Array(ids.length);
  const sortedBoxes = new Float64Array(boxes.length);
  for (let i = 0, o = 0; i < order.length; i++, o += BOX) {
    sortedIds[i] = ids[order[i]];
    copyBox(boxes, BOX * order[i], sortedBoxes, o);
    order[i] = i;
  }
  layout.arrange(sortedIds, sortedBoxes, order, curve);
}
