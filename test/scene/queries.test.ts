import {
  Box3,
  Euler,
  Frustum,
  Line3,
  Matrix3,
  Matrix4,
  type Object3D,
  Plane,
  Ray,
  Scene,
  Sphere,
  Vector3,
} from 'three';
import { OBB } from 'three/addons/math/OBB.js';
import { describe, expect, it } from 'vitest';
import { createIndex, findPairs, findPairsBetween, type ObjectContact, SceneIndex, sweep } from '../../src/index.js';
import { Capsule, OrientedBox, Sector, STRUCTURES } from '../../src/standalone.js';
import { expectSameIds } from '../helpers/expectSame.js';
import { entriesOf, updated } from '../helpers/indexed.js';
import { random } from '../helpers/random.js';
import { boxMesh, mixedScene } from '../helpers/scene.js';
import { capsuleGap, sectorGap } from '../helpers/shapeOracle.js';

describe.each(STRUCTURES)('with %s, by what three says of the bounds,', (structure) => {
  const next = random(21);
  const scene = mixedScene(next, 250);
  const index = new SceneIndex(scene, { structure: createIndex(structure, { capacity: 4 }) });
  const all = entriesOf(index);
  const ROUNDS = Array.from({ length: 60 }, (_, i) => i);
  const point = (): Vector3 => new Vector3(next() * 80 - 40, next() * 80 - 40, next() * 80 - 40);
  const idsOf = (objects: { object: Object3D }[]): number[] => objects.map(({ object }) => object.id);
  /** The found ones must be those that a test is sure of, and no others than those it may be in doubt about. */
  const between = (found: Object3D[], gap: (box: Box3) => number, label: string): void => {
    const set = new Set(found);
    expect(set.size, label).toBe(found.length);
    for (const { object, box } of all) {
      const by = gap(box);
      if (Math.abs(by) > 1e-9) expect(set.has(object), `${label}, ${object.name}`).toBe(by < 0);
    }
  };
  /** Times within rounding errors, in order, of the same objects. */
  const sameContacts = (got: ObjectContact[], expected: ObjectContact[]): void => {
    expectSameIds(idsOf(got), idsOf(expected), 'contacts');
    const times = new Map(expected.map((c) => [c.object, c.time]));
    for (const { object, time } of got) expect(time).toBeCloseTo(times.get(object) as number, 9);
    expect(got.map((c) => c.time)).toEqual(got.map((c) => c.time).sort((a, b) => a - b));
  };
  /** When a moving point enters boxes that are this much larger. */
  const enter = (from: Vector3, motion: Vector3, by: Vector3): ObjectContact[] => {
    const found: ObjectContact[] = [];
    const ray = new Ray(from, motion.clone().normalize());
    for (const { object, box } of all) {
      const grown = box.clone().expandByVector(by);
      const at = grown.containsPoint(from) ? from : ray.intersectBox(grown, new Vector3());
      const time = at === null ? 2 : at.distanceTo(from) / motion.length();
      if (time <= 1) found.push({ object, time });
    }
    return found;
  };

  it('queryPlanes: the same as a frustum of them', () => {
    for (const i of ROUNDS) {
      const count = i % 7;
      const planes = Array.from({ length: count }, () => new Plane(point().normalize(), next() * 20));
      const frustum = new Frustum(
        ...Array.from({ length: 6 }, (_, k) => planes[k % count] ?? new Plane().set(new Vector3(), 0)),
      );
      const expected = idsOf(all.filter((o) => frustum.intersectsBox(o.box)));
      for (const given of [planes, [...planes, ...planes, ...planes, ...planes]]) {
        const got = index.queryPlanes(given).map((object) => object.id);
        expectSameIds(got, expected, `${given.length} planes`);
      }
    }
  });

  it('queryBox, querySphere and queryPoint', () => {
    const same = (found: Object3D[], test: (box: Box3) => boolean, label: string): void => {
      const wanted = idsOf(all.filter(({ box }) => test(box)));
      expectSameIds(idsOf(found.map((object) => ({ object }))), wanted, label);
    };
    for (const _ of ROUNDS) {
      const center = point();
      const box = new Box3().setFromCenterAndSize(center, new Vector3(next() * 20, next() * 20, next() * 20));
      const sphere = new Sphere(center, next() * 15);
      same(index.queryBox(box), (b) => b.intersectsBox(box), 'box');
      same(index.querySphere(sphere), (b) => b.intersectsSphere(sphere), 'sphere');
      same(index.queryPoint(center), (b) => b.containsPoint(center), 'point');
    }
    expect([index.queryBox(new Box3()), index.querySphere(new Sphere().makeEmpty())]).toEqual([[], []]);
  });

  it('queryShape of an OrientedBox', () => {
    for (const _ of ROUNDS) {
      const turn = new Matrix3().setFromMatrix4(new Matrix4().makeRotationFromEuler(new Euler(...point())));
      const obb = new OBB(point(), new Vector3(next() * 20, next() * 20, next() * 20), turn);
      const grown = (by: number): OBB => new OBB(obb.center, obb.halfSize.clone().addScalar(by), turn);
      const [smaller, larger] = [grown(-1e-9), grown(1e-9)];
      between(
        index.queryShape(new OrientedBox(obb.center, obb.halfSize, turn.elements)),
        (b) => (smaller.intersectsBox3(b) ? -1 : larger.intersectsBox3(b) ? 0 : 1),
        'oriented box',
      );
    }
  });

  it('queryShape of a Capsule', () => {
    for (const _ of ROUNDS) {
      const [start, end, radius] = [point(), point(), next() * 5];
      const gap = capsuleGap(start.toArray(), end.toArray(), radius);
      between(index.queryShape(new Capsule(start, end, radius)), (b) => gap([...b.min, ...b.max]), 'capsule');
    }
  });

  it('queryShape of a Sector', () => {
    for (const i of ROUNDS) {
      const [center, direction, radius, angle] = [point(), point(), next() * 40, (1 - next()) * 2 * Math.PI];
      const gap = sectorGap([center.x, center.z], [direction.x, direction.z], radius, angle);
      const [minY, maxY] = [next() * 20 - 30, next() * 20];
      const heights = i % 2 ? { minY, maxY } : {};
      between(
        index.queryShape(new Sector({ center, direction, radius, angle, ...heights })),
        (b) => (i % 2 && (b.min.y > maxY || b.max.y < minY) ? 1 : gap([...b.min, ...b.max])),
        'sector',
      );
    }
  });

  it('nearest', () => {
    for (const i of ROUNDS) {
      const from = point();
      const far = i % 3 ? next() * 40 : Number.POSITIVE_INFINITY;
      const distances = all.map((o) => o.box.distanceToPoint(from)).filter((d) => d <= far);
      const expected = distances.sort((a, b) => a - b).slice(0, i + 1);
      const got = index.nearest(from, i + 1, far);
      expect(got).toHaveLength(expected.length);
      got.forEach(({ object, distance }, k) => {
        expect(distance).toBeCloseTo(expected[k], 9);
        expect(all.find((o) => o.object === object)!.box.distanceToPoint(from)).toBeCloseTo(distance, 9);
      });
      expect(new Set(got.map((o) => o.object)).size).toBe(got.length);
    }
    expect(index.nearest(point())).toHaveLength(1);
  });

  it('querySegment', () => {
    let found = 0;
    for (const _ of ROUNDS) {
      const line = new Line3(point(), point());
      const got = index.querySegment(line);
      sameContacts(got, enter(line.start, line.delta(new Vector3()), new Vector3()));
      found += got.length;
    }
    expect(found).toBeGreaterThan(20);
  });

  it('sweep', () => {
    for (const _ of ROUNDS) {
      const half = new Vector3(next() * 4, next() * 4, next() * 4);
      const [center, motion] = [point(), point()];
      const box = new Box3().setFromCenterAndSize(center, half.clone().multiplyScalar(2));
      sameContacts(sweep(index, box, motion), enter(center, motion, half));
    }
  });

  it('pairs, and pairs with another index', () => {
    const key = (a: Object3D, b: Object3D): string => [a.id, b.id].sort((x, y) => x - y).join(' ');
    const expected = new Set<string>();
    for (const a of all)
      for (const b of all)
        if (a.object.id < b.object.id && a.box.intersectsBox(b.box)) expected.add(key(a.object, b.object));
    const got = findPairs(index);
    expect(got.length).toBe(expected.size);
    expect(new Set(got.map(([a, b]) => key(a, b)))).toEqual(expected);
    expect(expected.size).toBeGreaterThan(10);

    const other = new SceneIndex(mixedScene(random(22), 80), { structure: createIndex('octree') });
    const between = entriesOf(other).flatMap((b) =>
      all.filter((a) => a.box.intersectsBox(b.box)).map((a) => `${a.object.id} ${b.object.id}`),
    );
    const list: [Object3D, Object3D][] = got;
    expect(findPairsBetween(index, other, list)).toBe(list);
    expect(list.map(([a, b]) => `${a.id} ${b.id}`).sort()).toEqual(between.sort());
    expect(between.length).toBeGreaterThan(10);
  });
});

