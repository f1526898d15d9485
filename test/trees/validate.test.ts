import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { grow } from '../../src/core/arrays.js';
import type { PackedItems } from '../../src/packed/PackedItems.js';
import { Bvh, createIndex, Grid, LooseOctree, type SpatialIndex, type StructureName } from '../../src/standalone.js';
import { ADDRESS, type GridLayout, keyOf, TIERS } from '../../src/trees/grid/Grid.js';
import type { CellLayout } from '../../src/trees/octree/CellLayout.js';
import { CellNodes } from '../../src/trees/octree/CellNodes.js';
import { OneNode } from '../../src/trees/octree/placement.js';
import { Tree } from '../../src/trees/Tree.js';
import { layoutOf, packedOf, TREES, treeOf } from '../helpers/partsOf.js';
import { random } from '../helpers/random.js';
import { validateCells } from '../helpers/validate/validateCells.js';
import { placeOf } from '../helpers/validate/validateGrid.js';
import { validate } from '../helpers/validate.js';

const ROOT = 0;
const ROW = 16;
const UNIT = [0, 0, 0, 1, 1, 1];
const ENDLESS = Number.POSITIVE_INFINITY;

/** All that has been reported here. */
const reported = new Set<string>();

/** What is wrong with an index, in a text of lines. */
function report(index: SpatialIndex): string {
  const problems = validate(index);
  for (const problem of problems) reported.add(problem);
  return problems.join('\n');
}

/** A number of boxes of 1 in a world of 100, and one without an end. */
function boxes(count: number, seed: number): Float64Array {
  const next = random(seed);
  const found = Array.from({ length: count }, () => [next() * 100, next() * 100, next() * 100]);
  return Float64Array.from([...found.flatMap((at) => [...at, ...at.map((c) => c + 1)]), 0, 0, 0, 1, 1, ENDLESS]);
}

type Faults<T> = [report: RegExp, spoil: (inside: T) => unknown][];

/** A test for each fault: what is made is sound, and reported once it is spoiled. */
function testFaults<T>(make: () => { index: SpatialIndex; inside: T }, faults: Faults<T>): void {
  it.each(faults)('%s', (expected, spoil) => {
    const { index, inside } = make();
    expect(validate(index)).toEqual([]);
    spoil(inside);
    expect(report(index)).toMatch(expected);
  });
}

/** With a row node, not the first of its list; an inner node below the root, or the root where there are no others. */
function healthy(name: StructureName) {
  const index = createIndex(name, { capacity: 8 });
  for (let o = 0, all = boxes(300, 1); o < all.length; o += 6) index.add(all.subarray(o, o + 6));
  index.remove(7);
  const tree = treeOf(index);
  const { nodes, rows } = tree;
  const live = Array.from({ length: nodes.count }, (_, i) => i).filter((n) => n === ROOT || nodes.parent[n] >= 0);
  const leaf =
    live.find((n) => nodes.row[n] >= 0 && rows.sizes[nodes.row[n]] >= 2 && nodes.parent[n] !== ROOT) ??
    (live.find((n) => nodes.row[n] >= 0 && rows.sizes[nodes.row[n]] >= 2) as number);
  const inner = live.reverse().find((n) => n !== ROOT && nodes.row[n] < 0 && nodes.first[n] >= 0) ?? ROOT;
  return { index, inside: { nodes, rows, tree, leaf, inner, seat: ROW * nodes.row[leaf] } };
}

