// No structure: plain loops over the boxes. Their answers are what all others are compared with.
import { List } from '../answers.mjs';
import { HOLDS, MEASURES, methods } from '../exact.mjs';
import { scanFrustum } from '../library.mjs';

export function create() {
  const out = new List();
  let boxes;
  return {
    build(given) {
      boxes = given;
      out.ids = new Int32Array(boxes.length / 6);
    },
    update() {},
    teleport() {},
    replace() {},
    ...methods(HOLDS, (holds) => (query) => {
      out.clear();
      for (let id = 0, o = 0; o < boxes.length; id++, o += 6) if (holds(boxes, o, query)) out.push(id);
      return out;
    }),
    ...methods(MEASURES, (measure) => (query) => {
      out.clear();
      for (let id = 0, o = 0; o < boxes.length; id++, o += 6) out.offer(id, measure(boxes, o, query));
      return out;
    }),
    /** As fast as plain code gets. */
    cull({ planes }) {
      out.length = scanFrustum(boxes, planes, out.ids);
      return out;
    },
  };
}
