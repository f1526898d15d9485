import { describe, expect, it, test } from 'vitest';
import { createIndex, forEachNode, STRUCTURES, stats } from '../../src/standalone.js';
import { ROOT } from '../../src/trees/Nodes.js';
import { HOSTILE_ORDERS } from '../helpers/hostileOrders.js';
import { TREES, treeOf } from '../helpers/partsOf.js';
import { random } from '../helpers/random.js';

/** Small boxes everywhere, and one without end. */
function someBoxes(count: number): Float64Array {
  const next = random(5);
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 3; c++) {
      boxes[6 * i + c] = 100 * next();
      boxes[6 * i + c + 3] = boxes[6 * i + c] + 2 * next();
    }
  }
  boxes[3] = Number.POSITIVE_INFINITY;
  return boxes;
}

test.each(STRUCTURES)('%s: nodes name the items placed in them, and every item is in one', (name) => {
  const index = createIndex(name, { capacity: 4 });
  const ids = index.addAll(someBoxes(400));
  for (let i = 0; i < 400; i += 3) index.remove(ids[i]);
  for (let i = 1; i < 400; i += 3) index.update(ids[i], [1, 2, 3, 4, 5, 6]);
  const seen: number[] = [];
  let entries = 0;
  forEachNode(index, (node) => {
    expect(node.ids.length).toBe(node.items);
    entries += node.items;
    seen.push(...node.ids);
    for (const id of node.ids) {
      const box = index.getBox(id);
      const isWithin = [0, 1, 2].every((c) => box[c] >= node.box[c] && box[c + 3] <= node.box[c + 3]);
      if (!isWithin) expect([...box], `item ${id} of a node`).toEqual([...node.box]);
    }
  });
  expect(entries).toBe(stats(index).copies);
  expect([...new Set(seen)].sort((a, b) => a - b)).toEqual(
    [...ids].filter((id) => index.has(id)).sort((a, b) => a - b),
  );
});

test.each(STRUCTURES)('%s: what is emptied gives its memory back', (name) => {
  const index = createIndex(name);
  const empty = stats(index).bytes;
  for (const clear of [
    () => index.clear(),
    () => {
      for (let id = 0; id < 20_000; id++) index.remove(id);
    },
  ]) {
    index.addAll(someBoxes(20_000));
    index.queryPlanes([]);
    expect(stats(index).bytes).toBeGreaterThan(1e6);
    clear();
    expect(stats(index).bytes).toBeLessThanOrEqual(2 * empty);
  }
});

test.each(STRUCTURES)('%s: nothing is in an index without items, not even where nothing is asked for', (name) => {
  const index = createIndex(name);
  expect(index.queryPlanes([]).toArray()).toEqual([]);
  index.remove(index.add([0, 0, 0, 1, 1, 1]));
  expect(index.queryPlanes([]).toArray()).toEqual([]);
});

describe.each(TREES)('%s, filled one by one with', (name) => {
  it.each(HOSTILE_ORDERS)('$label, takes at most twice the memory of one built at once', ({ make }) => {
    for (const count of [300, 1000, 1500]) {
      const index = createIndex(name);
      for (const box of make(count)) index.add(box);
      const { bytes } = stats(index);
      index.rebuild();
      expect(bytes).toBeLessThanOrEqual(2 * stats(index).bytes);
    }
  });
});

test.each(TREES)('%s: rows are counted as long as there is something in them', (name) => {
  const index = createIndex(name, { capacity: 16 });
  const ids = index.addAll(someBoxes(2000));
  const { rows } = treeOf(index);
  for (let i = 0; i < 2000; i++) {
    // Those of the middle first, so that free rows lie between others.
    index.remove(ids[(i + 700) % 2000]);
    if (i % 100 > 0) continue;
    expect(stats(index).rows).toBe(rows.sizes.subarray(0, rows.count).filter((size) => size > 0).length);
    expect(stats(index).rows).toBeLessThanOrEqual(stats(index).copies);
  }
});

test.each(['octree', 'looseOctree'] as const)('%s: built at once, it skips cells that would part nothing', (name) => {
  const far = Float64Array.from(someBoxes(400).slice(6), (c) => c + 1e12);
  const boxes = [...someBoxes(400).slice(6), ...far];
  const index = createIndex(name);
  index.addAll(boxes);
  // The world has 2^34 times the extent of either cluster.
  expect(stats(index).height).toBeLessThan(10);
});

test.each(TREES)('%s: the boxes of nodes are tight, whatever has gone', (name) => {
  const next = random(6);
  const index = createIndex(name, { capacity: 8 });
  const ids = [...index.addAll(someBoxes(300).slice(6))];
  const { nodes, rows } = treeOf(index);
  while (ids.length > 0) {
    const [id] = ids.splice(Math.floor(next() * ids.length), 1);
    if (next() < 0.2) index.update(id, [200, 200, 200, 300, 300, 300]);
    index.remove(id);
    const bounds = index.getBounds();
    if (ids.length > 0) expect([...nodes.box.subarray(0, 6)]).toEqual([...bounds]);
    for (let node = ROOT; node >= 0; node = nodes.following(node)) {
      const box = new Float64Array(6);
      if (nodes.row[node] < 0) continue;
      rows.tighten(nodes.row[node], box);
      expect([...nodes.box.subarray(6 * node, 6 * node + 6)]).toEqual([...box]);
    }
  }
});

test.each(['octree', 'looseOctree'] as const)('%s: heights do not count in a planar tree', (name) => {
  const index = createIndex(name, { planar: true, capacity: 4 });
  for (let i = 0; i < 50; i++) index.add([i, 0, 50 - i, i + 1, 1e6, 51 - i]);
  const edges: number[] = [];
  forEachNode(index, ({ cell, depth }) => {
    edges.push(cell[3] - cell[0]);
    if (depth > 0) expect(cell[5] - cell[2]).toBe(2 ** Math.round(Math.log2(cell[3] - cell[0])));
  });
  expect(edges.length).toBeGreaterThan(4);
  expect(Math.max(...edges)).toBeLessThanOrEqual(256);
});