const FAULTS: Faults<ReturnType<typeof healthy>['inside']> = [
  [/has parent|does not/, ({ nodes, leaf }) => (nodes.parent[leaf] = leaf)],
  [/counts \d+ entries, but has \d+/, ({ nodes, inner }) => nodes.copies[inner]--],
  [/counts \d+ entries, but has \d+/, ({ nodes, leaf }) => nodes.copies[leaf]++],
  [/does not hold that of its child/, ({ nodes, inner }) => (nodes.box[6 * inner + 3] = nodes.box[6 * inner])],
  [/the box of node 0 does not hold/, ({ nodes }) => (nodes.box[4] = -1)],
  [/does not hold/, ({ nodes, inner }) => (nodes.box[6 * inner + 1] = Number.NaN)],
  [/the box of row \d+ does not hold that of item/, ({ nodes, leaf }) => (nodes.box[6 * leaf + 3] -= 0.001)],
  [
    /the box of row \d+ does not hold that of item/,
    ({ rows, leaf, nodes }) => rows.write(ROW * nodes.row[leaf], [-500, -500, -500, 500, 500, 500], 0),
  ],
  [/has entries at .*, but names/, ({ rows, seat }) => (rows.firstSeat[rows.ids[seat]] = -1)],
  [/has entries at .*, but names/, ({ rows, seat }) => (rows.firstSeat[rows.ids[seat]] = seat + 1)],
  [/has entries at .*, but names/, ({ rows, seat }) => (rows.nextSeat[seat] = seat + 1)],
  [/form no ring/, ({ rows, seat }) => (rows.nextSeat[seat] = seat)],
  [/item 7 has entries, but is not live/, ({ rows, seat }) => (rows.ids[seat] = 7)],
  [/entries at|has 2 entries/, ({ rows, seat }) => (rows.ids[seat] = rows.ids[seat + 1])],
  [
    /items are live, but \d+ have entries/,
    ({ tree, rows }) => {
      tree.remove(rows.firstSeat[5]);
      tree.prune(ROOT);
      while (rows.firstSeat[5] >= 0) tree.remove(rows.firstSeat[5]);
    },
  ],
  [/is empty/, ({ tree }) => tree.addNode(ROOT)],
  [/has 0 entries/, ({ tree }) => tree.addRow(ROOT, true)],
  [/belongs to node \d+, but hangs at/, ({ rows, nodes, leaf }) => (rows.nodes[nodes.row[leaf]] = ROOT)],
  [
    /does not point back|wrong end/,
    ({ nodes }) => {
      const second = nodes.next[nodes.first[ROOT]];
      if (second >= 0) nodes.prev[second] = second;
      else nodes.prev[nodes.first[ROOT]] = ROOT;
    },
  ],
  [/wrong end|does not point back/, ({ nodes }) => (nodes.prev[nodes.first[ROOT]] = 5000)],
  [/were handed out, but/, ({ nodes }) => nodes.alloc()],
  [
    /rows were handed out, but \d+ are in use and -1 are free/,
    ({ rows, leaf }) => {
      const row = rows.alloc(leaf);
      rows.free(row);
      rows.nodes[row] = row;
    },
  ],
  [/nodes were handed out, but/, ({ nodes }) => nodes.unlink(nodes.prev[nodes.first[ROOT]])],
  [/entry \d+ of item \d+ is not marked as the primary one/, ({ rows, seat }) => (rows.ids[seat] = ~rows.ids[seat])],
  [
    /entry \d+ of item \d+ is marked as the primary one/,
    ({ rows, seat }) => (rows.firstSeat[rows.ids[seat]] = seat + 1),
  ],
  [
    /node \d+ lies 129 steps below the root/,
    ({ tree }) => {
      let node = ROOT;
      for (let i = 0; i < 129; i++) node = tree.addNode(node);
    },
  ],
  [/has 17 entries/, ({ rows, nodes, leaf }) => (rows.sizes[nodes.row[leaf]] = 17)],
];

describe.each(TREES)('validate of %s reports', (name) => {
  testFaults(() => healthy(name), FAULTS);

  it('a list that runs in a circle, and comes to an end', () => {
    const { index, inside } = healthy(name);
    const { nodes } = inside;
    const list = nodes.first[ROOT] === nodes.prev[nodes.first[ROOT]] ? nodes.first[ROOT] : ROOT;
    nodes.next[nodes.prev[nodes.first[list]]] = nodes.first[list];
    let reads = 0;
    nodes.next = new Proxy(nodes.next, {
      get(array, place) {
        if (++reads > 100_000) throw new Error('endless');
        return Reflect.get(array, place, array);
      },
    });
    expect(report(index)).toMatch(`the list of ${list} comes back to ${nodes.first[list]}`);
  });

  it('a node reached twice', () => {
    if (name === 'bruteForce') return;
    const { index, inside } = healthy(name);
    const { nodes, inner } = inside;
    const other = Array.from({ length: nodes.count }, (_, i) => i).find(
      (n) => nodes.row[n] >= 0 && nodes.parent[n] !== inner && nodes.parent[n] !== ROOT && nodes.next[n] < 0,
    ) as number;
    nodes.next[nodes.prev[nodes.first[inner]]] = other;
    expect(report(index)).toMatch(`node ${other} is reached twice`);
  });

  it('entries of an item with different boxes', () => {
    if (name !== 'octree') return;
    const { index, inside } = healthy(name);
    const { rows } = inside;
    const id = rows.firstSeat.findIndex((seat) => seat >= 0 && rows.nextSeat[seat] >= 0);
    rows.write(rows.nextSeat[rows.firstSeat[id]], [0, 0, 0, 1, 1, 1], 0);
    expect(report(index)).toMatch(`item ${id} has different boxes in its entries`);
  });

  it('a row node behind an inner node', () => {
    if (name === 'bruteForce') return;
    const { index, inside } = healthy(name);
    const row = inside.tree.addRow(ROOT, false);
    inside.rows.append(inside.nodes.row[row], 7, [0, 0, 0, 1, 1, 1], 0);
    expect(report(index)).toMatch(/comes behind inner nodes/);
  });
});

