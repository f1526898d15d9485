// A static R-tree in two dimensions: boxes on XZ, the height tested in its filter, built anew for every change. It has
// neither rays nor distances in 3D.
import Flatbush from 'flatbush';
import { List } from '../answers.mjs';
import { HOLDS } from '../exact.mjs';

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
    cull: (view) => search(view.box[0], view.box[2], view.box[3], view.box[5], (o) => HOLDS.cull(boxes, o, view)),
    box: (q) => search(q[0], q[2], q[3], q[5], (o) => boxes[o + 1] <= q[4] && boxes[o + 4] >= q[1]),
    sphere(ball) {
      const { center, radius } = ball;
      const [x, , z] = center;
      return search(x - radius, z - radius, x + radius, z + radius, (o) => HOLDS.sphere(boxes, o, ball));
    },
  };
}
