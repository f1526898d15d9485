// Cuboids without a body for queries; for pairs sensors on kinematic bodies, for which a step finds what overlaps. It has
// no frustum query, and cannot tell a box query from one by bounds in single precision.
import RAPIER from '@dimforge/rapier3d-compat';
import { List } from '../answers.mjs';

const NO_TURN = { x: 0, y: 0, z: 0, w: 1 };

export async function create({ sensors = false }) {
  await RAPIER.init();
  const out = new List();
  let world;
  let movable;
  let colliders;
  const at = { x: 0, y: 0, z: 0 };
  const half = { x: 0, y: 0, z: 0 };

  const read = (boxes, o) => {
    at.x = (boxes[o] + boxes[o + 3]) / 2;
    at.y = (boxes[o + 1] + boxes[o + 4]) / 2;
    at.z = (boxes[o + 2] + boxes[o + 5]) / 2;
    half.x = (boxes[o + 3] - boxes[o]) / 2;
    half.y = (boxes[o + 4] - boxes[o + 1]) / 2;
    half.z = (boxes[o + 5] - boxes[o + 2]) / 2;
  };
  const push = (collider) => {
    out.push(collider.box);
    return true;
  };
  const add = (boxes, id) => {
    read(boxes, 6 * id);
    const shape = RAPIER.ColliderDesc.cuboid(half.x, half.y, half.z);
    if (sensors) {
      const body = RAPIER.RigidBodyDesc.kinematicPositionBased().setTranslation(at.x, at.y, at.z);
      movable[id] = world.createRigidBody(body);
      shape.setSensor(true).setActiveCollisionTypes(RAPIER.ActiveCollisionTypes.ALL);
      colliders[id] = world.createCollider(shape, movable[id]);
    } else {
      colliders[id] = movable[id] = world.createCollider(shape.setTranslation(at.x, at.y, at.z));
    }
    colliders[id].box = id;
  };
  const adapter = {
    tolerance: 1e-3,
    build(boxes) {
      world?.free();
      world = new RAPIER.World({ x: 0, y: 0, z: 0 });
      movable = [];
      colliders = [];
      for (let id = 0; id < boxes.length / 6; id++) add(boxes, id);
      world.step();
    },
    update(ids, boxes) {
      for (let i = 0; i < ids.length; i++) {
        read(boxes, 6 * ids[i]);
        movable[ids[i]].setTranslation(at, true);
      }
      world.step();
    },
    rayFirst({ origin, direction }) {
      out.clear();
      const hit = world.castRay(ray(origin, direction), 1e6, true);
      if (hit !== null) push(hit.collider);
      return out;
    },
    rayAll({ origin, direction }) {
      out.clear();
      world.intersectionsWithRay(ray(origin, direction), 1e6, true, (hit) => push(hit.collider));
      return out;
    },
    box(query) {
      out.clear();
      read(query, 0);
      world.collidersWithAabbIntersectingAabb(at, half, push);
      return out;
    },
    sphere({ center: [x, y, z], radius }) {
      out.clear();
      world.intersectionsWithShape({ x, y, z }, NO_TURN, new RAPIER.Ball(radius), push);
      return out;
    },
    nearest([x, y, z]) {
      out.clear();
      push(world.projectPoint({ x, y, z }, true).collider);
      return out;
    },
  };
  if (sensors) {
    adapter.pairs = () => {
      out.clear();
      for (let id = 0; id < colliders.length; id++) {
        world.intersectionPairsWith(colliders[id], (other) => {
          if (id < other.box) out.pushPair(id, other.box);
        });
      }
      return out;
    };
  }
  return adapter;
}

function ray([x, y, z], [dx, dy, dz]) {
  return new RAPIER.Ray({ x, y, z }, { x: dx, y: dy, z: dz });
}