/** With the uppermost cell, its children, and a leaf somewhere below. */
function looseOctree() {
  const index = new LooseOctree({ capacity: 4 });
  index.addAll(boxes(300, 2));
  const tree = treeOf(index);
  const { nodes } = tree;
  const childrenOf = (node: number): number[] => {
    const found: number[] = [];
    for (let child = nodes.first[node]; child >= 0; child = nodes.next[child])
      if (nodes.row[child] < 0) found.push(child);
    return found;
  };
  const [top] = childrenOf(ROOT);
  const children = childrenOf(top);
  expect(children.length).toBeGreaterThan(1);
  let leaf = top;
  for (let below = childrenOf(leaf); below.length > 0; below = childrenOf(leaf)) leaf = below[0];
  return { index, inside: { nodes, tree, cells: layoutOf<CellLayout>(index).cells.cells, top, children, leaf } };
}

describe('validate of a tree of cells reports', () => {
  testFaults(looseOctree, [
    [/cell \d+ sticks out of its octant of/, ({ cells, children }) => (cells[4 * children[0] + 3] *= 8)],
    [/has two children in octant \d/, ({ cells, children: [a, b] }) => cells.copyWithin(4 * b, 4 * a, 4 * a + 4)],
    [/item \d+ is not to be in cell/, ({ cells, leaf }) => (cells[4 * leaf] += 1e6)],
    [/item 301 is bounded, but in no cell/, ({ tree }) => tree.insert(ROOT, 301, UNIT, 0)],
    [/has a child, but is not divided/, ({ tree, leaf }) => tree.addNode(leaf)],
    [/cell \d+ knows of 0 levels below it, but \d+ has as many/, ({ tree, leaf }) => tree.addNode(leaf)],
    [
      /cell \d+ lies 25 levels below the top, more than 24/,
      ({ tree, leaf }) => {
        for (let node = leaf, i = 0; i < 25; i++) node = tree.addNode(node);
      },
    ],
  ]);
});

it('validate of a tree of cells reports an item that is in a cell twice, and levels that are there no more', () => {
  const tree = new Tree(true);
  const cells = new CellNodes(tree, false);
  const unit = Float64Array.from([0, 0, 0, 1]);
  let node = cells.add(ROOT, unit, 4);
  for (let i = 0; i < 2; i++) tree.insert(node, 0, [0, 0, 0, 0, 0, 0], 0);
  for (let level = 0; level < 3; level++) node = cells.add(node, unit, 4);
  for (let up = tree.nodes.parent[node]; up !== cells.top; node = up, up = tree.nodes.parent[node])
    tree.nodes.unlink(node);
  const problems = validateCells(tree, cells, new OneNode(2, false), 2);
  for (const problem of problems) reported.add(problem);
  expect(problems).toContain('item 0 is in cell 1 twice');
  expect(problems).toContain('the cells know of 3 levels, more than 2');
});

/** With a cell of the lowest level that has siblings, its place, and a cell of another level, not below the root. */
function grid() {
  const index = new Grid({ cellSize: 10 });
  index.addAll(boxes(600, 3));
  const layout = layoutOf<GridLayout>(index);
  const tree = treeOf(index);
  const { nodes } = tree;
  const { count, parent, row, first, next } = nodes;
  const all = Array.from({ length: count }, (_, n) => n).filter((n) => parent[n] >= 0 && row[n] < 0);
  const leaf = all.find((n) => placeOf(layout, n)[0] === 0 && next[first[parent[n]]] >= 0) as number;
  const inner = all.find((n) => placeOf(layout, n)[0] === 2) as number;
  return { index, inside: { layout, tree, nodes, leaf, place: placeOf(layout, leaf), inner } };
}

