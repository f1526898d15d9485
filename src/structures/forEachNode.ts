import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { NO_IDS, type Structure, structureOf } from '../contract/Structure.js';
import { BOX, makeEmpty, ROW, unite } from '../core/box.js';
import { inWords } from '../core/options.js';
import type { PackedStructure } from '../packed/Packed.js';
import type { PackedRows } from '../packed/PackedRows.js';
import { ROOT } from '../trees/Nodes.js';
import type { Layout, TreeStructure } from '../trees/TreeStructure.js';

/** A node, copied, as `forEachNode` passes it to its visitor. */
export interface NodeView {
  /**
   * A box around everything in and below the node: minX minY minZ maxX maxY maxZ. Tight after `rebuild`; motion may
   * leave it somewhat larger for a while.
   */
  readonly box: Float64Array;
  /** The cell of the node, six numbers as in `box`. Equal to `box` in structures without cells. */
  readonly cell: Float64Array;
  /** 0 for the top node. */
  depth: number;
  /** True when no nodes are below. */
  leaf: boolean;
  /** Copies stored directly in this node. */
  items: number;
  /** Copies in this node and all nodes below it. */
  below: number;
  /**
   * Ids of the items stored directly in this node. For a `SceneIndex` the visitor's second argument turns them into
   * objects.
   */
  ids: Int32Array;
}

/**
 * Calls `visit` for every node of an index, parents before children. Nodes are copied before the first call, so `visit`
 * may change the index.
 * @throws TypeError for anything but an index and a function.
 * @example
 * ```ts
 * import { forEachNode } from 'three-scene-index/core';
 *
 * forEachNode(index, ({ depth, box, items }) => console.log('  '.repeat(depth), items, box));
 * ```
 */
export function forEachNode(index: SpatialIndex, visit: (node: NodeView) => void): void {
  const structure = structureOf(index, 'forEachNode');
  if (typeof visit !== 'function') {
    throw new TypeError(`forEachNode: the visitor must be a function, got ${inWords(visit)}`);
  }
  for (const node of nodesOf(structure)) visit(node);
}

/** Copies the nodes of a structure, parents first. */
export function nodesOf(structure: Structure): NodeView[] {
  const nodes: NodeView[] = [];
  if (structure.name !== 'packed') return describeTree((structure as TreeStructure).layout);
  const { rows } = (structure as PackedStructure).items;
  const outside = rows.outside.subarray(0, rows.outsideCount);
  // The items of a single row belong to the top node.
  addPacked(rows, rows.count > 1 ? rows.top + 1 : 0, 0, 0, outside, nodes);
  return nodes;
}

/** Lists the inner nodes of a tree, with the items of their rows; the root only if it has rows of its own. */
function describeTree(layout: Layout): NodeView[] {
  const { nodes, rows } = layout.tree;
  const out: NodeView[] = [];
  const stack: number[] = nodes.first[ROOT] < 0 ? [] : [ROOT, 0];
  while (stack.length > 0) {
    const depth = stack.pop() as number;
    const node = stack.pop() as number;
    const own: number[] = [];
    const children: number[] = [];
    for (let child = nodes.first[node]; child >= 0; child = nodes.next[child]) {
      const row = nodes.row[child];
      if (row < 0) children.push(child);
      else for (let k = 0; k < rows.sizes[row]; k++) own.push(rows.itemAt(ROW * row + k));
    }
    const shown = node !== ROOT || own.length > 0;
    for (const child of children.reverse()) stack.push(child, shown ? depth + 1 : depth);
    if (!shown) continue;
    const box = nodes.box.slice(BOX * node, BOX * node + BOX);
    const cell = box.slice();
    layout.writeRegion?.(node, cell);
    const ids = Int32Array.from(own);
    out.push({ box, cell, depth, leaf: children.length === 0, items: ids.length, below: nodes.copies[node], ids });
  }
  return out;
}

/**
 * Adds node n of a tier, which is row n on tier 0, with its tight box, and all nodes below it, unless they are empty.
 * `extra` are further items of the node.
 */
function addPacked(
  rows: PackedRows,
  tier: number,
  n: number,
  depth: number,
  extra: Int32Array,
  out: NodeView[],
): NodeView {
  const box = new Float64Array(BOX);
  makeEmpty(box, 0);
  const row = tier === 0 ? rows.ids.subarray(ROW * n, ROW * n + rows.sizes[n]) : NO_IDS;
  const ids = Int32Array.from([...extra, ...row]);
  for (const id of ids) unite(box, 0, rows.boxes, BOX * id);
  const node: NodeView = { box, cell: box, depth, leaf: true, items: ids.length, below: ids.length, ids };
  const at = out.push(node);
  const end = tier === 0 ? 0 : Math.min(4 * n + 4, Math.ceil(rows.count / 4 ** (tier - 1)));
  for (let i = 4 * n; i < end; i++) {
    const child = addPacked(rows, tier - 1, i, depth + 1, NO_IDS, out);
    unite(box, 0, child.box, 0);
    node.below += child.below;
  }
  node.leaf = out.length === at;
  if (node.below === 0) out.pop();
  return node;
}
