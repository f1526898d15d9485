import { BOX } from '../../core/box.js';
import type { Hits } from '../../core/lists/Hits.js';
import type { PackedRows } from '../../core/packed/PackedRows.js';
import { RoughRay } from '../../core/packed/RoughRay.js';
import { NODE_ENTRY } from '../../core/shapes/DistanceQuery.js';
import type { Ray } from '../../core/shapes/Ray.js';
import { GROUP_BOXES, placeOf, ROW } from '../../core/storage/Rows.js';
import type { PackedWalk } from './PackedWalk.js';
import { FEW_ROWS } from './packedOverlap.js';
import { Waiting } from './Waiting.js';

/** Writes all items whose box the ray meets to `out`, from its start, in no particular order. */
export function packedRaycast(rows: PackedRows, ray: Ray, walk: PackedWalk, out: Hits): void {
  walk.begin();
  if (testFew(rows, ray, walk, out, Number.POSITIVE_INFINITY)) return;
  rough.set(ray, rows.frame, rows.reach());
  if (!walk.kernel?.raycast(rows, ray, rough, walk, out)) {
    out.length = 0;
    walkRows(rows, ray, walk, out, Number.POSITIVE_INFINITY);
  }
  testOutside(rows, ray, walk, out, Number.POSITIVE_INFINITY);
}

/** Writes the item whose box the ray enters first to `out`; at the same distance the lowest id wins. */
export function packedRaycastFirst(rows: PackedRows, ray: Ray, walk: PackedWalk, out: Hits): void {
  walk.begin();
  if (testFew(rows, ray, walk, out, 1)) return;
  rough.set(ray, rows.frame, rows.reach());
  if (!walk.kernel?.raycastFirst(rows, ray, rough, walk, out)) {
    out.length = 0;
    walkRows(rows, ray, walk, out, 1);
  } else if (out.length > 0) ray.interval[1] = out.distances[0];
  testOutside(rows, ray, walk, out, 1);
}

/** Tests all items if they are few; false if they are not. */
function testFew(rows: PackedRows, ray: Ray, walk: PackedWalk, out: Hits, count: number): boolean {
  if (rows.count > FEW_ROWS) return false;
  out.length = 0;
  walk.nodesVisited = 1;
  for (let row = 0; row < rows.count; row++) {
    walk.itemsTested += rows.sizes[row];
    for (let k = 0; k < rows.sizes[row]; k++) testItem(rows, rows.ids[ROW * row + k], ray, out, count);
  }
  testOutside(rows, ray, walk, out, count);
  return true;
}

const rough = /* @__PURE__ */ new RoughRay();

const waiting = /* @__PURE__ */ new Waiting();

/** Nodes are visited nearest first among those of a group, so that a search for the first hit can drop the rest. */
function walkRows(rows: PackedRows, ray: Ray, walk: PackedWalk, out: Hits, count: number): void {
  waiting.top = 0;
  openGroup(rows, rows.top, 0, walk);
  while (waiting.top > 0) {
    const top = --waiting.top;
    if (waiting.entries[top] > rough.numbers[10]) continue;
    const h = waiting.levels[top];
    const node = waiting.nodes[top];
    if (h > 0) openGroup(rows, h - 1, node, walk);
    else if (node < rows.count) testRow(rows, node, ray, walk, out, count);
  }
}

/** Tests the boxes of a group; those that may be met wait. */
function openGroup(rows: PackedRows, h: number, group: number, walk: PackedWalk): void {
  const at = rows.starts[h] + GROUP_BOXES * group;
  const lowest = waiting.top;
  walk.nodesVisited += 4;
  for (let lane = 0; lane < 4; lane++) {
    if (rough.meets(rows.levels, at + lane)) waiting.push(h, 4 * group + lane, rough.entry[0], lowest);
  }
}

function testRow(rows: PackedRows, row: number, ray: Ray, walk: PackedWalk, out: Hits, count: number): void {
  const size = rows.sizes[row];
  walk.itemsTested += size;
  for (let slot = ROW * row; slot < ROW * row + size; slot++) {
    if (rough.meets(rows.rows, placeOf(slot))) testItem(rows, rows.ids[slot], ray, out, count);
  }
}

/** Tests an item exactly. */
function testItem(rows: PackedRows, id: number, ray: Ray, out: Hits, count: number): void {
  if (!ray.meets(rows.boxes, BOX * id)) return;
  if (count === 1) {
    out.keepNearest(id, ray.distances, NODE_ENTRY, 1);
    ray.interval[1] = out.distances[0];
    rough.limit(out.distances[0]);
    return;
  }
  out.reserve(1);
  out.ids[out.length] = id;
  out.distances[out.length++] = ray.distances[NODE_ENTRY];
}

function testOutside(rows: PackedRows, ray: Ray, walk: PackedWalk, out: Hits, count: number): void {
  walk.itemsTested += rows.outsideCount;
  for (let i = 0; i < rows.outsideCount; i++) testItem(rows, rows.outside[i], ray, out, count);
}