/** Puts an item of a size into a cell, beside its corner by some distance. */
function put(
  { tree, leaf, place }: ReturnType<typeof grid>['inside'],
  dx: number,
  dy: number,
  dz: number,
  size: number,
): void {
  const low = [dx, dy, dz].map((by, c) => 10 * place[c + 1] + by);
  tree.insert(leaf, 601, [...low, ...low.map((c) => c + size)], 0);
}

describe('validate of a grid reports', () => {
  testFaults(grid, [
    [/cell \d+ is not found at its place/, ({ layout, leaf }) => (layout.addresses[ADDRESS * leaf + 1] += 100)],
    [/cell \d+ is not found at its place/, ({ layout, inner }) => layout.addresses[ADDRESS * inner]++],
    [
      /cell \d+ is not found at its place(.|\n)*\d+ cells are noted, but \d+ are in the tree/,
      ({ layout, place }) => layout.cells.delete(keyOf(...place)),
    ],
    [/\d+ cells are noted, but \d+ are/, ({ layout, nodes }) => layout.cells.set(999, nodes.alloc())],
    [
      /cell \d+ is not found at its place/,
      ({ layout, tree, nodes, leaf, place }) => {
        const twin = tree.addNode(nodes.parent[leaf]);
        layout.addresses = grow(layout.addresses, ADDRESS * (twin + 1));
        layout.addresses.set(place, ADDRESS * twin);
        layout.cells.set(keyOf(...place), twin);
        tree.insert(twin, 601, UNIT, 0);
      },
    ],
    [
      /cell \d+ hangs below \d+, not below \d+/,
      ({ nodes, leaf }) => {
        nodes.unlink(leaf);
        nodes.link(leaf, ROOT, false);
      },
    ],
    [
      /cell \d+ hangs below \d+, not below 0/,
      ({ layout, tree, inner }) => {
        const top = tree.addNode(inner);
        layout.addresses = grow(layout.addresses, ADDRESS * (top + 1));
        layout.addresses[ADDRESS * top] = TIERS - 1;
      },
    ],
    [/node \d+ is empty/, ({ layout, tree }) => layout.cells.set(keyOf(TIERS - 1, 99, 99, 99), tree.addNode(ROOT))],
    [/item \d+ is not to be in cell \d+/, (inside) => put(inside, 25, 0, 0, 1)],
    [/item \d+ is not to be in cell \d+/, (inside) => put(inside, 0, -25, 0, 1)],
    [/item \d+ is not to be in cell \d+/, (inside) => put(inside, 0, 0, 25, 1)],
    [/item \d+ is not to be in cell \d+/, (inside) => put(inside, -20, 0, 0, 45)],
    [/item \d+ is not to be in cell \d+/, ({ tree, inner }) => tree.insert(inner, 601, UNIT, 0)],
    [/item \d+ is not to be in cell 0/, ({ tree }) => tree.insert(ROOT, 601, UNIT, 0)],
    [/item \d+ is not to be in cell/, ({ tree, leaf }) => tree.insert(leaf, 601, [0, 0, ENDLESS, 1, 1, ENDLESS], 0)],
  ]);

  it('nothing of an item that lies half a cell beyond its cell', () => {
    const { index, inside } = grid();
    put(inside, 9.5, 0, 0, 1);
    expect(validate(index).filter((problem) => problem.includes('not to be in'))).toEqual([]);
  });
});

/** With the node of unbounded items, the top, and a row far down whose sibling is a row as well, with its parent. */
function bvh() {
  const index = new Bvh();
  for (let o = 0, all = boxes(600, 4); o < all.length; o += 6) index.add(all.subarray(o, o + 6));
  const tree = treeOf(index);
  const { nodes, rows } = tree;
  const { first, next, box, row } = nodes;
  const ends = [first[ROOT], next[first[ROOT]]];
  const [outside, top] = box[6 * ends[0] + 5] === ENDLESS ? ends : ends.reverse();
  let leaf = top;
  while (row[leaf] < 0) leaf = row[first[leaf]] < 0 ? first[leaf] : next[first[leaf]];
  return { index, inside: { tree, nodes, rows, outside, top, leaf, parent: nodes.parent[leaf], row: row[leaf] } };
}

function addRow({ tree, nodes, rows }: ReturnType<typeof bvh>['inside'], parent: number): void {
  rows.append(nodes.row[tree.addRow(parent, true)], 999, UNIT, 0);
}

