// The dynamic BVH. Its boxes are minX maxX minY maxY minZ maxZ; with a margin, boxes are tested once more.
import { BVH, HybridBuilder } from 'bvh.js';
import { List } from '../answers.mjs';
import { inPlanes, overlaps, rayEntry, squaredDistance } from '../exact.mjs';

export function create({ margin = 0, rebuild = false }) {
  const out = new List();
  let boxes;
  let bvh;
  let nodes;

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
    bvh.createFromArray(
      objects,
      copies,
      (node) => {
        nodes[node.object] = node;
      },
      margin,
    );
  };
  const contains = ({ box }, id) => {
    const o = 6 * id;
    return (
      box[0] <= boxes[o] &&
      box[1] >= boxes[o + 3] &&
      box[2] <= boxes[o + 1] &&
      box[3] >= boxes[o + 4] &&
      box[4] <= boxes[o + 2] &&
      box[5] >= boxes[o + 5]
    );
  };
  const update = (ids, moved) => {
    if (rebuild) return build(moved);
    for (let i = 0; i < ids.length; i++) {
      const node = nodes[ids[i]];
      if (margin > 0 && contains(node, ids[i])) continue;
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
    cull({ matrix, planes }) {
      out.clear();
      bvh.frustumCulling(matrix, (node, _frustum, mask) => {
        if (margin === 0 || mask === 0 || inPlanes(boxes, 6 * node.object, planes)) out.push(node.object);
      });
      return out;
    },
    /** There is no search by distance. */
    rayAll({ origin, direction }) {
      out.clear();
      bvh.rayIntersections(direction, origin, (id) => {
        out.push(id);
      });
      return out;
    },
    rayFirst(ray) {
      let best = Number.POSITIVE_INFINITY;
      let found = -1;
      bvh.rayIntersections(ray.direction, ray.origin, (id) => {
        const enter = rayEntry(boxes, 6 * id, ray);
        if (enter < best) [best, found] = [enter, id];
      });
      out.clear();
      if (found >= 0) out.push(found);
      return out;
    },
    box([x0, y0, z0, x1, y1, z1]) {
      out.clear();
      bvh.intersectsBox([x0, x1, y0, y1, z0, z1], (id) => {
        out.push(id);
        return false;
      });
      return out;
    },
    sphere({ center, radius }) {
      out.clear();
      bvh.intersectsSphere(center, radius, (id) => {
        out.push(id);
        return false;
      });
      return out;
    },
    nearest(point) {
      let best = Number.POSITIVE_INFINITY;
      let found = -1;
      bvh.closestPointToPoint(point, (id) => {
        const distance = squaredDistance(boxes, 6 * id, point);
        if (distance < best) [best, found] = [distance, id];
        return distance;
      });
      out.clear().push(found);
      return out;
    },
    pairs() {
      out.clear();
      for (let id = 0; id < nodes.length; id++) {
        bvh.isNodeIntersected(nodes[id], (other) => {
          if (id < other && (margin === 0 || overlaps(boxes, 6 * id, boxes, 6 * other))) out.pushPair(id, other);
          return false;
        });
      }
      return out;
    },
  };
}
