import type { BufferAttribute, Intersection, Object3D, PerspectiveCamera, Raycaster, Scene } from 'three';
import * as three from 'three';
import { describe, expect, it } from 'vitest';
import { accelerate, LooseOctree, SceneIndex } from '../../src/index.js';
import { accelerated } from '../helpers/indexed.js';
import { frustumOf, mainPass, shadowPass } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { strewn } from '../helpers/scene.js';

type Three = typeof three;

async function load(path: string): Promise<Three> {
  return import(/* @vite-ignore */ new URL(`../../node_modules/${path}`, import.meta.url).href);
}

const other = await load('three/build/three.core.js?copy');

const namesOf = (objects: Object3D[]): string[] => objects.map(({ name }) => name).sort();
const tell = (hits: Intersection[]): unknown[] =>
  hits.map(({ object, distance, faceIndex, point }) => [object.name, distance, faceIndex, point.toArray()]);

/** Brings the numbers of the next objects of both copies into line. */
function alignIds(): void {
  const [ours, theirs] = [new three.Object3D(), new other.Object3D()];
  const behind = ours.id < theirs.id ? three : other;
  for (let i = Math.abs(ours.id - theirs.id); i > 0; i--) new behind.Object3D();
}

const KINDS: ((copy: Three, next: () => number) => Object3D)[] = [
  (copy) => new copy.Mesh(new copy.BoxGeometry(), new copy.MeshBasicMaterial()),
  (copy) => new copy.Mesh(new copy.SphereGeometry(0.7, 8, 6), new copy.MeshBasicMaterial()),
  (copy, next) => new copy.Line(strewn(next, 6), new copy.LineBasicMaterial()),
  (copy, next) => new copy.Points(strewn(next, 12), new copy.PointsMaterial()),
  (copy) => new copy.Sprite(new copy.SpriteMaterial()),
  (copy) => new copy.Group(),
  (copy, next) => {
    const mesh = new copy.InstancedMesh(new copy.BoxGeometry(), new copy.MeshBasicMaterial(), 3);
    for (let i = 0; i < 3; i++) mesh.setMatrixAt(i, new copy.Matrix4().setPosition(next() * 4, next() * 4, next() * 4));
    return mesh;
  },
  (copy) => new copy.LOD().addLevel(new copy.Mesh(new copy.BoxGeometry(), new copy.MeshBasicMaterial())),
];

/** A scene of one copy with objects of both; each object has the number of one of the other copy. */
function makeWorld(seed: number, rootCopy: Three): { scene: Scene; all: Object3D[] } {
  alignIds();
  const next = random(seed);
  const scene = new rootCopy.Scene() as Scene;
  const parents: Object3D[] = [scene];
  const all: Object3D[] = [];
  for (let i = 0; i < 80; i++) {
    const object = KINDS[Math.floor(next() * KINDS.length)](i % 2 ? three : other, next);
    object.traverse((part) => {
      part.name = `object ${i}`;
      part.castShadow = true;
    });
    object.position.set(next() * 16 - 8, next() * 16 - 8, next() * 16 - 8);
    object.rotation.set(next() * 6, next() * 6, 0);
    parents[Math.floor(next() * parents.length)].add(object);
    if (!(object as { isLOD?: boolean }).isLOD && next() < 0.4) parents.push(object);
    all.push(object);
  }
  scene.updateMatrixWorld();
  return { scene, all };
}

/** The same to two scenes: moved, taken out, put in again, elsewhere. */
function change(worlds: { scene: Scene; all: Object3D[] }[], next: () => number): void {
  const [kind, a, b, x, y] = [next(), next(), next(), next(), next()];
  for (const { scene, all } of worlds) {
    const object = all[Math.floor(a * all.length)];
    const parent = b < 0.5 ? scene : all[Math.floor(b * all.length)];
    let isAbove = (parent as { isLOD?: boolean }).isLOD === true;
    for (let o: Object3D | null = parent; o !== null; o = o.parent) if (o === object) isAbove = true;
    if (kind < 0.4) object.position.set(x * 16 - 8, y * 16 - 8, 0);
    else if (kind < 0.6) object.removeFromParent();
    else if (!isAbove) parent.add(object);
  }
}

