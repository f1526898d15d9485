// No structure: plain loops over the boxes. Their answers are what all others are compared with.
import { List } from '../answers.mjs';
import { overlaps, rayEntry, squaredDistance } from '../exact.mjs';
import { scanFrustum, scanRayFirst } from '../library.mjs';

export function create() {
  const out = new List();
  let boxes;
  const filter = (test) => {
    out.clear();
    for (let o = 0; o < boxes.length; o += 6) if (test(o)) out.push(o / 6);
    return out;
  };
  return {
    build(given) {
      boxes = given;
      out.ids = new Int32Array(boxes.length / 6);
    },
    update() {},
    teleport() {},
    replace() {},
    cull({ planes }) {
      out.length = scanFrustum(boxes, planes, out.ids);
      return out;
    },
    rayFirst({ origin, direction }) {
      const id = scanRayFirst(boxes, origin, direction);
      out.clear();
      if (id >= 0) out.push(id);
      return out;
    },
    rayAll: (ray) => filter((o) => rayEntry(boxes, o, ray) < Number.POSITIVE_INFINITY),
    box: (query) => filter((o) => overlaps(boxes, o, query, 0)),
    sphere: ({ center, radius }) => filter((o) => squaredDistance(boxes, o, center) <= radius * radius),
    nearest(point) {
      let best = Number.POSITIVE_INFINITY;
      let found = -1;
      for (let o = 0; o < boxes.length; o += 6) {
        const distance = squaredDistance(boxes, o, point);
        if (distance < best) [best, found] = [distance, o / 6];
      }
      out.clear().push(found);
      return out;
    },
    /** Copied in order of x, each box is compared with those that begin before it ends. */
    pairs() {
      const order = Int32Array.from({ length: boxes.length / 6 }, (_, id) => id);
      order.sort((a, b) => boxes[6 * a] - boxes[6 * b]);
      const sorted = new Float64Array(boxes.length);
      for (let i = 0; i < order.length; i++) for (let c = 0; c < 6; c++) sorted[6 * i + c] = boxes[6 * order[i] + c];
      out.clear();
      for (let a = 0; a < sorted.length; a += 6) {
        for (let b = a + 6; b < sorted.length && sorted[b] <= sorted[a + 3]; b += 6) {
          if (overlaps(sorted, a, sorted, b)) out.pushPair(order[a / 6], order[b / 6]);
        }
      }
      return out;
    },
  };
}
