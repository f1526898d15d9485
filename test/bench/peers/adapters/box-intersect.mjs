// Pairs of a batch of boxes, nothing else.
import boxIntersect from 'box-intersect';
import { List } from '../answers.mjs';

export function create() {
  const out = new List();
  let rows;
  const push = (a, b) => {
    out.pushPair(a, b);
  };
  return {
    build(boxes) {
      rows = Array.from({ length: boxes.length / 6 }, (_, id) => boxes.slice(6 * id, 6 * id + 6));
    },
    update(ids, boxes) {
      for (let i = 0; i < ids.length; i++) {
        const row = rows[ids[i]];
        for (let c = 0; c < 6; c++) row[c] = boxes[6 * ids[i] + c];
      }
    },
    pairs() {
      out.clear();
      boxIntersect(rows, push);
      return out;
    },
  };
}
