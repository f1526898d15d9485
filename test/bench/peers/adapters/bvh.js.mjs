// The dynamic BVH. Its boxes are minX maxX minY maxY minZ maxZ; with a margin, boxes are tested once more.
import { BVH, HybridBuilder } from 'bvh.js';
import { List } from '../answers.mjs';
import { inPlanes, MEASURES, rayEntry } from '../exact.mjs';

export function create({ margin = 0 }) {
  const out = new List();
  let boxes;
  let bvh;
  let nodes;

  const put = (id) => {
    out.push(id);
    return false;
  };
  const write = (id, box) => {
    for (let c = 0; c < 3; c++) {
      box[2 * c] = boxes[6 * id + c];
      box[2 * c + 1] = boxes[6 * id + c + 3];
    }
    return box;
  };
  const build = (given) => {
    boxes = given;
    bvh = new BVH(new HybridBuilder(true));
    nodes = new Array(boxes.length / 6);
    const objects = Array.from(nodes, (_, id) => id);
    const copies = objects.map((id) => write(id, new Float64Array(6)));
    const onLeaf = (node) => {
      nodes[node.object] = node;
    };
    bvh.createFromArray(objects, copies, onLeaf, margin);
  };
  const contains = ({ box }, o) => {
    for (let c = 0; c < 3; c++) if (box[2 * c] > boxes[o + c] || box[2 * c + 1] < boxes[o + c + 3]) return false;
    return true;
  };
  const update = (ids) => {
    for (let i = 0; i < ids.length; i++) {
      const node = nodes[ids[i]];
      if (margin > 0 && contains(node, 6 * ids[i])) continue;
      write(ids[i], node.box);
      bvh.move(node, margin);
    }
  };
  return {
    build,
    update,
    teleport: update,
    replace(ids) {
      for (let i = 0; i < ids.length; i++) bvh.delete(nodes[ids[i]]);
      for (let i = 0; i < ids.length; i++) {
        nodes[ids[i]] = bvh.insert(ids[i], write(ids[i], new Float64Array(6)), margin);
      }
    },
    cull(view) {
      out.clear();
      bvh.frustumCulling(view.matrix, (node, _frustum, mask) => {
        if (margin === 0 || mask === 0 || inPlanes(boxes, 6 * node.object, view)) out.push(node.object);
      });
      return out;
    },
    rayAll({ origin, direction }) {
      out.clear();
      bvh.rayIntersections(direction, origin, put);
      return out;
    },
    /** There is no search by distance. */
    rayFirst(ray) {
      out.clear();
      bvh.rayIntersections(ray.direction, ray.origin, (id) => out.offer(id, rayEntry(boxes, 6 * id, ray)));
      return out;
    },
    box([x0, y0, z0, x1, y1, z1]) {
      out.clear();
      bvh.intersectsBox([x0, x1, y0, y1, z0, z1], put);
      return out;
    },
    sphere({ center, radius }) {
      out.clear();
      bvh.intersectsSphere(center, radius, put);
      return out;
    },
    nearest(point) {
      out.clear();
      bvh.closestPointToPoint(point, (id) => {
        const distance = MEASURES.nearest(boxes, 6 * id, point);
        out.offer(id, distance);
        return distance;
      });
      return out;
    },
  };
}
