import { BOX_BYTES, INSIDE, ITEMS_TESTED, NODES_VISITED, PLACES, Places, primary, ROW_BYTES, STACK } from './layout';
import { rowInsidePlanes } from './planes';
import { setVolume, testNode, testRow } from './volume';

/**
 * Ids of the items that belong to a volume of that kind, from the start of the room for results; with `split` those wholly
 * inside come from its end backwards. Returns the number of the former.
 */
export function overlap(kind: i32, all: i32, split: bool): i32 {
  const at = changetype<Places>(PLACES);
  const boxes = at.boxes;
  const first = at.first;
  const next = at.next;
  const rows = at.row;
  const runs = at.runs;
  const rowBoxes = at.rowBoxes;
  const sizes = at.sizes;
  setVolume(kind, all);
  let out = at.out;
  let inside = at.outEnd;
  let visited = all === 0 ? 1 : 0;
  let tested = 0;
  let top = STACK;
  let node = 0;
  let mask = all;
  do {
    const after = load<i32>(next + (<usize>node << 2));
    let doubt = 0;
    if (mask !== 0) {
      visited++;
      doubt = testNode(kind, boxes + <usize>node * BOX_BYTES, mask);
    }
    if (doubt >= 0) {
      let child = load<i32>(first + (<usize>node << 2));
      while (child >= 0 && load<i32>(next + (<usize>child << 2)) < 0) {
        node = child;
        child = load<i32>(first + (<usize>node << 2));
      }
      const row = load<i32>(rows + (<usize>node << 2));
      if (row >= 0) {
        const size = <i32>load<u8>(sizes + row);
        const full = (1 << size) - 1;
        if (doubt === 0) {
          if (split) inside = prepend(row, full, inside);
          else out = append(row, full, full, out);
        } else {
          tested += size;
          const place = rowBoxes + <usize>row * ROW_BYTES;
          let bits = testRow(kind, place, size, doubt) & full;
          if (split && bits !== 0) {
            const whole = bits & rowInsidePlanes(place, size, doubt);
            inside = prepend(row, whole, inside);
            bits &= ~whole;
          }
          out = append(row, bits, full, out);
        }
      } else if (doubt === 0 && load<i32>(runs + (<usize>node << 3), 4) > 0) {
        const end = load<i32>(runs + (<usize>node << 3), 4);
        for (let r = load<i32>(runs + (<usize>node << 3)); r < end; r++) {
          const full = (1 << <i32>load<u8>(sizes + r)) - 1;
          if (split) inside = prepend(r, full, inside);
          else out = append(r, full, full, out);
        }
      } else if (child >= 0) {
        store<i32>(top, after);
        store<i32>(top, mask, 4);
        top += 8;
        node = child;
        mask = doubt;
        continue;
      }
    }
    node = after;
    while (node < 0 && top > STACK) {
      top -= 8;
      node = load<i32>(top);
      mask = load<i32>(top, 4);
    }
  } while (node >= 0);
  store<i32>(NODES_VISITED, visited);
  store<i32>(ITEMS_TESTED, tested);
  store<i32>(INSIDE, <i32>((at.outEnd - inside) >> 2));
  return <i32>((out - at.out) >> 2);
}

/** Appends the items in those slots of a row whose bits are set, each at its primary entry alone. */
@inline
function append(row: i32, bits: i32, full: i32, out: usize): usize {
  const ids = changetype<Places>(PLACES).ids + (<usize>row << 6);
  const among = bits & primary(ids);
  // There is room for a whole row behind the last item, as the entry of each has one of its own.
  if (among === full) {
    v128.store(out, v128.load(ids));
    v128.store(out, v128.load(ids, 16), 16);
    v128.store(out, v128.load(ids, 32), 32);
    v128.store(out, v128.load(ids, 48), 48);
    return out + (<usize>popcnt(full) << 2);
  }
  let to = out;
  for (let rest = among; rest !== 0; rest &= rest - 1) {
    store<i32>(to, load<i32>(ids + (<usize>ctz(rest) << 2)));
    to += 4;
  }
  return to;
}

/** The same from an address backwards. */
function prepend(row: i32, bits: i32, end: usize): usize {
  const ids = changetype<Places>(PLACES).ids + (<usize>row << 6);
  let to = end;
  for (let rest = bits & primary(ids); rest !== 0; rest &= rest - 1) {
    to -= 4;
    store<i32>(to, load<i32>(ids + (<usize>ctz(rest) << 2)));
  }
  return to;
}