describe('answers about what is around', () => {
  const [left, right] = [boxMesh(-5), boxMesh(5)];
  const scene = new Scene().add(left, right);
  right.visible = false;
  const index = new SceneIndex(scene);
  const unit = new Box3(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));

  it('include what is hidden, and overwrite lists', () => {
    const objects: Object3D[] = [scene, scene, scene];
    expect(index.queryPlanes([], objects)).toBe(objects);
    expect(objects).toEqual([left, right]);
    const box = new OrientedBox(new Vector3(5, 0, 0), new Vector3(9, 1, 1), new Matrix3().elements);
    expect(index.queryShape(box, objects)).toEqual([right]);
    const capsule = new Capsule(new Vector3(0, 2, 0), new Vector3(9, 2, 0), 1.5);
    expect(index.queryShape(capsule, objects)).toEqual([right]);
    const sector = { center: new Vector3(0, 99, 0), direction: new Vector3(-1, 7, 0), radius: 4.5, angle: 1 };
    expect(index.queryShape(new Sector(sector), objects)).toEqual([left]);
    expect(index.queryShape(new Sector({ ...sector, minY: 0.6 }), objects)).toEqual([]);

    const near = index.nearest(new Vector3(1, 0, 0), 9);
    expect(near).toEqual([
      { object: right, distance: 3.5 },
      { object: left, distance: 5.5 },
    ]);
    expect(index.nearest(new Vector3(), 1, 4, near)).toEqual([]);
    expect(near).toEqual([]);
    const way = new Vector3(16, 0, 0);
    const contacts = index.querySegment(new Line3(new Vector3(-10.5, 0, 0), new Vector3(5.5, 0, 0)));
    expect(contacts).toEqual([
      { object: left, time: 5 / 16 },
      { object: right, time: 15 / 16 },
    ]);
    expect(sweep(index, unit, way, contacts)).toEqual([{ object: right, time: 4 / 16 }]);
    expect(sweep(index, unit, way.negate())[0]).toEqual({ object: left, time: 4 / 16 });
    expect(sweep(index, unit, new Vector3(0, 1, 0))).toEqual([]);
    expect(findPairs(index, [[scene, scene]])).toEqual([]);
    expect(findPairsBetween(index, index)).toEqual([
      [left, left],
      [right, right],
    ]);
  });

  it('are none for what is empty, and go by the bounds of the last update', () => {
    expect(sweep(index, new Box3(), new Vector3(1, 0, 0))).toEqual([]);
    expect(new SceneIndex(new Scene()).nearest(new Vector3())).toEqual([]);
    left.position.x = 0;
    expect(index.nearest(new Vector3())[0].distance).toBe(4.5);
    expect(updated(index).nearest(new Vector3())).toEqual([{ object: left, distance: 0 }]);
  });
});
