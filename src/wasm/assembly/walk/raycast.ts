import { BOX_BYTES, DISTANCES, ITEMS_TESTED, NODES_VISITED, PLACES, Places, primary, ROW, ROW_BYTES, STACK } from './layout';
import { entry, rowOnRay, setSides } from './ray';

/** All items on the ray, in no order, as a distance and an id of 8 bytes each; their number, or -1 for want of room. */
export function raycast(): i32 {
  const at = changetype<Places>(PLACES);
  setSides();
  let out = at.out;
  let top = STACK;
  let node = 0;
  let visited = 0;
  let tested = 0;
  do {
    const after = load<i32>(at.next + (<usize>node << 2));
    visited++;
    if (entry(at.boxes + <usize>node * BOX_BYTES) < Infinity) {
      let child = load<i32>(at.first + (<usize>node << 2));
      while (child >= 0 && load<i32>(at.next + (<usize>child << 2)) < 0) {
        node = child;
        child = load<i32>(at.first + (<usize>node << 2));
      }
      const row = load<i32>(at.row + (<usize>node << 2));
      if (row >= 0) {
        const size = <i32>load<u8>(at.sizes + row);
        tested += size;
        if (out + 16 * ROW > at.outEnd) return -1;
        const ids = at.ids + (<usize>row << 6);
        const bits = rowOnRay(at.rowBoxes + <usize>row * ROW_BYTES, size);
        for (let rest = bits & primary(ids); rest !== 0; rest &= rest - 1) {
          const k = <usize>ctz(rest);
          store<f64>(out, load<f64>(DISTANCES + (k << 3)));
          store<i32>(out, load<i32>(ids + (k << 2)), 8);
          out += 16;
        }
      } else if (child >= 0) {
        store<i32>(top, after);
        top += 4;
        node = child;
        continue;
      }
    }
    node = after;
    while (node < 0 && top > STACK) {
      top -= 4;
      node = load<i32>(top);
    }
  } while (node >= 0);
  store<i32>(NODES_VISITED, visited);
  store<i32>(ITEMS_TESTED, tested);
  return <i32>((out - at.out) >> 4);
}
