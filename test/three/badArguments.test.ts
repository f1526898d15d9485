import {
  ArrayCamera,
  Box3,
  BufferGeometry,
  Frustum,
  Group,
  Line3,
  Mesh,
  Object3D,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Scene,
  type SkinnedMesh,
  Sphere,
  Vector2,
  Vector3,
} from 'three';
import { OBB } from 'three/addons/math/OBB.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  Capsule,
  classifyScene,
  createIndex,
  findObjectPairs,
  findObjectPairsBetween,
  forEachSceneNode,
  Grid,
  LooseOctree,
  Octree,
  OrientedBox,
  queryScreen,
  SceneIndex,
  Sector,
  STRUCTURES,
  sceneStats,
  sweepScene,
  sweepSceneFirst,
  validateScene,
} from '../../src/index.js';
import { random } from '../helpers/random.js';
import { boxMesh, mixedScene, skinnedTower } from '../helpers/scene.js';

// biome-ignore lint/suspicious/noExplicitAny: wrong types are the point
const any = (value: unknown): any => value;
const NAN = new Vector3(Number.NaN, 0, 0);
const FAR = new Vector3(0, Number.POSITIVE_INFINITY, 0);

function camera(x = 0, y = 0, z = 60): PerspectiveCamera {
  const eye = new PerspectiveCamera(60, 1, 0.1, 500);
  eye.position.set(x, y, z);
  eye.lookAt(0, 0, 0);
  eye.updateMatrixWorld();
  return eye;
}

/** What an index answers, for comparison before and after. */
function everything(index: SceneIndex): unknown {
  const boxes: unknown[] = [];
  index.root.traverse((object) => {
    const box = index.getBox(object, new Box3());
    boxes.push([index.has(object), box && [...box.min, ...box.max]]);
  });
  const { size, version, structure } = index;
  const seen = [camera(), camera(60, 0, 0), camera(0, 50, 1)].map((eye) => index.cull(eye).map((o) => o.uuid));
  return { size, version, structure, boxes, seen, stats: sceneStats(index) };
}

/** Boxes of all objects, to be compared with those of an index made anew. */
function boxesOf(index: SceneIndex): unknown[] {
  const boxes: unknown[] = [];
  index.root.traverse((object) => {
    const box = index.getBox(object, new Box3());
    boxes.push([object.name || object.type, box && [...box.min, ...box.max]]);
  });
  return boxes;
}

