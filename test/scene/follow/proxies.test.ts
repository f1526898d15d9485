import {
  Box3,
  BoxGeometry,
  Group,
  type Intersection,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Raycaster,
  Scene,
  Vector3,
} from 'three';
import { describe, expect, it } from 'vitest';
import { accelerate, explain, SceneIndex } from '../../../src/index.js';
import { eye } from '../../helpers/cameras.js';
import { WRAPS } from '../../helpers/proxies.js';
import { random } from '../../helpers/random.js';
import { allOf } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';

const EVERYWHERE = new Box3(new Vector3(-1e3, -1e3, -1e3), new Vector3(1e3, 1e3, 1e3));
const raycaster = new Raycaster(new Vector3(), new Vector3(0, 0, -1));

function meshAt(z: number): Mesh {
  const mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
  mesh.position.z = z;
  return mesh;
}

/** An index has what three walks, each once, and nothing that is gone. */
function expectSame(index: SceneIndex, scene: Scene): void {
  const found = index.queryBox(EVERYWHERE);
  const drawn = allOf(scene).filter((object) => (object as Mesh).isMesh);
  expect([found.length, index.size]).toEqual([new Set(drawn).size, found.length]);
  expect(new Set(found)).toEqual(new Set(drawn));
  const tell = (hits: Intersection[]) => hits.map(({ object, distance }) => [drawn.indexOf(object), distance]);
  expect(tell(index.raycast(raycaster))).toEqual(tell(raycaster.intersectObject(scene)));
  expect(validateScene(index)).toEqual([]);
}

describe.each(Object.keys(WRAPS))('proxies %s', (kind) => {
  it.each([1, 2, 3, 4])('random edits leave what three walks: seed %i', (seed) => {
    const rnd = random(seed);
    const wrap = WRAPS[kind]();
    const scene = new Scene();
    const groups = [scene, new Group(), new Group()];
    scene.add(groups[1]);
    groups[1].add(groups[2]);
    const meshes = Array.from({ length: 12 }, (_, i) => meshAt(-3 - 2 * i));
    const maybe = <T extends Object3D>(object: T): T => (rnd() < 0.5 ? wrap(object) : object);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(rnd() * list.length)];
    for (const mesh of meshes.slice(0, 4)) maybe(pick(groups)).add(maybe(mesh));
    const index = new SceneIndex(scene);
    for (let step = 0; step < 200; step++) {
      const parent = maybe(pick(groups));
      const mesh = maybe(pick(meshes));
      const act = Math.floor(rnd() * 6);
      // A mesh whose proxy another list holds would be in two lists, as three does not find it there.
      if (act < 3) drop(mesh, scene);
      if (act < 2) parent.add(mesh);
      else if (act === 2) parent.attach(mesh);
      else if (act === 3) mesh.parent?.remove(mesh);
      else if (act === 4) mesh.removeFromParent();
      else if (rnd() < 0.3 && !parent.children.some((child) => (child as Group).isGroup)) parent.clear();
      if (rnd() < 0.6) continue;
      for (const each of meshes)
        if (each.parent === null) expect([index.has(each), index.has(wrap(each))]).toEqual([false, false]);
      index.update();
      expectSame(index, scene);
    }
  });

  it('of what is followed may be given to every method', () => {
    const wrap = WRAPS[kind]();
    const scene = new Scene();
    const group = new Group();
    const mesh = meshAt(-5);
    scene.add(group);
    const index = accelerate(scene);
    wrap(group).add(wrap(mesh));
    index.update();
    for (const object of [mesh, wrap(mesh)]) {
      expect(index.has(object)).toBe(true);
      expect(index.touch(object)).toBe(true);
      expect(index.add(object)).toBe(false);
      expect(index.setStatic(object, false)).toBe(true);
      expect(index.batch(object, false)).toBe(true);
      expect(index.occlude(object, false)).toBe(true);
      expect(index.getBox(object, EVERYWHERE.clone())).not.toBeNull();
      expect(explain(index, object, eye(0, 0, 1))).toEqual(['It is drawn.']);
      for (const same of [mesh, wrap(mesh)]) {
        expect(index.remove(object)).toBe(true);
        expect(index.has(same)).toBe(false);
        expect(index.add(same)).toBe(true);
        index.update();
        expectSame(index, scene);
      }
    }
  });

  it('may stand for the scene that is accelerated or has an index', () => {
    for (const make of [accelerate, (scene: Scene) => new SceneIndex(scene)]) {
      const wrap = WRAPS[kind]();
      const scene = new Scene();
      const index = make(wrap(scene));
      const mesh = meshAt(-5);
      wrap(scene).add(mesh);
      scene.add(meshAt(-9));
      index.update();
      expect(index.size).toBe(2);
      expect(index.raycast(raycaster).length).toBe(raycaster.intersectObject(scene).length);
      expect(index.has(mesh) && index.has(wrap(scene))).toBe(true);
      wrap(scene).remove(mesh);
      expect(index.has(mesh)).toBe(false);
      index.dispose();
      expect(Object.getOwnPropertyDescriptor(scene, 'children')?.get).toBeUndefined();
    }
  });

  it('may be declared static before they come', () => {
    const wrap = WRAPS[kind]();
    const scene = new Scene();
    const index = new SceneIndex(scene);
    const mesh = meshAt(-5);
    expect(index.setStatic(wrap(mesh))).toBe(false);
    wrap(scene).add(wrap(mesh));
    index.update();
    mesh.position.x = 50;
    index.update();
    expect(index.raycast(raycaster).length).toBeGreaterThan(0);
  });
});

/** Takes a mesh out of all lists, as itself or as a proxy. */
function drop(mesh: Object3D, scene: Scene): void {
  scene.traverse(({ children }) => {
    const at = children.findIndex(({ id }) => id === mesh.id);
    const parent = at < 0 ? null : children[at].parent;
    if (at >= 0 && parent !== null) parent.remove(children[at]);
  });
}
