import { Box3, BoxGeometry, Group, Mesh, MeshBasicMaterial, type Object3D, Raycaster, Scene, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { accelerate, explain, SceneIndex } from '../../../src/index.js';
import { eye } from '../../helpers/cameras.js';
import { WRAPS, type Wrap } from '../../helpers/proxies.js';
import { random } from '../../helpers/random.js';
import { validateScene } from '../../helpers/validateScene.js';

const EVERYWHERE = new Box3(new Vector3(-1e3, -1e3, -1e3), new Vector3(1e3, 1e3, 1e3));
const raycaster = new Raycaster(new Vector3(), new Vector3(0, 0, -1));

function meshAt(z: number): Mesh {
  const mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
  mesh.position.z = z;
  return mesh;
}

/** What three draws of a scene: walked as renderers walk it. */
function drawablesOf(scene: Scene): Object3D[] {
  const found: Object3D[] = [];
  scene.traverse((object) => {
    if ((object as Mesh).isMesh) found.push(object);
  });
  return found;
}

/** An index has what three walks, each once, and nothing that is gone. */
function expectSame(index: SceneIndex, scene: Scene): void {
  const found = index.queryBox(EVERYWHERE);
  expect(found.length).toBe(new Set(found).size);
  const drawn = new Set(drawablesOf(scene));
  expect(found.length).toBe(drawn.size);
  expect(found.every((object) => drawn.has(object))).toBe(true);
  expect(index.size).toBe(found.length);
  const plain = raycaster.intersectObject(scene);
  const hits = index.raycast(raycaster);
  expect(hits.map(({ distance }) => distance)).toEqual(plain.map(({ distance }) => distance));
  expect(hits.every(({ object }, i) => object === plain[i].object)).toBe(true);
  expect(validateScene(index)).toEqual([]);
}

type Add = (scene: Scene, group: Group, mesh: Mesh, wrap: Wrap) => void;

const ADDS: Record<string, Add> = {
  'a proxy, to the scene': (scene, _, mesh, wrap) => scene.add(wrap(mesh)),
  'a mesh, to a proxy of the scene': (scene, _, mesh, wrap) => wrap(scene).add(mesh),
  'a proxy, to a proxy of the scene': (scene, _, mesh, wrap) => wrap(scene).add(wrap(mesh)),
  'a proxy, to a proxy of a group': (_, group, mesh, wrap) => wrap(group).add(wrap(mesh)),
  'a mesh, to a group, and both by a proxy of that': (_, group, mesh, wrap) => wrap(wrap(group).add(mesh)),
  'a proxy, attached to a proxy': (scene, group, mesh, wrap) => {
    scene.add(mesh);
    wrap(group).attach(wrap(mesh));
  },
};

const REMOVALS: Record<string, (mesh: Mesh, wrap: Wrap) => void> = {
  'itself, by its parent': (mesh) => mesh.parent?.remove(mesh),
  'a proxy of it, by its parent': (mesh, wrap) => mesh.parent?.remove(wrap(mesh)),
  'a proxy of it, by a proxy of its parent': (mesh, wrap) => wrap(mesh.parent as Object3D).remove(wrap(mesh)),
  'with removeFromParent': (mesh) => mesh.removeFromParent(),
  'with removeFromParent of a proxy': (mesh, wrap) => wrap(mesh).removeFromParent(),
  'with clear': (mesh, wrap) => wrap(mesh.parent as Object3D).clear(),
};

describe.each(Object.keys(WRAPS))('proxies %s', (kind) => {
  describe.each(Object.keys(ADDS))('%s', (how) => {
    it.each(['before', 'after'])('is added once, %s the index is made', (when) => {
      const wrap = WRAPS[kind]();
      const scene = new Scene();
      const group = new Group();
      scene.add(group);
      if (when === 'before') ADDS[how](scene, group, meshAt(-5), wrap);
      const index = new SceneIndex(scene);
      if (when === 'after') ADDS[how](scene, group, meshAt(-5), wrap);
      index.update();
      expect(index.size).toBe(1);
      expectSame(index, scene);
    });

    it.each(Object.keys(REMOVALS))('and goes %s', (removal) => {
      const wrap = WRAPS[kind]();
      const scene = new Scene();
      const group = new Group();
      scene.add(group);
      const index = new SceneIndex(scene);
      const mesh = meshAt(-5);
      ADDS[how](scene, group, mesh, wrap);
      index.update();
      REMOVALS[removal](mesh, wrap);
      // One comes as one goes, so that numbers say nothing.
      if (drawablesOf(scene).length === 0) {
        expect(index.queryBox(EVERYWHERE)).toEqual([]);
        expect([index.has(mesh), index.has(wrap(mesh))]).toEqual([false, false]);
        expect(index.raycast(raycaster)).toEqual([]);
      }
      ADDS[how](scene, group, meshAt(-7), wrap);
      index.update();
      expectSame(index, scene);
    });
  });

  it.each([1, 2, 3, 4])('random edits leave what three walks: seed %i', (seed) => {
    const rnd = random(seed);
    const wrap = WRAPS[kind]();
    const scene = new Scene();
    const groups = [scene, new Group(), new Group()];
    scene.add(groups[1]);
    groups[1].add(groups[2]);
    const meshes = Array.from({ length: 12 }, (_, i) => meshAt(-3 - 2 * i));
    const index = new SceneIndex(scene);
    const maybe = <T extends Object3D>(object: T): T => (rnd() < 0.5 ? wrap(object) : object);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(rnd() * list.length)];
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
