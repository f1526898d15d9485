import { testBox } from '../exact/volume';
import { BOX, QUAD, QUADS, INSIDE, ITEMS_TESTED, MASKS, NODES_VISITED, TO_VISIT, ADDRESSES, Addresses, ROW, STARTS, TOGETHER } from './layout';
import { alive, testQuad, testRow, testRowInside } from './volumes';

/**
 * Writes the ids of the items in a volume to the room for results, in the order of their seats; returns their number.
 * With `split` only items wholly inside are written there and counted; other items go to the end, backwards.
 */
export function overlap(kind: i32, all: i32, split: bool): i32 {
  const at = changetype<Addresses>(ADDRESSES);
  const top = at.top;
  const count = at.count;
  out = at.out;
  outEnd = at.outEnd;
  tested = 0;
  let visited = 4;
  let h = top;
  openQuad(kind, h, 0, all);
  for (;;) {
    const tier = <usize>h << 2;
    const left = load<i32>(TO_VISIT + tier);
    if (left === 0) {
      if (h === top) break;
      h++;
      continue;
    }
    const lane = ctz(left);
    store<i32>(TO_VISIT + tier, left & (left - 1));
    const node = (load<i32>(QUADS + tier) << 2) + lane;
    const doubt = load<i32>(MASKS + ((<usize>h << 4) | (<usize>lane << 2)));
    if (doubt === 0) {
      appendRows(node << (2 * h), min((node + 1) << (2 * h), count));
    } else if (h > 0) {
      openQuad(kind, --h, node, doubt);
      visited += 4;
    } else if (node < count) {
      appendRow(node, kind, all, doubt, split);
    }
  }
  store<i32>(NODES_VISITED, visited);
  store<i32>(ITEMS_TESTED, tested);
  store<i32>(INSIDE, <i32>((at.outEnd - outEnd) >> 2));
  return <i32>((out - at.out) >> 2);
}

let out: usize = 0;
let outEnd: usize = 0;
let tested: i32 = 0;

@inline
function openQuad(kind: i32, h: i32, quad: i32, mask: i32): void {
  const tier = <usize>h << 2;
  const boxes = changetype<Addresses>(ADDRESSES).tiers + load<usize>(STARTS + tier) + <usize>quad * QUAD;
  store<i32>(QUADS + tier, quad);
  const doubt = testQuad(kind, boxes, mask);
  store<i32>(TO_VISIT + tier, alive);
  v128.store(MASKS + (<usize>h << 4), doubt);
}

/** Appends all items of rows `from` to `to` - 1. Whole rows are written: there is room for one after the last item. */
function appendRows(from: i32, to: i32): void {
  const at = changetype<Addresses>(ADDRESSES);
  let ids = at.ids + (<usize>from << 6);
  let end = out;
  for (let row = at.sizes + from; row < at.sizes + to; row++) {
    v128.store(end, v128.load(ids));
    v128.store(end, v128.load(ids, 16), 16);
    v128.store(end, v128.load(ids, 32), 32);
    v128.store(end, v128.load(ids, 48), 48);
    end += <usize>load<u8>(row) << 2;
    ids += 64;
  }
  out = end;
}

function appendRow(row: i32, kind: i32, all: i32, mask: i32, split: bool): void {
  const at = changetype<Addresses>(ADDRESSES);
  const size = <i32>load<u8>(at.sizes + row);
  const ids = at.ids + (<usize>row << 6);
  tested += size;
  const found = testRow(kind, at.rows + <usize>row * ROW, mask);
  let bits = found & ((1 << size) - 1);
  if (split) {
    const within = testRowInside(at.rows + <usize>row * ROW, mask);
    const undecided = (found | within) >>> 16;
    for (let left = bits; left !== 0; left &= left - 1) {
      const k = ctz(left);
      const id = load<i32>(ids + (<usize>k << 2));
      let doubt = ~(within >> k) & 1;
      if ((undecided >> k) & 1) doubt = testBox(kind, at.boxes + <usize>id * BOX, all);
      if (doubt === 0) {
        store<i32>(out, id);
        out += 4;
      } else if (doubt > 0) {
        outEnd -= 4;
        store<i32>(outEnd, id);
      }
    }
    return;
  }
  for (let left = bits & (found >>> 16); left !== 0; left &= left - 1) {
    const id = load<i32>(ids + (<usize>ctz(left) << 2));
    if (testBox(kind, at.boxes + <usize>id * BOX, all) < 0) bits &= ~(left & -left);
  }
  let end = out;
  for (let quad: usize = 0; quad < 64; quad += 16) {
    const four = bits & 15;
    bits >>= 4;
    v128.store(end, i8x16.swizzle(v128.load(ids + quad), v128.load(TOGETHER + (<usize>four << 4))));
    end += <usize>popcnt(four) << 2;
  }
  out = end;
}

/** Fills the table TOGETHER. */
export function init(): void {
  for (let four = 0; four < 16; four++) {
    let to = TOGETHER + (<usize>four << 4);
    for (let lane = 0; lane < 4; lane++) {
      if (((four >> lane) & 1) === 0) continue;
      store<i32>(to, 0x03020100 + 0x04040404 * lane);
      to += 4;
    }
  }
}
