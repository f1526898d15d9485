import {
  createIndex,
  type IndexOptions,
  type IndexStats,
  type SpatialIndex,
  type StructureName,
  stats,
} from '../../src/standalone.js';
import { INDEX_DEFAULTS } from '../../src/structures/createIndex.js';
import type { HostileOrder } from './hostileOrders.js';
import { validate } from './validate.js';

/** An item of an octree lies in at most 27 cells of a size. */
const ENTRIES: { [name in StructureName]: number } = {
  bruteForce: 1,
  grid: 1,
  octree: 27,
  quadtree: 9,
  looseOctree: 1,
  bvh: 1,
  packed: 1,
};
/** Nodes per entry: a cell is there because entries are in it, or because it parts two others. */
const NODES_PER_ENTRY = 2;
/** A row of 16 seats takes 1,100 bytes with its node, and holds four entries at the least; arrays may be twice as long. */
const BYTES_PER_ENTRY = 550;
/** What the arrays of an index take that is no longer empty, and a kernel of its own. */
const BYTES_AT_LEAST = 2 ** 16;
/** Where little is to be found: nodes and items looked at for each halving of the number of items. */
const NODES_PER_HALVING = 12;
const ITEMS_PER_HALVING = 32;
/** Entries beyond which looking for faults takes more memory than the index. */
const MOST_TO_VALIDATE = 2e6;

/** Most levels of a structure: cells have a limit, above which unbounded items lie; a binary tree keeps its balance. */
export function maxHeight(name: StructureName, items: number): number {
  return name === 'bvh' ? 2 * Math.ceil(Math.log2(items)) + 4 : INDEX_DEFAULTS.maxDepth + 1;
}

/** Items at a time while they come and go. */
const WINDOW = 400;
/** Edits between two looks at the bytes. */
const APART = 16;

/** The most bytes that an index takes while boxes come one by one as the oldest go; and while evenly laid items move there. */
function mostBytes(name: StructureName, options: IndexOptions, boxes: number[][]): { passing: number; moved: number } {
  const [few, all] = [createIndex(name, options), createIndex(name, options)];
  const side = Math.ceil(Math.sqrt(boxes.length));
  const at = (i: number): number[] => [i % side, 0, Math.floor(i / side)];
  const ids = all.addAll(boxes.flatMap((_, i) => [...at(i), ...at(i).map((c) => c + 1)]));
  const held: number[] = [];
  const most = { passing: 0, moved: 0 };
  for (const [i, box] of boxes.entries()) {
    if (held.push(few.add(box)) > WINDOW) few.remove(held.shift() as number);
    all.update(ids[i], box);
    if (i % APART > 0) continue;
    most.passing = Math.max(most.passing, stats(few).bytes);
    most.moved = Math.max(most.moved, stats(all).bytes);
  }
  return most;
}

/**
 * What is out of bounds, in words, of an index that is filled one by one in some order, or at once, and emptied in two
 * rounds; and of one whose items come and go in that order, or move.
 */
export function hostileProblems(
  name: StructureName,
  options: IndexOptions,
  { make, isSpread }: HostileOrder,
  count: number,
): string[] {
  const problems: string[] = [];
  const atMost = (what: string, value: number, limit: number): void => {
    if (!(value <= limit)) problems.push(`${what}: ${value}, more than ${limit}`);
  };
  const boxes = make(count);
  const index = createIndex(name, options);
  const check = (when: string, filled: SpatialIndex, full: IndexStats): void => {
    atMost(`height ${when}`, full.height, maxHeight(name, count));
    atMost(`entries ${when}`, full.copies, ENTRIES[name] * count);
    atMost(`nodes ${when}`, full.nodes, NODES_PER_ENTRY * full.copies);
    atMost(`rows ${when}`, full.rows, full.copies / 2);
    atMost(`bytes ${when}`, full.bytes, BYTES_PER_ENTRY * full.copies + BYTES_AT_LEAST);
    if (full.copies <= MOST_TO_VALIDATE) problems.push(...validate(filled));

    const halvings = Math.log2(count);
    for (let i = 0; i < 60; i++) {
      const found = askAt(filled, boxes[Math.floor((i * (count - 1)) / 59)]);
      const { nodesVisited, itemsTested } = filled.counters;
      // At most the rows and cells there are; and where items differ, few of them.
      atMost(`nodes visited ${when}`, nodesVisited, full.rows + full.nodes + 1);
      atMost(`items tested ${when}`, itemsTested, full.copies);
      if (!isSpread || name === 'bruteForce') continue;
      atMost(`items found ${when}`, found, ITEMS_PER_HALVING);
      atMost(`nodes visited where little is ${when}`, nodesVisited, NODES_PER_HALVING * halvings);
      atMost(`items tested where little is ${when}`, itemsTested, ITEMS_PER_HALVING * halvings);
    }
  };
  const empty = stats(index);
  const ids = boxes.map((box) => index.add(box));
  // What a query needs of memory is held from the first one on.
  askAt(index, boxes[0]);
  const full = stats(index);
  if (index.size !== count) problems.push(`${index.size} items instead of ${count}`);
  check('one by one', index, full);
  const built = createIndex(name, options);
  built.addAll(boxes.flat());
  check('at once', built, stats(built));

  const { passing, moved } = mostBytes(name, options, boxes);
  atMost('bytes of a window', passing, BYTES_PER_ENTRY * ENTRIES[name] * WINDOW + BYTES_AT_LEAST);
  atMost('bytes while all move', moved, BYTES_PER_ENTRY * ENTRIES[name] * count + BYTES_AT_LEAST);

  // Every other one first, so that rows thin out.
  for (let i = 0; i < count; i += 2) index.remove(ids[i]);
  const half = stats(index);
  if (half.copies <= MOST_TO_VALIDATE) problems.push(...validate(index));
  atMost('bytes of one half', half.bytes, full.bytes);
  atMost('height of one half', half.height, maxHeight(name, half.items));
  for (let i = 1; i < count; i += 2) index.remove(ids[i]);
  const after = stats(index);
  const left = after.items + after.copies + after.nodes + after.rows + after.height;
  if (left > 0) problems.push(`something is left of it: ${JSON.stringify(after)}`);
  atMost('bytes of nothing', after.bytes, 2 * empty.bytes);
  problems.push(...validate(index));
  return problems;
}

/** Asks about a corner of a box; returns how many items touch it. */
function askAt(index: SpatialIndex, box: number[]): number {
  const [x, y, z] = box.map((c) => Math.max(-1e13, Math.min(1e13, c)));
  return index.queryPoint(x, y, z).length;
}
