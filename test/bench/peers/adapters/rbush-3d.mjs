// A dynamic R-tree of objects with the box as properties. It has no frustum, sphere or distance: a box around the shape
// gives candidates. Of many changes a new tree is made, which takes less time.
import { RBush3D } from 'rbush-3d';
import { List } from '../answers.mjs';
import { inPlanes, squaredDistance } from '../exact.mjs';

const MANY = 0.05;

export function create() {
  const out = new List();
  let boxes;
  let tree;
  let items;

  const write = (item) => {
    const o = 6 * item.id;
    item.minX = boxes[o];
    item.minY = boxes[o + 1];
    item.minZ = boxes[o + 2];
    item.maxX = boxes[o + 3];
    item.maxY = boxes[o + 4];
    item.maxZ = boxes[o + 5];
    return item;
  };
  const search = ([minX, minY, minZ, maxX, maxY, maxZ], test) => {
    out.clear();
    for (const { id } of tree.search({ minX, minY, minZ, maxX, maxY, maxZ })) if (test(6 * id)) out.push(id);
    return out;
  };
  const update = (ids) => {
    if (ids.length > MANY * items.length) {
      for (const item of items) write(item);
      tree.clear().load(items);
      return;
    }
    for (let i = 0; i < ids.length; i++) tree.remove(items[ids[i]]);
    for (let i = 0; i < ids.length; i++) tree.insert(write(items[ids[i]]));
  };
  return {
    // The box around a frustum leaves out a few boxes beside its edges that no single plane rejects.
    tolerance: 1e-3,
    build(given) {
      boxes = given;
      items = Array.from({ length: boxes.length / 6 }, (_, id) => write({ id }));
      tree = new RBush3D().load(items);
    },
    update,
    teleport: update,
    replace: update,
    cull: ({ planes, box }) => search(box, (o) => inPlanes(boxes, o, planes)),
    rayFirst({ origin, direction }) {
      out.clear();
      const { node } = tree.raycast(...origin, ...direction);
      if (node !== undefined) out.push(node.id);
      return out;
    },
    box: (query) => search(query, () => true),
    sphere: ({ center: [x, y, z], radius: r }) =>
      search([x - r, y - r, z - r, x + r, y + r, z + r], (o) => squaredDistance(boxes, o, [x, y, z]) <= r * r),
    pairs() {
      out.clear();
      for (const item of items) {
        for (const { id } of tree.search(item)) if (item.id < id) out.pushPair(item.id, id);
      }
      return out;
    },
  };
}
