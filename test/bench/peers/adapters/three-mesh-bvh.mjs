// Its BVH class over boxes. Nodes are in single precision and a little too large, so boxes are tested once more. One box
// cannot be moved: all nodes are fitted anew when boxes drift, and all is built anew when they are elsewhere.
import { BVH, CENTER, CONTAINED, INTERSECTED, NOT_INTERSECTED, SAH } from 'three-mesh-bvh';
import { List } from '../answers.mjs';
import { HOLDS, MEASURES, methods } from '../exact.mjs';

class BoxBVH extends BVH {
  constructor(boxes, options) {
    super();
    this.boxes = boxes;
    this.primitiveBuffer = Int32Array.from({ length: boxes.length / 6 }, (_, id) => id);
    this.primitiveBufferStride = 1;
    this.init(options);
    // Built in order of ids, used in order of the tree: that halves the time of a cull.
    this.place = new Int32Array(boxes.length / 6);
    this.boxes = new Float64Array(boxes.length);
    for (let i = 0; i < this.place.length; i++) this.copy(i, this.primitiveBuffer[i], boxes);
  }

  copy(i, id, boxes) {
    this.place[id] = i;
    for (let c = 0; c < 6; c++) this.boxes[6 * i + c] = boxes[6 * id + c];
  }

  getRootRanges() {
    return [{ offset: 0, count: this.primitiveBuffer.length }];
  }

  writePrimitiveBounds(i, target, offset) {
    for (let c = 0; c < 6; c++) target[offset + c] = this.boxes[6 * i + c];
  }

  update(ids, boxes) {
    for (let i = 0; i < ids.length; i++) this.copy(this.place[ids[i]], ids[i], boxes);
    this.refit();
  }
}

/** How a node lies to six planes. */
export function classifyPlanes({ min, max }, { planes }) {
  let result = CONTAINED;
  for (let i = 0; i < 24; i += 4) {
    const x = planes[i];
    const y = planes[i + 1];
    const z = planes[i + 2];
    const constant = planes[i + 3];
    const far = x * (x > 0 ? max.x : min.x) + y * (y > 0 ? max.y : min.y) + z * (z > 0 ? max.z : min.z);
    if (far + constant < 0) return NOT_INTERSECTED;
    const near = x * (x > 0 ? min.x : max.x) + y * (y > 0 ? min.y : max.y) + z * (z > 0 ? min.z : max.z);
    if (near + constant < 0) result = INTERSECTED;
  }
  return result;
}

/** How a node lies to a query, by method. */
const CLASSIFY = {
  cull: classifyPlanes,
  rayAll: (box, ray) => (nodeEntry(box, ray) < Number.POSITIVE_INFINITY ? INTERSECTED : NOT_INTERSECTED),
  box({ min, max }, q) {
    if (min.x > q[3] || max.x < q[0] || min.y > q[4] || max.y < q[1] || min.z > q[5] || max.z < q[2]) {
      return NOT_INTERSECTED;
    }
    const isInside = min.x >= q[0] && max.x <= q[3] && min.y >= q[1] && max.y <= q[4] && min.z >= q[2] && max.z <= q[5];
    return isInside ? CONTAINED : INTERSECTED;
  },
  sphere(box, { center, radius }) {
    if (nodeDistance(box, center) > radius * radius) return NOT_INTERSECTED;
    const { min, max } = box;
    const x = Math.max(center[0] - min.x, max.x - center[0]);
    const y = Math.max(center[1] - min.y, max.y - center[1]);
    const z = Math.max(center[2] - min.z, max.z - center[2]);
    return x * x + y * y + z * z <= radius * radius ? CONTAINED : INTERSECTED;
  },
};

/** How far a node is, by method. */
const NODES = { rayFirst: nodeEntry, nearest: nodeDistance };

export function create({ sah = false, rebuild = false, leafSize }) {
  const out = new List();
  let boxes;
  let bvh;
  let ids;
  const build = (given) => {
    bvh = new BoxBVH(given, { strategy: sah ? SAH : CENTER, targetLeafSize: leafSize });
    ids = bvh.primitiveBuffer;
    boxes = bvh.boxes;
  };
  const rebuilt = (_ids, moved) => build(moved);
  return {
    build,
    update: (moved, now) => (rebuild ? build(now) : bvh.update(moved, now)),
    teleport: rebuilt,
    replace: rebuilt,
    /** All boxes in nodes that are inside, and of those in nodes that are touched the ones that pass the test. */
    ...methods(CLASSIFY, (classify, method) => (query) => {
      const holds = HOLDS[method];
      out.clear();
      bvh.shapecast({
        intersectsBounds: (box) => classify(box, query),
        intersectsRange(offset, count, contained) {
          if (contained) out.pushAll(ids.subarray(offset, offset + count));
          else for (let i = offset; i < offset + count; i++) if (holds(boxes, 6 * i, query)) out.push(ids[i]);
          return false;
        },
      });
      return out;
    }),
    /** Nearer nodes first, none beyond the best box so far. */
    ...methods(NODES, (toNode, method) => (query) => {
      const toBox = MEASURES[method];
      out.clear();
      bvh.shapecast({
        boundsTraverseOrder: (box) => toNode(box, query),
        intersectsBounds: (_box, _isLeaf, score) =>
          score === undefined || score < out.best ? INTERSECTED : NOT_INTERSECTED,
        intersectsRange(offset, count) {
          for (let i = offset; i < offset + count; i++) out.offer(ids[i], toBox(boxes, 6 * i, query));
          return false;
        },
      });
      return out;
    }),
  };
}

function nodeDistance({ min, max }, point) {
  const x = Math.max(min.x - point[0], 0, point[0] - max.x);
  const y = Math.max(min.y - point[1], 0, point[1] - max.y);
  const z = Math.max(min.z - point[2], 0, point[2] - max.z);
  return x * x + y * y + z * z;
}

function nodeEntry({ min, max }, { origin, inverse }) {
  const ax = (min.x - origin[0]) * inverse[0];
  const bx = (max.x - origin[0]) * inverse[0];
  const ay = (min.y - origin[1]) * inverse[1];
  const by = (max.y - origin[1]) * inverse[1];
  const az = (min.z - origin[2]) * inverse[2];
  const bz = (max.z - origin[2]) * inverse[2];
  const enter = Math.max(0, Math.min(ax, bx), Math.min(ay, by), Math.min(az, bz));
  const leave = Math.min(Math.max(ax, bx), Math.max(ay, by), Math.max(az, bz));
  return enter <= leave ? enter : Number.POSITIVE_INFINITY;
}
