import { BOX_BYTES, DISTANCES, ITEMS_TESTED, NODES_VISITED, PLACES, Places, primary, ROW_BYTES } from './layout';
import { entry, LIMIT, NEAR, rowOnRay, setSides } from './ray';

/** How far a node may sink among its waiting siblings, see src/query/nearest.ts. */
const SHIFTS: usize = 8;

/** The item the ray meets first, of several the lowest id, or -1, and its distance in DISTANCES; -2 for want of room. */
export function raycastFirst(): i32 {
  const at = changetype<Places>(PLACES);
  setSides();
  const start = at.out;
  let top = start + 16;
  let best = -1;
  let visited = 0;
  let tested = 0;
  store<f64>(start, load<f64>(NEAR));
  store<i32>(start, 0, 8);
  while (top > start) {
    top -= 16;
    if (load<f64>(top) > load<f64>(LIMIT)) continue;
    const node = <usize>load<i32>(top, 8);
    const row = load<i32>(at.row + (node << 2));
    if (row >= 0) {
      const size = <i32>load<u8>(at.sizes + row);
      tested += size;
      const ids = at.ids + (<usize>row << 6);
      const bits = rowOnRay(at.rowBoxes + <usize>row * ROW_BYTES, size);
      for (let rest = bits & primary(ids); rest !== 0; rest &= rest - 1) {
        const k = <usize>ctz(rest);
        const distance = load<f64>(DISTANCES + (k << 3));
        const id = load<i32>(ids + (k << 2));
        const limit = load<f64>(LIMIT);
        if (distance > limit || (best >= 0 && distance === limit && id > best)) continue;
        best = id;
        store<f64>(LIMIT, distance);
      }
      continue;
    }
    const base = top;
    for (let child = load<i32>(at.first + (node << 2)); child >= 0; child = load<i32>(at.next + (<usize>child << 2))) {
      visited++;
      const distance = entry(at.boxes + <usize>child * BOX_BYTES);
      if (distance === Infinity) continue;
      if (top + 16 > at.outEnd) return -2;
      const lowest = max<usize>(base, top - 16 * min<usize>(SHIFTS, (top - base) >> 4));
      let i = top;
      top += 16;
      for (; i > lowest && load<f64>(i - 16) < distance; i -= 16) v128.store(i, v128.load(i - 16));
      store<f64>(i, distance);
      store<i32>(i, child, 8);
    }
  }
  store<i32>(NODES_VISITED, visited);
  store<i32>(ITEMS_TESTED, tested);
  store<f64>(DISTANCES, load<f64>(LIMIT));
  return best;
}
