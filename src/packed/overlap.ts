import { BOX, QUAD_BOXES, ROW, ROW_BOXES } from '../core/box.js';
import type { IdList } from '../core/ids.js';
import type { BoxVolume, SphereVolume } from '../core/shapes/boxAndSphere.js';
import type { PlanesVolume } from '../core/shapes/PlanesVolume.js';
import { BOX_VOLUME, SPHERE_VOLUME, type Volume } from '../core/shapes/Volume.js';
import type { Guest } from '../wasm/KernelPool.js';
import type { PackedQueryState } from './PackedQueryState.js';
import type { PackedRows } from './PackedRows.js';
import { RoughBox, RoughPlanes, RoughSphere, type RoughVolume } from './RoughVolume.js';

/** Up to this many rows all items are tested, which is as fast as testing the boxes around them first. */
export const FEW_ROWS = 2;

/**
 * Writes the ids of all items in a volume to `out`, from its start, each once. Given a list `inside`, items wholly in
 * the volume go there instead, and `out` gets the items that its border may cut.
 *
 * Items come in the order of their seats, because rows and quads are visited in that order.
 */
export function packedOverlap(volume: Volume, state: PackedQueryState, out: IdList, inside: IdList = out): void {
  const { ids, sizes, outside, outsideCount, count } = state.rows;
  state.beginQuery();
  out.length = inside.length = 0;
  if (count <= FEW_ROWS) {
    state.nodesVisited = 1;
    for (let row = 0; row < count; row++) {
      state.itemsTested += sizes[row];
      for (let k = 0; k < sizes[row]; k++) testItem(ids[ROW * row + k], volume, state, out, inside);
    }
  } else {
    const rough = roughOf(volume, state.rows);
    if (!state.kernel?.overlap(volume, rough, out, inside)) {
      walkRows(volume, rough, state, out, inside);
    }
  }
  state.itemsTested += outsideCount;
  for (let i = 0; i < outsideCount; i++) testItem(outside[i], volume, state, out, inside);
}

/** Writes the ids found by a `Guest`, in seat order; false for few rows or without a kernel. Omits items in no row. */
export function packedOverlapBy(guest: Guest, volume: PlanesVolume, state: PackedQueryState, out: IdList): boolean {
  const { rows, kernel } = state;
  if (rows.count <= FEW_ROWS || kernel === null) return false;
  return kernel.overlapBy(guest, volume, roughOf(volume, rows), rows.maxAbsCoordinate(), out);
}

/** A volume as rows test it; the object is reused for the next volume. */
function roughOf(volume: Volume, rows: PackedRows): RoughVolume {
  if (volume.kind === BOX_VOLUME) return box.set(volume as BoxVolume, rows.frame);
  const most = rows.maxAbsCoordinate();
  if (volume.kind === SPHERE_VOLUME) return sphere.set(volume as SphereVolume, rows.frame, most);
  return planes.set(volume as PlanesVolume, rows.frame, most);
}

const box = /* @__PURE__ */ new RoughBox();
const sphere = /* @__PURE__ */ new RoughSphere();
const planes = /* @__PURE__ */ new RoughPlanes();

/** By tier: the open quad, its boxes to visit, and the conditions in doubt for each of them. */
const quads = new Int32Array(16);
const toVisit = new Int32Array(16);
const masks = new Int32Array(64);

function walkRows(volume: Volume, rough: RoughVolume, state: PackedQueryState, out: IdList, inside: IdList): void {
  const { rows } = state;
  const { top } = rows;
  let h = top;
  openQuad(h, 0, rough, volume.all, state);
  for (;;) {
    if (toVisit[h] === 0) {
      if (h === top) return;
      h++;
      continue;
    }
    const lane = 31 - Math.clz32(toVisit[h] & -toVisit[h]);
    toVisit[h] &= toVisit[h] - 1;
    const node = 4 * quads[h] + lane;
    const doubt = masks[4 * h + lane];
    if (doubt === 0) appendRows(rows, node << (2 * h), (node + 1) << (2 * h), inside);
    else if (h > 0) openQuad(--h, node, rough, doubt, state);
    else if (node < rows.count) appendRow(node, volume, rough, doubt, state, out, inside);
  }
}

function openQuad(h: number, quad: number, rough: RoughVolume, mask: number, state: PackedQueryState): void {
  const { tiers, starts } = state.rows;
  const at = starts[h] + QUAD_BOXES * quad;
  quads[h] = quad;
  toVisit[h] = 0;
  state.nodesVisited += 4;
  for (let lane = 0; lane < 4; lane++) {
    const doubt = rough.node(tiers, at + lane, mask);
    if (doubt < 0) continue;
    toVisit[h] |= 1 << lane;
    masks[4 * h + lane] = doubt;
  }
}

/** Appends all items in rows `from` to `to` - 1, without a test. */
function appendRows(rows: PackedRows, from: number, to: number, out: IdList): void {
  const { ids, sizes } = rows;
  const end = Math.min(to, rows.count);
  const list = out.reserve(ROW * (end - from));
  let n = out.length;
  for (let row = from; row < end; row++) {
    const last = ROW * row + sizes[row];
    for (let seat = ROW * row; seat < last; seat++) list[n++] = ids[seat];
  }
  out.length = n;
}

/** Appends the items of a row that meet the conditions of a mask. */
function appendRow(
  row: number,
  volume: Volume,
  rough: RoughVolume,
  mask: number,
  state: PackedQueryState,
  out: IdList,
  inside: IdList,
): void {
  const { boxes, ids, rows, sizes } = state.rows;
  const size = sizes[row];
  state.itemsTested += size;
  const found = rough.row(rows, ROW_BOXES * row, mask);
  const bits = found & ((1 << size) - 1);
  if (bits === 0) return;
  if (inside === out) {
    const doubt = found >>> 16;
    const list = out.reserve(ROW);
    let n = out.length;
    for (let left = bits; left !== 0; left &= left - 1) {
      const k = 31 - Math.clz32(left & -left);
      const id = ids[ROW * row + k];
      if (((doubt >> k) & 1) === 0 || volume.node(boxes, BOX * id, volume.all) >= 0) list[n++] = id;
    }
    out.length = n;
    return;
  }
  const within = (rough as RoughPlanes).row(rows, ROW_BOXES * row, mask, 12);
  const undecided = (found | within) >>> 16;
  for (let left = bits; left !== 0; left &= left - 1) {
    const k = 31 - Math.clz32(left & -left);
    const id = ids[ROW * row + k];
    let doubt = ~(within >> k) & 1;
    if (((undecided >> k) & 1) !== 0) doubt = volume.node(boxes, BOX * id, volume.all);
    if (doubt >= 0) (doubt === 0 ? inside : out).push(id);
  }
}

/** Appends an item if it passes the exact test. */
function testItem(id: number, volume: Volume, { rows }: PackedQueryState, out: IdList, inside: IdList): void {
  const doubt = volume.node(rows.boxes, BOX * id, volume.all);
  if (doubt >= 0) (doubt === 0 ? inside : out).push(id);
}
