// What three.js has itself: an array of Box3, asked one by one with its Frustum, Ray and Sphere.
import { Box3, Frustum, Matrix4, Ray, Sphere, Vector3 } from 'three';
import { List } from '../answers.mjs';

export function create() {
  const out = new List();
  const frustum = new Frustum();
  const matrix = new Matrix4();
  const along = new Ray();
  const ball = new Sphere();
  const region = new Box3();
  const at = new Vector3();
  let all;

  const write = (box, boxes, o) => {
    box.min.set(boxes[o], boxes[o + 1], boxes[o + 2]);
    box.max.set(boxes[o + 3], boxes[o + 4], boxes[o + 5]);
    return box;
  };
  const update = (ids, boxes) => {
    for (let i = 0; i < ids.length; i++) write(all[ids[i]], boxes, 6 * ids[i]);
  };
  const filter = (test) => {
    out.clear();
    for (let id = 0; id < all.length; id++) if (test(all[id])) out.push(id);
    return out;
  };
  /** The box with the least measure. */
  const least = (measure) => {
    let best = Number.POSITIVE_INFINITY;
    let found = -1;
    for (let id = 0; id < all.length; id++) {
      const distance = measure(all[id]);
      if (distance < best) [best, found] = [distance, id];
    }
    out.clear();
    if (found >= 0) out.push(found);
    return out;
  };
  const aim = ({ origin, direction }) => {
    along.origin.fromArray(origin);
    along.direction.fromArray(direction);
  };
  return {
    build(boxes) {
      all = Array.from({ length: boxes.length / 6 }, (_, id) => write(new Box3(), boxes, 6 * id));
    },
    update,
    teleport: update,
    replace: update,
    cull(view) {
      frustum.setFromProjectionMatrix(matrix.fromArray(view.matrix));
      return filter((box) => frustum.intersectsBox(box));
    },
    rayAll(ray) {
      aim(ray);
      return filter((box) => along.intersectsBox(box));
    },
    rayFirst(ray) {
      aim(ray);
      return least((box) => {
        if (along.intersectBox(box, at) === null) return Number.POSITIVE_INFINITY;
        // From within it gives the place where the ray leaves.
        return box.containsPoint(along.origin) ? 0 : at.distanceToSquared(along.origin);
      });
    },
    box: (query) => {
      write(region, query, 0);
      return filter((box) => region.intersectsBox(box));
    },
    sphere({ center, radius }) {
      ball.center.fromArray(center);
      ball.radius = radius;
      return filter((box) => ball.intersectsBox(box));
    },
    nearest(point) {
      const from = new Vector3().fromArray(point);
      return least((box) => box.clampPoint(from, at).distanceToSquared(from));
    },
  };
}