describe('validate of a bounding volume hierarchy reports', () => {
  testFaults(bvh, [
    [
      /the tree of 601 items is \d+ high/,
      ({ tree, nodes, leaf, parent }) => {
        nodes.unlink(leaf);
        let node = parent;
        for (let i = 0; i < 30; i++) {
          node = tree.addNode(node);
          nodes.copies[node] = nodes.copies[leaf];
          nodes.box.copyWithin(6 * node, 6 * leaf, 6 * leaf + 6);
        }
        nodes.link(leaf, node, true);
      },
    ],
    [/node \d+ has 1 children/, ({ nodes, leaf }) => nodes.unlink(leaf)],
    [/node \d+ has 3 children/, (inside) => addRow(inside, inside.parent)],
    [/the root has 3 children/, (inside) => addRow(inside, ROOT)],
    [/the box of node \d+ is larger than its children/, ({ nodes, parent }) => (nodes.box[6 * parent + 4] += 1e-9)],
    [/item \d+ is unbounded, but in row \d+/, ({ rows, row }) => rows.write(ROW * row, [0, 0, 0, 1, 1, ENDLESS], 0)],
    [
      /item 600 is bounded, but among unbounded ones/,
      ({ nodes, rows, outside }) => rows.write(ROW * nodes.row[nodes.first[outside]], UNIT, 0),
    ],
    [/node \d+ of unbounded items has an inner node/, ({ tree, outside }) => tree.addNode(outside)],
    [
      /node \d+ of unbounded items is not below the root/,
      ({ nodes, outside, top }) => {
        nodes.unlink(outside);
        nodes.link(outside, top, false);
      },
    ],
  ]);
});

describe('validate of packed reports', () => {
  const FAULTS: Faults<PackedItems> = [
    [/^row 3 has 20 items$/m, ({ rows }) => (rows.sizes[3] = 20)],
    [/^row 5 begins before row 4$/m, ({ rows }) => (rows.firstKeys[5] = 0)],
    [/^the first row begins at 7$/m, ({ rows }) => (rows.firstKeys[0] = 7)],
    [/^item \d+ is in seat 32, but is said to be at 7$/m, ({ rows }) => (rows.seats[rows.ids[32]] = 7)],
    [/^item \d+ is outside of rows, but is said to be at -2$/m, ({ rows }) => (rows.seats[rows.outside[0]] = -2)],
    [/^item \d+ could be in a row$/m, ({ rows }) => rows.boxes.fill(1, 6 * rows.outside[0], 6 * rows.outside[0] + 6)],
    [/^item \d+ reaches too far for a row$/m, ({ rows }) => (rows.boxes[6 * rows.ids[16]] = -1e30)],
    [/^seat 16 does not have the box of item \d+$/m, ({ rows }) => (rows.rows[96] -= 1)],
    [/^the box of row 0 does not hold that of item \d+$/m, ({ rows }) => (rows.tiers[12] = -9)],
    [/^box 0 of level 1 does not hold box 0 of the level below$/m, ({ rows }) => (rows.tiers[rows.starts[1]] = 9)],
    [/^300 items are live, but 299 are in rows or outside of them$/m, ({ rows }) => rows.outsideCount--],
    [/^item 4 is kept, but not live$/m, ({ ids }) => ids.free(4)],
    [/^item 4 is live, but not kept$/m, ({ rows }) => (rows.seats[4] = -1)],
  ];
  testFaults(() => {
    const index = createIndex('packed');
    index.addAll(boxes(299, 2));
    return { index, inside: packedOf(index) };
  }, FAULTS);
});

describe('validate', () => {
  const src = `${process.cwd()}/test/helpers/validate/`;
  const files = readdirSync(src);
  const sources = files.map((file) => readFileSync(src + file, 'utf8'));
  const texts = sources.flatMap((text) =>
    [...text.matchAll(/problems\.push\(\s*`(.*?)`,?\s*\)/gs)].map(([, words]) => words),
  );
  const pushes = sources.flatMap((text) => text.match(/problems\.push\(/g) ?? []);

  it('has words for each fault', () => {
    expect(pushes.length).toBeGreaterThan(30);
    expect(texts.length).toBe(pushes.length);
  });

  it.each(texts)('has reported here: %s', (words) => {
    const pattern = words
      .split(/\$\{[^}]*\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*');
    expect([...reported].some((problem) => new RegExp(`^${pattern}$`).test(problem))).toBe(true);
  });
});
