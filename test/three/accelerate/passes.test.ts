import { BoxGeometry, Group, Layers, Mesh, type Object3D, PerspectiveCamera, Raycaster, Scene, Vector3 } from 'three';
import { afterEach, describe, expect, it } from 'vitest';
import { accelerate, type SceneIndex } from '../../../src/index.js';
import { mainPass } from '../../helpers/passes.js';

const indices: SceneIndex[] = [];
afterEach(() => {
  for (const index of indices.splice(0)) index.dispose();
});

const camera = new PerspectiveCamera(60, 1, 0.1, 1000);
const ray = () => new Raycaster(new Vector3(-50, 0.1, 0.2), new Vector3(1, 0, 0));

/** Boxes along x, of which those beyond the first ten lie out of view and count how often they are met. */
function row<T extends Object3D>(root: T): { root: T; met: () => number } {
  let count = 0;
  for (let i = 0; i < 60; i++) {
    const mesh = new Mesh(new BoxGeometry());
    mesh.position.set(3 * i, i < 10 ? 0 : 9000, 0);
    if (i >= 10) {
      Object.defineProperty(mesh.layers, 'test', {
        configurable: true,
        value(this: Layers, other: Layers) {
          count++;
          return Layers.prototype.test.call(this, other);
        },
      });
    }
    root.add(mesh);
  }
  root.updateMatrixWorld();
  indices.push(accelerate(root));
  return {
    root,
    met: () => {
      const before = count;
      count = 0;
      return before;
    },
  };
}

const NO_LAYERS = new Layers();
NO_LAYERS.mask = 0;

describe.each<[string, () => Object3D]>([
  ['a scene', () => new Scene()],
  ['a mesh', () => new Mesh(new BoxGeometry())],
])('the children of %s that is accelerated are there', (_label, make) => {
  it.each<[string, (root: Object3D) => unknown]>([
    ['its layers were tested', (root) => root.layers.test(new Layers())],
    ['it was cast at alone', (root) => ray().intersectObject(root, false)],
    ['it was cast at alone after a look at it', (root) => root.visible && ray().intersectObject(root, false)],
    ['it was cast at alone, into a list', (root) => ray().intersectObject(root, false, [])],
    [
      'it was among others that were cast at alone',
      (root) => ray().intersectObjects([root, row(new Group()).root], false),
    ],
    ['it was cast at', (root) => ray().intersectObject(root)],
    ['it was drawn', (root) => mainPass(root, camera)],
    ['it was asked whether it is visible, and its children then read', (root) => [root.visible, root.children.length]],
  ])('when %s', (_when, act) => {
    const { root } = row(make());
    root.add(new Group());
    root.children[60].name = 'last';
    act(root);
    expect(root.children.length).toBe(61);
    act(root);
    expect(root.getObjectByName('last')).toBe(root.children[60]);
  });
});

describe('an accelerated root is not walked', () => {
  it('by renderers and raycasters, whether their layers meet its own or not', () => {
    for (const layer of [0, 1]) {
      const { root, met } = row(new Group());
      for (const child of root.children) child.layers.enable(1);
      const eye = camera.clone();
      eye.layers.set(layer);
      eye.position.set(10, 0, 40);
      expect(mainPass(root, eye).drawn.length).toBe(10);
      const raycaster = ray();
      raycaster.layers.set(layer);
      expect(raycaster.intersectObject(root)).toHaveLength(10);
      const hits = [...raycaster.intersectObject(root, true, []), ...raycaster.intersectObjects([root])];
      expect(hits.length).toBe(20);
      expect(met()).toBe(0);
    }
  });

  it('and hits are a plain list after that', () => {
    const { root } = row(new Scene());
    for (const isDeep of [false, true]) {
      const hits = ray().intersectObject(root, isDeep);
      expect(Object.getOwnPropertyNames(hits)).toEqual([...hits.keys()].map(String).concat('length'));
    }
    const fixed = Object.freeze([]) as never[];
    expect(() => ray().intersectObject(root, false, fixed)).not.toThrow();
  });

  it('unless its own raycast forbids it', () => {
    const { root } = row(new Scene());
    indices.pop()?.dispose();
    const raycast: Scene['raycast'] = () => false;
    root.raycast = raycast;
    indices.push(accelerate(root));
    expect(ray().intersectObject(root)).toEqual([]);
    expect(root.children.length).toBe(60);
    indices.pop()?.dispose();
    expect(Object.getOwnPropertyDescriptor(root, 'raycast')?.value).toBe(raycast);
  });

  it('when its layers do not meet those they are tested against, which is forgotten behind the task', async () => {
    const { root } = row(new Scene());
    root.layers.test(NO_LAYERS);
    await Promise.resolve();
    expect(root.children.length).toBe(60);
  });

  it('when it is hidden, and shows when it is shown', () => {
    const { root } = row(new Scene());
    const eye = camera.clone();
    eye.position.set(10, 0, 40);
    root.visible = false;
    expect(mainPass(root, eye).drawn).toEqual([]);
    root.visible = true;
    expect(mainPass(root, eye).drawn).toHaveLength(10);
    indices.pop()?.dispose();
    expect(Object.getOwnPropertyDescriptor(root, 'visible')).toEqual({
      configurable: true,
      enumerable: true,
      writable: true,
      value: true,
    });
  });
});
