// What three.js has itself: an array of Box3, asked one by one with its Frustum, Ray and Sphere.
import { Box3, Frustum, Matrix4, Ray, Sphere, Vector3 } from 'three';
import { List } from '../answers.mjs';
import { methods } from '../exact.mjs';

const frustum = new Frustum();
const matrix = new Matrix4();
const along = new Ray();
const ball = new Sphere();
const region = new Box3();
const from = new Vector3();
const at = new Vector3();

const aim = ({ origin, direction }) => {
  along.origin.fromArray(origin);
  along.direction.fromArray(direction);
};

/** By method, what a query makes of the classes, and the test of a box. */
const TESTS = {
  cull: [(view) => frustum.setFromProjectionMatrix(matrix.fromArray(view.matrix)), (box) => frustum.intersectsBox(box)],
  rayAll: [aim, (box) => along.intersectsBox(box)],
  box: [(query) => write(region, query, 0), (box) => region.intersectsBox(box)],
  sphere: [({ center, radius }) => ball.set(at.fromArray(center), radius), (box) => ball.intersectsBox(box)],
};

/** The same with how far a box is. */
const DISTANCES = {
  rayFirst: [
    aim,
    (box) => {
      if (along.intersectBox(box, at) === null) return Number.POSITIVE_INFINITY;
      // From within it gives the place where the ray leaves.
      return box.containsPoint(along.origin) ? 0 : at.distanceToSquared(along.origin);
    },
  ],
  nearest: [(point) => from.fromArray(point), (box) => box.clampPoint(from, at).distanceToSquared(from)],
};

function write(box, boxes, o) {
  box.min.set(boxes[o], boxes[o + 1], boxes[o + 2]);
  box.max.set(boxes[o + 3], boxes[o + 4], boxes[o + 5]);
  return box;
}

export function create() {
  const out = new List();
  let all;
  const update = (ids, boxes) => {
    for (let i = 0; i < ids.length; i++) write(all[ids[i]], boxes, 6 * ids[i]);
  };
  return {
    build(boxes) {
      all = Array.from({ length: boxes.length / 6 }, (_, id) => write(new Box3(), boxes, 6 * id));
    },
    update,
    teleport: update,
    replace: update,
    ...methods(TESTS, ([prepare, test]) => (query) => {
      prepare(query);
      out.clear();
      for (let id = 0; id < all.length; id++) if (test(all[id])) out.push(id);
      return out;
    }),
    ...methods(DISTANCES, ([prepare, measure]) => (query) => {
      prepare(query);
      out.clear();
      for (let id = 0; id < all.length; id++) out.offer(id, measure(all[id]));
      return out;
    }),
  };
}