function expectLikeNew(index: SceneIndex): void {
  expect(validateScene(index)).toEqual([]);
  const got = boxesOf(index);
  const fresh = new SceneIndex(index.root);
  expect(got).toEqual(boxesOf(fresh));
  fresh.dispose();
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Kind = typeof TypeError | typeof RangeError;
type Row = [label: string, error: Kind, call: (index: SceneIndex) => unknown];

const NOTHINGS: [string, unknown][] = [
  ['null', null],
  ['undefined', undefined],
  ['a number', 5],
  ['a string', 'scene'],
  ['a plain object', {}],
];
const methods: [string, (index: SceneIndex, value: unknown) => unknown][] = [
  ['add', (index, value) => index.add(any(value))],
  ['remove', (index, value) => index.remove(any(value))],
  ['touch', (index, value) => index.touch(any(value))],
  ['setStatic', (index, value) => index.setStatic(any(value))],
  ['cull', (index, value) => index.cull(any(value))],
  ['classifyScene', (index, value) => classifyScene(index, any(value), { inside: [], intersecting: [] })],
  ['raycast', (index, value) => index.raycast(any(value))],
  ['raycastFirst', (index, value) => index.raycastFirst(any(value))],
  ['queryBox', (index, value) => index.queryBox(any(value))],
  ['querySphere', (index, value) => index.querySphere(any(value))],
  ['queryFrustum', (index, value) => index.queryFrustum(any(value))],
  ['queryPoint', (index, value) => index.queryPoint(any(value))],
  ['queryPlanes', (index, value) => index.queryPlanes(any(value))],
  ['queryShape', (index, value) => index.queryShape(any(value))],
  ['queryScreen', (index, value) => queryScreen(index, any(value), new Vector2(), new Vector2())],
  ['nearest', (index, value) => index.nearest(any(value))],
  ['querySegment', (index, value) => index.querySegment(any(value))],
  ['sweepScene', (index, value) => sweepScene(index, any(value), new Vector3())],
  ['sweepSceneFirst', (index, value) => sweepSceneFirst(index, any(value), new Vector3())],
  ['findObjectPairsBetween', (index, value) => findObjectPairsBetween(index, any(value))],
];
const ONE = new Vector3(1, 1, 1);
const AXES = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const SECTOR = { center: ONE, direction: ONE, radius: 1, angle: 1 };
const CORNER = new Vector2();

const ROWS: Row[] = [
  ...methods.flatMap(([name, call]) =>
    NOTHINGS.map(([label, value]): Row => [`${name} of ${label}`, TypeError, (index) => call(index, value)]),
  ),
  ['cull with an object that is no camera', TypeError, (index) => index.cull(any(boxMesh()))],
  ['classify without a target', TypeError, (index) => classifyScene(index, camera(), any(undefined))],
  ['classify without lists', TypeError, (index) => classifyScene(index, camera(), any({ inside: [] }))],
  [
    'classify with a list that is none',
    TypeError,
    (index) => classifyScene(index, camera(), any({ inside: [], intersecting: [], culled: 5 })),
  ],
  ['a NaN Box3', RangeError, (index) => index.queryBox(new Box3(NAN, new Vector3(1, 1, 1)))],
  [
    'a Box3 with strings',
    TypeError,
    (index) => index.queryBox(new Box3(any({ x: '0', y: 0, z: 0 }), new Vector3(1, 1, 1))),
  ],
  ['a Sphere with a NaN centre', RangeError, (index) => index.querySphere(new Sphere(NAN, 1))],
  ['a Sphere with a NaN radius', RangeError, (index) => index.querySphere(new Sphere(new Vector3(), Number.NaN))],
  ['a NaN point', RangeError, (index) => index.queryPoint(NAN)],
  ['an unfinished frustum', TypeError, (index) => index.queryFrustum(any({ planes: [1, 2, 3, 4, 5, 6] }))],
  [
    'a frustum of five planes',
    TypeError,
    (index) => index.queryFrustum(any({ planes: new Array(5).fill(new Plane()) })),
  ],
  ['a raycaster without a ray', TypeError, (index) => index.raycast(any({ layers: {} }))],
  ['an ArrayCamera of nothing', TypeError, (index) => index.cull(new ArrayCamera(any([camera(), null])))],
  [
    'a classify of an ArrayCamera of nothing',
    TypeError,
    (index) => classifyScene(index, new ArrayCamera(any([camera(), null])), { inside: [], intersecting: [] }),
  ],
  ['31 planes', RangeError, (index) => index.queryPlanes(new Array(31).fill(new Plane()))],
  ['planes of nothing', TypeError, (index) => index.queryPlanes(any([null]))],
  ['a shape that is an OBB of three', TypeError, (index) => index.queryShape(any(new OBB(ONE, ONE)))],
  ['a shape that only looks like one', TypeError, (index) => index.queryShape(any({ touches: () => true }))],
  ['an oriented box with a NaN centre', RangeError, (index) => index.queryShape(new OrientedBox(NAN, ONE, AXES))],
  ['an oriented box of infinite size', RangeError, (index) => index.queryShape(new OrientedBox(ONE, FAR, AXES))],
  ['a capsule to nowhere', TypeError, (index) => index.queryShape(new Capsule(ONE, any(null), 1))],
  [
    'a sector straight up',
    RangeError,
    (index) => index.queryShape(new Sector({ ...SECTOR, direction: new Vector3(0, 1, 0) })),
  ],
  ['a screen without corners', TypeError, (index) => queryScreen(index, camera(), any(undefined), CORNER)],
  ['a screen with one corner', TypeError, (index) => queryScreen(index, camera(), CORNER, any(null))],
  ['a NaN corner', RangeError, (index) => queryScreen(index, camera(), new Vector2(Number.NaN, 0), CORNER)],
  [
    'an infinite corner',
    RangeError,
    (index) => queryScreen(index, camera(), CORNER, new Vector2(0, Number.NEGATIVE_INFINITY)),
  ],
  ['an unknown mode', RangeError, (index) => queryScreen(index, camera(), CORNER, CORNER, any('inside'))],
  ['nearest to NaN', RangeError, (index) => index.nearest(NAN)],
  ['the nearest none', RangeError, (index) => index.nearest(ONE, 0)],
  ['the nearest one and a half', RangeError, (index) => index.nearest(ONE, 1.5)],
  ['nearest at a negative distance', RangeError, (index) => index.nearest(ONE, 1, -1)],
  ['nearest at NaN', RangeError, (index) => index.nearest(ONE, 1, Number.NaN)],
  ['nearest at no number', TypeError, (index) => index.nearest(ONE, 1, any('9'))],
  ['a NaN segment', RangeError, (index) => index.querySegment(new Line3(ONE, NAN))],
  ['an infinite segment', RangeError, (index) => index.querySegment(new Line3(ONE, FAR))],
  ['a segment without end', TypeError, (index) => index.querySegment(new Line3(ONE, any(null)))],
  ['a sweep of NaN', RangeError, (index) => sweepScene(index, new Box3(NAN, ONE), ONE)],
  ['a sweep by NaN', RangeError, (index) => sweepScene(index, new Box3(ONE, ONE), NAN)],
  ['a sweep by nothing', TypeError, (index) => sweepScene(index, new Box3(ONE, ONE), any(undefined))],
  ['a first sweep by an infinite way', RangeError, (index) => sweepSceneFirst(index, new Box3(ONE, ONE), FAR)],
  ['pairs with a scene', TypeError, (index) => findObjectPairsBetween(index, any(index.root))],
  ['setIndex of nothing', TypeError, (index) => index.setIndex(any(null))],
  ['setIndex of a name', TypeError, (index) => index.setIndex(any('octree'))],
  ['setIndex of a scene index', TypeError, (index) => index.setIndex(any(index))],
  ['setIndex of what only looks like one', TypeError, (index) => index.setIndex(any({ size: 0, queryBox() {} }))],
  ['setIndex of one that holds items', RangeError, (index) => index.setIndex(filled())],
  ['setIndex of one in use', RangeError, (index) => index.setIndex(inUse())],
  ['getBox into nothing', TypeError, (index) => index.getBox(index.root.children[0], any(null))],
  ['forEachNode of nothing', TypeError, (index) => forEachSceneNode(index, any(null))],
];

function filled(): LooseOctree {
  const index = new LooseOctree();
  index.add([0, 0, 0, 1, 1, 1]);
  return index;
}

/** An index of a scene, which has no objects in it. */
function inUse(): LooseOctree {
  const index = new LooseOctree();
  new SceneIndex(new Scene(), { index });
  return index;
}

describe('bad arguments are refused, and all is as it was:', () => {
  it.each(ROWS)('%s', (_label, error, call) => {
    const scene = mixedScene(random(6), 40);
    scene.add(boxMesh());
    scene.children.unshift(scene.children.pop() as Object3D);
    const index = new SceneIndex(scene, { index: new LooseOctree({ capacity: 4 }) });
    const before = everything(index);
    expect(() => call(index)).toThrow(error);
    expect(everything(index)).toEqual(before);
    expect(validateScene(index)).toEqual([]);
  });

  it.each(NOTHINGS)('a root that is %s', (_label, root) => {
    expect(() => new SceneIndex(any(root))).toThrow(TypeError);
    expect(() => new SceneIndex(any(root))).toThrow(/^SceneIndex\.root: must be an Object3D, got /);
  });

  it.each([
    [null, TypeError],
    [7, TypeError],
    [{ structure: 'octree' }, RangeError],
    [{ capacity: 4 }, RangeError],
    [{ index: 'octree' }, TypeError],
    [{ index: null }, TypeError],
    [{ index: new Scene() }, TypeError],
    [{ index: filled() }, RangeError],
    [{ index: inUse() }, RangeError],
  ])('options %o', (options, error) => {
    const scene = new Scene();
    scene.add(boxMesh());
    expect(() => new SceneIndex(scene, any(options))).toThrow(error as Kind);
    // Nothing listens: the scene was left alone.
    expect(any(scene)._listeners).toBeUndefined();
  });

  it('an index is free again when its scene index was disposed, got another, or could not be made', () => {
    const first = new Octree();
    const second = new Grid();
    const scene = new Scene();
    scene.add(boxMesh());
    const index = new SceneIndex(scene, { index: first });
    expect([index.structure, first.size]).toEqual(['octree', 1]);
    index.setIndex(second);
    expect([index.structure, first.size, second.size]).toEqual(['grid', 0, 1]);
    const broken = new Scene();
    broken.add(Object.seal(boxMesh()));
    expect(() => new SceneIndex(broken, { index: first })).toThrow(TypeError);
    index.setIndex(first);
    index.dispose();
    expect([index.size, first.size]).toEqual([0, 0]);
    expect(new SceneIndex(scene, { index: first }).size).toBe(1);
    expect(index.size).toBe(0);
  });

  it('options that are inherited are no options', () => {
    const options = Object.create({ index: filled(), capacity: 0 });
    expect(new SceneIndex(new Scene(), options).structure).toBe('packed');
  });

  it('planes that are NaN are no condition', () => {
    const scene = new Scene();
    scene.add(boxMesh());
    const frustum = new Frustum();
    for (const plane of frustum.planes) plane.normal.set(Number.NaN, 0, 0);
    expect(new SceneIndex(scene).queryFrustum(frustum)).toHaveLength(1);
  });

  it('an object that is not followed is no error', () => {
    const index = new SceneIndex(new Scene());
    const other = boxMesh();
    expect([index.has(other), index.remove(other), index.touch(other), index.setStatic(other)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(index.getBox(other, new Box3())).toBeNull();
    for (const value of [null, undefined, 3, {}]) expect(index.has(any(value))).toBe(false);
  });

  it('every method of a disposed index throws, has() and a second dispose() apart', () => {
    const scene = new Scene();
    scene.add(boxMesh());
    const index = new SceneIndex(scene);
    index.dispose();
    index.dispose();
    const calls: [string, () => unknown][] = [
      ...methods.map(([name, call]): [string, () => unknown] => [name, () => call(index, scene)]),
      ['findObjectPairs', () => findObjectPairs(index)],
      ['findObjectPairsBetween', () => findObjectPairsBetween(new SceneIndex(scene), index)],
      ['update', () => index.update()],
      ['setIndex', () => index.setIndex(createIndex('octree'))],
      ['getBox', () => index.getBox(scene, new Box3())],
      ['forEachSceneNode', () => forEachSceneNode(index, () => {})],
      ['sceneStats', () => sceneStats(index)],
      ['validateScene', () => validateScene(index)],
    ];
    for (const [name, call] of calls) expect(call, name).toThrow(`${name}: the index was disposed`);
    expect(index.has(scene)).toBe(false);
    expect(index.size).toBe(0);
  });
});

describe('user code that throws at its i-th call', () => {
  /** A function that throws once, at its i-th call. */
  const trap = (at: number): (() => void) => {
    let calls = 0;
    return () => {
      if (++calls === at) throw new Error('mine');
    };
  };
  const attempt = (call: () => unknown): void => {
    try {
      call();
    } catch (error) {
      expect((error as Error).message).toBe('mine');
    }
  };

  it('updateMatrixWorld: the next update is right', () => {
    for (let at = 1; at <= 30; at++) {
      const next = random(at);
      const scene = mixedScene(next, 40);
      const index = new SceneIndex(scene, { index: new LooseOctree({ capacity: 4 }) });
      const all: Object3D[] = [];
      scene.traverse((object) => all.push(object));
      const spring = trap(at);
      for (let i = 1; i < all.length; i += 3) {
        const own = all[i].updateMatrixWorld;
        all[i].updateMatrixWorld = function (this: Object3D, ...args) {
          spring();
          own.apply(this, args);
        };
      }
      for (let round = 0; round < 2; round++) {
        for (const object of all) if (next() < 0.3) object.position.x += next();
        attempt(() => index.update());
      }
      index.update();
      expectLikeNew(index);
      index.dispose();
    }
  });

  it('updateMatrixWorld between a parent that moves and its child that does not', () => {
    const scene = new Scene();
    const group = new Group();
    const bad = new Group();
    const child = boxMesh();
    group.add(bad, child);
    scene.add(group);
    const index = new SceneIndex(scene);
    group.position.x = 10;
    bad.updateMatrixWorld = () => {
      throw new Error('mine');
    };
    expect(() => index.update()).toThrow('mine');
    bad.updateMatrixWorld = Object3D.prototype.updateMatrixWorld;
    index.update();
    expect(index.queryPoint(new Vector3(10, 0, 0))).toEqual([child]);
  });

  it('a getter of a geometry: the others are unaffected, and the next update is right', () => {
    for (let at = 1; at <= 30; at++) {
      const scene = new Scene();
      const meshes = Array.from({ length: 5 }, (_, i) => boxMesh(3 * i));
      scene.add(...meshes);
      const index = new SceneIndex(scene);
      const spring = trap(at);
      let isArmed = true;
      for (const mesh of meshes.slice(1, 4)) {
        const { geometry } = mesh;
        Object.defineProperty(mesh, 'geometry', {
          get() {
            if (isArmed) spring();
            return geometry;
          },
        });
      }
      // Long enough for the trap to have sprung.
      for (let round = 0; round < 12; round++) {
        for (const mesh of meshes) mesh.position.y++;
        expect(() => index.update(), `call ${at}`).not.toThrow();
      }
      isArmed = false;
      for (const mesh of meshes) index.touch(mesh);
      index.update();
      expect(validateScene(index)).toEqual([]);
      expect(index.size).toBe(5);
      for (const mesh of meshes) expect(index.queryPoint(mesh.position)).toEqual([mesh]);
    }
  });

  it('raycast: the next pick is right', () => {
    const ray = new Raycaster(new Vector3(-50, 0, 0), new Vector3(1, 0, 0));
    for (let at = 1; at <= 30; at++) {
      const scene = new Scene();
      const spring = trap(at);
      for (let i = 0; i < 20; i++) {
        const mesh = boxMesh(2 * i);
        if (i % 2) {
          mesh.raycast = (...args) => {
            spring();
            Mesh.prototype.raycast.apply(mesh, args);
          };
        }
        scene.add(mesh);
      }
      const index = new SceneIndex(scene, { index: new LooseOctree({ capacity: 2 }) });
      for (let i = 0; i < 3; i++) attempt(() => (i % 2 ? index.raycastFirst(ray) : index.raycast(ray)));
      expect(validateScene(index)).toEqual([]);
      for (let i = 0; i < 3; i++) attempt(() => index.raycast(ray));
      expect(index.raycast(ray).map((hit) => hit.distance)).toEqual(ray.intersectObject(scene).map((h) => h.distance));
    }
  });

  it.each(STRUCTURES)('a visitor of nodes, in %s', (structure) => {
    const scene = mixedScene(random(3), 60);
    const index = new SceneIndex(scene, { index: createIndex(structure, { capacity: 2 }) });
    const before = everything(index);
    for (let at = 1; at <= 30; at++) attempt(() => forEachSceneNode(index, trap(at)));
    expect(everything(index)).toEqual(before);
    expectLikeNew(index);
  });

  it('a camera of several: the next cull is right', () => {
    const scene = new Scene();
    const [left, right] = [boxMesh(-100), boxMesh(100)];
    scene.add(left, right);
    const index = new SceneIndex(scene);
    const views = [camera(-100), camera(100)];
    views[0].lookAt(-100, 0, 0);
    views[1].lookAt(100, 0, 0);
    for (const view of views) view.updateMatrixWorld();
    const broken = new ArrayCamera([
      views[0],
      any({
        get projectionMatrix() {
          throw new Error('mine');
        },
      }),
    ]);
    const target = { inside: [], intersecting: [] };
    expect(() => index.cull(broken)).toThrow('mine');
    expect(index.cull(views[1])).toEqual([right]);
    expect(() => classifyScene(index, broken, target)).toThrow('mine');
    classifyScene(index, views[1], target);
    expect(target).toEqual({ inside: [right], intersecting: [] });
    expect(() => classifyScene(index, broken, target)).toThrow('mine');
    scene.remove(left);
    expect(index.cull(views[1])).toEqual([right]);
  });
});

describe('objects that are not what they seem', () => {
  it('plain objects, nulls and holes among children are passed over', () => {
    for (const fake of [{}, { isMesh: true }, null, undefined, 7]) {
      const scene = new Scene();
      const [before, after] = [boxMesh(-5), boxMesh(5)];
      scene.add(before, after);
      scene.children.splice(1, 0, any(fake));
      const index = new SceneIndex(scene);
      expect(index.size, String(fake)).toBe(2);
      index.update();
      expect(index.cull(camera())).toEqual([before, after]);
      expect(validateScene(index)).toEqual([]);
    }
  });

  it('a mesh whose geometry is missing or no geometry is in no result, and harms no other', () => {
    for (const geometry of [undefined, null, {}, { attributes: {} }, { attributes: { position: {} } }]) {
      const scene = new Scene();
      const [bad, good] = [boxMesh(), boxMesh(5)];
      const kept = bad.geometry;
      bad.geometry = any(geometry);
      scene.add(bad, good);
      const index = new SceneIndex(scene);
      good.position.x = 6;
      expect(() => index.update(), JSON.stringify(geometry)).not.toThrow();
      expect(index.cull(camera())).toEqual([good]);
      expect(index.queryPoint(new Vector3(6, 0, 0))).toEqual([good]);
      bad.geometry = kept;
      index.update();
      expect(new Set(index.cull(camera()))).toEqual(new Set([bad, good]));
      bad.geometry = any(geometry);
      expect(() => index.update()).not.toThrow();
      expect(index.cull(camera())).toEqual([good]);
      expect(validateScene(index)).toEqual([]);
    }
  });

  it('a skinned mesh without skeleton, bones or weights harms no other', () => {
    const spoilers: ((mesh: SkinnedMesh) => void)[] = [
      (mesh) => {
        mesh.skeleton = any(undefined);
      },
      (mesh) => {
        mesh.skeleton.bones.length = 1;
      },
      (mesh) => {
        mesh.geometry = new BufferGeometry();
      },
      (mesh) => mesh.geometry.deleteAttribute('skinWeight'),
      (mesh) => mesh.geometry.deleteAttribute('position'),
    ];
    for (const spoil of spoilers) {
      const scene = new Scene();
      const [bad, good] = [skinnedTower(), boxMesh(5)];
      spoil(bad);
      scene.add(bad, good);
      const index = new SceneIndex(scene);
      good.position.x = 7;
      expect(() => index.update()).not.toThrow();
      expect(index.queryPoint(new Vector3(7, 0, 0))).toEqual([good]);
      expect(validateScene(index)).toEqual([]);
    }
  });

  it('objects of a second copy of three are followed, culled and picked like our own', async () => {
    const url = new URL('../../node_modules/three/build/three.core.js?copy', import.meta.url).href;
    const other = (await import(/* @vite-ignore */ url)) as typeof import('three');
    expect(other.Mesh).not.toBe(Mesh);
    const scene = new Scene();
    const make = (three: typeof other): Object3D[] => {
      const mesh = new three.Mesh(new three.BoxGeometry(), new three.MeshBasicMaterial());
      const points = new three.Points(new three.SphereGeometry(), new three.PointsMaterial());
      const sprite = new three.Sprite(new three.SpriteMaterial());
      const group = new three.Group();
      group.add(mesh);
      mesh.position.x = 3;
      points.position.x = 6;
      sprite.position.x = 9;
      const line = new three.Line(new three.BoxGeometry(), new three.LineBasicMaterial());
      line.position.x = 12;
      return [group, points, sprite, line] as Object3D[];
    };
    scene.add(...make(other));
    const index = new SceneIndex(scene);
    expect(index.size).toBe(4);
    for (const x of [3, 6, 9, 12]) expect(index.queryPoint(new Vector3(x, 0, 0))).toHaveLength(1);
    scene.children[0].position.y = 20;
    index.update();
    expect(index.queryPoint(new Vector3(3, 20, 0))).toHaveLength(1);
    expect(index.cull(any(new other.PerspectiveCamera(90, 1, 0.1, 1)))).toHaveLength(0);
    const eye = camera();
    expect(index.cull(eye)).toHaveLength(4);
    const down = new Raycaster(new Vector3(3, 50, 0), new Vector3(0, -1, 0));
    down.camera = eye;
    const hits = index.raycast(down);
    expect(hits.map((hit) => hit.distance)).toEqual(down.intersectObject(scene).map((hit) => hit.distance));
    expect(hits.length).toBeGreaterThan(0);
    const theirBox = new other.Box3(new other.Vector3(2, 19, -1), new other.Vector3(4, 21, 1));
    expect(index.queryBox(any(theirBox))).toHaveLength(1);
    expect(validateScene(index)).toEqual([]);
    index.dispose();
    expect(any(scene.children[0])._listeners).toBeUndefined();
    const theirs = new other.Scene();
    theirs.add(...any(make(other)));
    expect(new SceneIndex(any(theirs)).size).toBe(4);
  });

  it('an object without raycast or layers of its own kind is no reason to fail', () => {
    const scene = new Scene();
    const odd = boxMesh();
    odd.raycast = any(undefined);
    scene.add(odd, boxMesh(4));
    expect(() => new SceneIndex(scene).update()).not.toThrow();
  });
});
