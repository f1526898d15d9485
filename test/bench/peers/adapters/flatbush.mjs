// A static R-tree in two dimensions: boxes on XZ, the height tested in its filter, built anew for every change. It has
// neither rays nor distances in 3D.
import Flatbush from 'flatbush';
import { List } from '../answers.mjs';
import { inPlanes, overlaps, squaredDistance } from '../exact.mjs';

export function create() {
  const out = new List();
  let boxes;
  let tree;
  const build = (given) => {
    boxes = given;
    tree = new Flatbush(boxes.length / 6);
    for (let o = 0; o < boxes.length; o += 6) tree.add(boxes[o], boxes[o + 2], boxes[o + 3], boxes[o + 5]);
    tree.finish();
  };
  const rebuild = (_ids, moved) => build(moved);
  /** The filter keeps what it wants, so that no list of candidates is made. */
  const search = (x0, z0, x1, z1, test) => {
    out.clear();
    tree.search(x0, z0, x1, z1, (id) => {
      if (test(6 * id)) out.push(id);
      return false;
    });
    return out;
  };
  return {
    // The box around a frustum leaves out a few boxes beside its edges that no single plane rejects.
    tolerance: 1e-3,
    build,
    update: rebuild,
    teleport: rebuild,
    replace: rebuild,
    cull: ({ planes, box }) => search(box[0], box[2], box[3], box[5], (o) => inPlanes(boxes, o, planes)),
    box: (q) => search(q[0], q[2], q[3], q[5], (o) => boxes[o + 1] <= q[4] && boxes[o + 4] >= q[1]),
    sphere: ({ center: [x, y, z], radius: r }) =>
      search(x - r, z - r, x + r, z + r, (o) => squaredDistance(boxes, o, [x, y, z]) <= r * r),
    pairs() {
      out.clear();
      for (let id = 0, o = 0; o < boxes.length; id++, o += 6) {
        tree.search(boxes[o], boxes[o + 2], boxes[o + 3], boxes[o + 5], (other) => {
          if (id < other && overlaps(boxes, o, boxes, 6 * other)) out.pushPair(id, other);
          return false;
        });
      }
      return out;
    },
  };
}