/** Of what is drawn, what has its box in view, as three goes by spheres. */
function inView(drawn: Object3D[], camera: PerspectiveCamera): string[] {
  const frustum = frustumOf(camera);
  const isInView = (object: Object3D): boolean => {
    const { geometry, isInstancedMesh } = object as three.InstancedMesh;
    if (isInstancedMesh || (object as { isSprite?: boolean }).isSprite) return true;
    const box = new three.Box3().setFromBufferAttribute(geometry.attributes.position as BufferAttribute);
    return frustum.intersectsBox(box.applyMatrix4(object.matrixWorld));
  };
  return namesOf(drawn.filter(isInView));
}

function look(scene: Scene, camera: PerspectiveCamera, rays: Raycaster[]): unknown {
  const matrices: unknown[] = [];
  scene.traverse(({ name, matrixWorld }) => matrices.push([name, ...matrixWorld.elements]));
  const drawn = mainPass(scene, camera).drawn.map(({ object }) => object);
  return {
    matrices,
    hits: rays.map((ray) => tell(ray.intersectObject(scene))),
    list: rays.map((ray) => tell(ray.intersectObjects([...scene.children]))),
    drawn: inView(drawn, camera),
    cast: inView(shadowPass(scene, camera, camera.layers), camera),
  };
}

function makeRays(copy: Three, camera: PerspectiveCamera, next: () => number): Raycaster[] {
  return Array.from({ length: 12 }, () => {
    const origin = new copy.Vector3(next() * 30 - 15, next() * 30 - 15, 40);
    const target = new copy.Vector3(next() * 16 - 8, next() * 16 - 8, next() * 16 - 8);
    const raycaster = new copy.Raycaster(origin, target.sub(origin).normalize());
    raycaster.camera = camera;
    return raycaster;
  });
}

describe('objects of two copies of three with the same numbers', () => {
  it.each([
    [1, 'ours', 'theirs', three, other],
    [2, 'ours', 'ours', three, three],
    [3, 'theirs', 'ours', other, three],
    [4, 'theirs', 'theirs', other, other],
  ])('are picked, drawn and moved as without, seed %i, the scene %s, the camera %s', (seed, _a, _b, root, eye) => {
    expect(other.Mesh).not.toBe(three.Mesh);
    const next = random(seed);
    const camera = new eye.PerspectiveCamera(60, 1, 0.1, 200) as PerspectiveCamera;
    camera.position.z = 20;
    const worlds = [makeWorld(seed, root), makeWorld(seed, root)];
    const [fast, plain] = worlds;
    expect(new Set(fast.all.map(({ id }) => id)).size).toBeLessThan(70);
    const index = accelerate(fast.scene, { structure: new LooseOctree({ capacity: 4 }) });
    const beside = new SceneIndex(fast.scene, { structure: new LooseOctree({ capacity: 4 }) });
    let hits = 0;
    for (let i = 0; i < 40; i++) {
      for (let k = 0; k < 3; k++) change(worlds, next);
      for (const { scene } of worlds) scene.updateMatrixWorld();
      const rays = makeRays(i % 2 ? three : other, camera, next);
      expect(look(fast.scene, camera, rays), `step ${i}`).toEqual(look(plain.scene, camera, rays));
      hits += rays.flatMap((ray) => ray.intersectObject(fast.scene)).length;
      beside.update();
      const fresh = new SceneIndex(plain.scene);
      for (const each of [beside, index]) expect(namesOf(each.cull(camera))).toEqual(namesOf(fresh.cull(camera)));
      fresh.dispose();
      expect(tell(beside.raycast(rays[0]))).toEqual(tell(rays[0].intersectObject(plain.scene)));
    }
    expect(hits).toBeGreaterThan(100);
    const all = new eye.Box3(new eye.Vector3(-99, -99, -99), new eye.Vector3(99, 99, 99));
    expect(beside.queryBox(all)).toHaveLength(beside.size);
    index.dispose();
    beside.dispose();
    for (const object of fast.all) expect(Object.hasOwn(object, 'raycast')).toBe(false);
  });

  it('are passed over in no list of children when one of them came and went', () => {
    alignIds();
    const [mesh, guest] = [three, other].map(({ Mesh, BoxGeometry }) => new Mesh(new BoxGeometry())) as three.Mesh[];
    expect(mesh.id).toBe(guest.id);
    const scene = new three.Scene();
    for (let i = 0; i < 20; i++) scene.add(new three.Mesh(guest.geometry).translateX(-100 - i));
    scene.add(mesh.add(new three.Mesh(new three.BoxGeometry()).translateX(50)));
    accelerated(scene);
    const ray = new three.Raycaster(new three.Vector3(50.1, 0.2, 9), new three.Vector3(0, 0, -1));
    const act = [() => scene.add(guest), () => mesh.add(guest), () => scene.remove(mesh), () => scene.add(mesh)];
    for (const step of [...act, () => guest.removeFromParent()]) {
      step();
      scene.updateMatrixWorld();
      const expected = mesh.parent === null ? 0 : 1;
      expect(ray.intersectObject(scene)).toHaveLength(expected);
      expect(ray.intersectObjects(scene.children)).toHaveLength(expected);
    }
  });
});

