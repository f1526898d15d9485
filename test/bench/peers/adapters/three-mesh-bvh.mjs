// Its BVH class over boxes. Nodes are in single precision and a little too large, so boxes are tested once more. One box
// cannot be moved: all nodes are fitted anew when boxes drift, and all is built anew when they are elsewhere.
import { Matrix4 } from 'three';
import { BVH, CENTER, CONTAINED, INTERSECTED, NOT_INTERSECTED, SAH } from 'three-mesh-bvh';
import { List } from '../answers.mjs';
import { classifyPlanes } from '../classifyPlanes.mjs';
import { inPlanes, overlaps, rayEntry, squaredDistance } from '../exact.mjs';

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
    for (let i = 0; i < this.place.length; i++) {
      const id = this.primitiveBuffer[i];
      this.place[id] = i;
      for (let c = 0; c < 6; c++) this.boxes[6 * i + c] = boxes[6 * id + c];
    }
  }

  getRootRanges() {
    return [{ offset: 0, count: this.primitiveBuffer.length }];
  }

  writePrimitiveBounds(i, target, offset) {
    for (let c = 0; c < 6; c++) target[offset + c] = this.boxes[6 * i + c];
  }

  update(ids, boxes) {
    for (let i = 0; i < ids.length; i++) {
      const o = 6 * this.place[ids[i]];
      for (let c = 0; c < 6; c++) this.boxes[o + c] = boxes[6 * ids[i] + c];
    }
    this.refit();
  }
}

const IDENTITY = new Matrix4();

export function create({ sah = false, rebuild = false, leafSize }) {
  const out = new List();
  let boxes;
  let bvh;
  let ids;

  /** All boxes in nodes that are inside, and of those in nodes that are touched the ones that pass the test. */
  const collect = (intersectsBounds, test) => {
    out.clear();
    bvh.shapecast({
      intersectsBounds,
      intersectsRange(offset, count, contained) {
        if (contained) out.pushAll(ids.subarray(offset, offset + count));
        else for (let i = offset; i < offset + count; i++) if (test(6 * i)) out.push(ids[i]);
        return false;
      },
    });
    return out;
  };

  /** Nearer nodes first, none beyond the best box so far. */
  const closest = (toNode, toBox) => {
    let best = Number.POSITIVE_INFINITY;
    let found = -1;
    bvh.shapecast({
      boundsTraverseOrder: toNode,
      intersectsBounds: (_box, _isLeaf, score) => (score === undefined || score < best ? INTERSECTED : NOT_INTERSECTED),
      intersectsRange(offset, count) {
        for (let i = offset; i < offset + count; i++) {
          const distance = toBox(6 * i);
          if (distance < best) [best, found] = [distance, ids[i]];
        }
        return false;
      },
    });
    out.clear();
    if (found >= 0) out.push(found);
    return out;
  };

  const build = (given) => {
    bvh = new BoxBVH(given, { strategy: sah ? SAH : CENTER, targetLeafSize: leafSize });
    ids = bvh.primitiveBuffer;
    boxes = bvh.boxes;
  };
  return {
    build,
    update: (moved, now) => (rebuild ? build(now) : bvh.update(moved, now)),
    teleport: (_ids, moved) => build(moved),
    replace: (_ids, moved) => build(moved),
    cull: ({ planes }) =>
      collect(
        (box) => classifyPlanes(box, planes),
        (o) => inPlanes(boxes, o, planes),
      ),
    rayFirst: (ray) =>
      closest(
        (box) => nodeEntry(box, ray),
        (o) => rayEntry(boxes, o, ray),
      ),
    rayAll: (ray) =>
      collect(
        (box) => (nodeEntry(box, ray) < Number.POSITIVE_INFINITY ? INTERSECTED : NOT_INTERSECTED),
        (o) => rayEntry(boxes, o, ray) < Number.POSITIVE_INFINITY,
      ),
    box: (query) =>
      collect(
        (box) => classifyBox(box, query),
        (o) => overlaps(boxes, o, query, 0),
      ),
    sphere: ({ center, radius }) =>
      collect(
        (box) => classifySphere(box, center, radius * radius),
        (o) => squaredDistance(boxes, o, center) <= radius * radius,
      ),
    nearest: (point) =>
      closest(
        (box) => nodeDistance(box, point),
        (o) => squaredDistance(boxes, o, point),
      ),
    pairs() {
      out.clear();
      bvh.bvhcast(bvh, IDENTITY, {
        intersectsRanges(offset, count, otherOffset, otherCount) {
          for (let i = offset; i < offset + count; i++) {
            for (let j = otherOffset; j < otherOffset + otherCount; j++) {
              if (i < j && overlaps(boxes, 6 * i, boxes, 6 * j)) out.pushPair(ids[i], ids[j]);
            }
          }
          return false;
        },
      });
      return out;
    },
  };
}

function classifyBox({ min, max }, q) {
  if (min.x > q[3] || max.x < q[0] || min.y > q[4] || max.y < q[1] || min.z > q[5] || max.z < q[2]) {
    return NOT_INTERSECTED;
  }
  const isInside = min.x >= q[0] && max.x <= q[3] && min.y >= q[1] && max.y <= q[4] && min.z >= q[2] && max.z <= q[5];
  return isInside ? CONTAINED : INTERSECTED;
}

function classifySphere(box, center, squaredRadius) {
  if (nodeDistance(box, center) > squaredRadius) return NOT_INTERSECTED;
  const { min, max } = box;
  const x = Math.max(center[0] - min.x, max.x - center[0]);
  const y = Math.max(center[1] - min.y, max.y - center[1]);
  const z = Math.max(center[2] - min.z, max.z - center[2]);
  return x * x + y * y + z * z <= squaredRadius ? CONTAINED : INTERSECTED;
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
