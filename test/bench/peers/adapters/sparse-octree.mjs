// An octree of points: it holds the centres of the boxes, queries are wider by the largest half box, and boxes are tested
// one by one. Rays and distances ask for points alone.
import { PointOctree } from 'sparse-octree';
import { Box3, Frustum, Plane, Sphere, Vector3 } from 'three';
import { List } from '../answers.mjs';
import { inPlanes, overlaps, squaredDistance } from '../exact.mjs';

export function create() {
  const out = new List();
  const centers = [];
  let boxes;
  let octree;
  let reach;

  const centerOf = (id, target) => {
    const o = 6 * id;
    return target.set(
      (boxes[o] + boxes[o + 3]) / 2,
      (boxes[o + 1] + boxes[o + 4]) / 2,
      (boxes[o + 2] + boxes[o + 5]) / 2,
    );
  };
  const search = (region, test) => {
    out.clear();
    for (const { data } of octree.cull(region)) {
      if (data !== null) for (const id of data.data) if (test(6 * id)) out.push(id);
    }
    return out;
  };
  const update = (ids) => {
    const to = new Vector3();
    for (let i = 0; i < ids.length; i++) {
      octree.move(centers[ids[i]], centerOf(ids[i], to));
      centers[ids[i]].copy(to);
    }
  };
  return {
    build(given) {
      boxes = given;
      reach = 0;
      octree = new PointOctree(new Vector3(-1100, -1100, -1100), new Vector3(1100, 1100, 1100), 0, 32, 12);
      for (let id = 0, o = 0; o < boxes.length; id++, o += 6) {
        centers[id] = centerOf(id, new Vector3());
        octree.set(centers[id], id);
        for (let c = 0; c < 3; c++) reach = Math.max(reach, (boxes[o + c + 3] - boxes[o + c]) / 2);
      }
    },
    update,
    teleport: update,
    replace(ids) {
      for (let i = 0; i < ids.length; i++) octree.remove(centers[ids[i]]);
      for (let i = 0; i < ids.length; i++) octree.set(centerOf(ids[i], centers[ids[i]]), ids[i]);
    },
    cull({ planes }) {
      const plane = (i) => new Plane(new Vector3().fromArray(planes, i), planes[i + 3] + Math.sqrt(3) * reach);
      return search(new Frustum(...[0, 4, 8, 12, 16, 20].map(plane)), (o) => inPlanes(boxes, o, planes));
    },
    box(query) {
      const region = new Box3(new Vector3().fromArray(query), new Vector3().fromArray(query, 3)).expandByScalar(reach);
      return search(region, (o) => overlaps(boxes, o, query, 0));
    },
    sphere({ center, radius }) {
      const region = new Sphere(new Vector3().fromArray(center), radius + Math.sqrt(3) * reach);
      return search(region, (o) => squaredDistance(boxes, o, center) <= radius * radius);
    },
  };
}
