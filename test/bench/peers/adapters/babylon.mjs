// The octree of Babylon.js, filled with plain entries. It returns the contents of the blocks it meets, so boxes are tested
// one by one, and it does not follow motion: it is made anew. It has no box, distance or pair query.
import { Octree } from '@babylonjs/core/Culling/Octrees/octree.js';
import { Ray } from '@babylonjs/core/Culling/ray.js';
import { Plane } from '@babylonjs/core/Maths/math.plane.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { List } from '../answers.mjs';
import { inPlanes, rayEntry, squaredDistance } from '../exact.mjs';

const CAPACITY = 64;

export function create({ depth }) {
  const out = new List();
  let boxes;
  let octree;

  const addTo = (entry, { entries, minPoint: low, maxPoint: high }) => {
    const o = 6 * entry.id;
    if (boxes[o] > high.x || boxes[o + 3] < low.x) return;
    if (boxes[o + 1] > high.y || boxes[o + 4] < low.y) return;
    if (boxes[o + 2] > high.z || boxes[o + 5] < low.z) return;
    entries.push(entry);
  };
  const build = (given) => {
    boxes = given;
    const low = new Vector3(Infinity, Infinity, Infinity);
    const high = new Vector3(-Infinity, -Infinity, -Infinity);
    for (let o = 0; o < boxes.length; o += 6) {
      low.minimizeInPlaceFromFloats(boxes[o], boxes[o + 1], boxes[o + 2]);
      high.maximizeInPlaceFromFloats(boxes[o + 3], boxes[o + 4], boxes[o + 5]);
    }
    octree = new Octree(addTo, CAPACITY, depth);
    octree.update(
      low,
      high,
      Array.from({ length: boxes.length / 6 }, (_, id) => ({ id })),
    );
  };
  const rebuild = (_ids, moved) => build(moved);
  const filter = ({ data, length }, test) => {
    out.clear();
    for (let i = 0; i < length; i++) if (test(6 * data[i].id)) out.push(data[i].id);
    return out;
  };
  const along = (ray) =>
    octree.intersectsRay(new Ray(Vector3.FromArray(ray.origin), Vector3.FromArray(ray.direction), 1e6));
  return {
    build,
    update: rebuild,
    teleport: rebuild,
    replace: rebuild,
    cull({ planes }) {
      const all = [0, 4, 8, 12, 16, 20].map((i) => new Plane(planes[i], planes[i + 1], planes[i + 2], planes[i + 3]));
      return filter(octree.select(all), (o) => inPlanes(boxes, o, planes));
    },
    rayAll: (ray) => filter(along(ray), (o) => rayEntry(boxes, o, ray) < Number.POSITIVE_INFINITY),
    rayFirst(ray) {
      const { data, length } = along(ray);
      let best = Number.POSITIVE_INFINITY;
      let found = -1;
      for (let i = 0; i < length; i++) {
        const enter = rayEntry(boxes, 6 * data[i].id, ray);
        if (enter < best) [best, found] = [enter, data[i].id];
      }
      out.clear();
      if (found >= 0) out.push(found);
      return out;
    },
    sphere: ({ center, radius }) =>
      filter(
        octree.intersects(Vector3.FromArray(center), radius),
        (o) => squaredDistance(boxes, o, center) <= radius * radius,
      ),
  };
}