it('a raycast that was taken from one object and given to another answers for the other', () => {
  const scene = new three.Scene();
  for (let i = 0; i < 20; i++) scene.add(new three.Mesh(new three.BoxGeometry()).translateX(-100 - i));
  accelerated(scene);
  const late = new three.Mesh(new three.BoxGeometry()).add(new three.Mesh(new three.BoxGeometry()).translateX(50));
  late.raycast = scene.children[0].raycast;
  scene.add(late);
  scene.updateMatrixWorld();
  const hits = (x: number): number => {
    const ray = new three.Raycaster(new three.Vector3(x + 0.1, 0.2, 9), new three.Vector3(0, 0, -1));
    return ray.intersectObjects(scene.children).length + ray.intersectObject(scene).length;
  };
  expect([hits(0), hits(50)]).toEqual([2, 2]);
});

it('a root of a copy that is too old is refused, and left as it was', async () => {
  const oldest = await load('three-168/build/three.module.js');
  const root = new oldest.Scene();
  const keys = Object.keys(root);
  expect(() => accelerate(root)).toThrow('accelerate.scene: was made by another copy of three, older than r186');
  expect(Object.keys(root)).toEqual(keys);
  new SceneIndex(root).dispose();
});

it('an object that is named by a proxy is found, though one of another copy has its number', () => {
  const scene = new three.Scene();
  const index = new SceneIndex(scene);
  const behind = new other.Object3D().id;
  // The numbers of the other copy catch up with that of the scene.
  for (let id = behind; id < scene.id - 1; id++) new other.Object3D();
  const twin = new other.Mesh(new other.BoxGeometry(), new other.MeshBasicMaterial());
  if (behind < scene.id) expect(twin.id).toBe(scene.id);
  scene.add(twin as unknown as Object3D);
  const proxy = new Proxy(scene, { get: (target, key) => (key === '__v_raw' ? target : Reflect.get(target, key)) });
  expect([index.has(proxy), index.has(twin as unknown as Object3D)]).toEqual([true, true]);
  const late = new three.Mesh(new three.BoxGeometry(), new three.MeshBasicMaterial());
  proxy.add(late);
  index.update();
  expect([index.size, index.has(late)]).toEqual([2, true]);
});
