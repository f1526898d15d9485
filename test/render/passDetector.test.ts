import { BoxGeometry, Layers, Mesh, type Object3D, type PerspectiveCamera, Raycaster, Scene, Vector3 } from 'three';
import { afterEach, describe, expect, it } from 'vitest';
import type { SceneIndex } from '../../src/index.js';
import { accelerate } from '../../src/index.js';
import { eye as eyeAt } from '../helpers/cameras.js';
import { intoShadowMap, mainPass, shadowPass, withinRender } from '../helpers/passes.js';
import { catchWarnings } from '../helpers/warnings.js';

const indices: SceneIndex[] = [];
const disposeAll = (): void => {
  for (const index of indices.splice(0)) index.dispose();
};
afterEach(disposeAll);

const ray = () => new Raycaster(new Vector3(-50, 0.1, 0.2), new Vector3(1, 0, 0));
const RENDERER = { isWebGLRenderer: true, sortObjects: true };

/** Sees the first ten boxes of a row. */
const eye = (): PerspectiveCamera => eyeAt(10, 0, 40, { far: 1000, lookAt: [10, 0, 0] });

/** Boxes along x, of which those beyond the first ten lie out of view and count how often they are met. */
function row(root = new Scene()): { root: Scene; met: () => number } {
  let count = 0;
  for (let i = 0; i < 60; i++) {
    const mesh = new Mesh(new BoxGeometry());
    mesh.position.set(3 * i, i < 10 ? 0 : 9000, 0);
    mesh.castShadow = true;
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

/** True when a walk that begins now finds a list in place of the real children; it goes through it. */
function isPass(root: Scene, { layers }: PerspectiveCamera): boolean {
  if (!root.visible || !root.layers.test(layers)) return false;
  const { children } = root;
  for (const child of children) if (child.visible) child.layers.test(layers);
  return children.length < 60;
}

/** Has the callback of a scene replaced by one that calls the one before it. */
function wrap(root: Scene, name: 'onBeforeRender' | 'onAfterRender'): void {
  const before = root[name] as (...all: unknown[]) => void;
  root[name] = function (this: Scene, ...given: unknown[]) {
    before.apply(this, given);
  } as never;
}

it.each<[string, (root: Scene) => unknown]>([
  ['its layers were tested', (root) => root.layers.test(new Layers())],
  ['it was cast at alone', (root) => ray().intersectObject(root, false)],
  ['it was among others that were cast at alone', (root) => ray().intersectObjects([root, row().root], false)],
  ['it was cast at', (root) => ray().intersectObject(root)],
  ['it was drawn', (root) => mainPass(root, eye())],
  ['it was looked at, as a renderer does, by somebody else', (root) => root.visible && root.layers.test(new Layers())],
  ['it was cast at in the midst of a render', (root) => inRender(root, () => ray().intersectObject(root))],
  ['its layers were tested at the end of a render', (root) => inRender(root, () => root.layers.test(new Layers()))],
])('the children of an accelerated scene are there when %s', (_when, act) => {
  const { root } = row();
  const last = new Mesh();
  root.add(last);
  for (let i = 0; i < 2; i++) {
    act(root);
    expect([root.children.length, root.children[60]]).toEqual([61, last]);
  }
});

function inRender(root: Scene, act: () => unknown): void {
  withinRender(RENDERER, root, eye(), act);
}

/** Looks for all that is in a scene, and changes it, as code in a callback may. */
function expectRealChildren(root: Scene, camera: PerspectiveCamera): void {
  let met = 0;
  root.traverseVisible((object) => {
    if (object.layers.test(camera.layers) && (object as Mesh).isMesh) met++;
  });
  const isSeen = root.layers.test(camera.layers);
  const { children } = root;
  const guest = new Mesh();
  if (root.layers.test(camera.layers)) root.add(guest);
  expect([isSeen, met, children.length, guest.parent]).toEqual([true, 60, 61, root]);
  if (root.layers.test(camera.layers)) root.remove(guest);
  expect(guest.parent).toBe(null);
  expect(children).toHaveLength(60);
}

describe('callbacks find the real children', () => {
  /** Calls back at a moment of a picture with shadows, and counts the passes that get a list. */
  function picture(root: Scene, camera: PerspectiveCamera, callBack: (moment: string) => void): number {
    const renderer = { ...RENDERER };
    let lists = 0;
    const pass = (moment: string): void => {
      root.layers.test(camera.layers);
      const { children } = root;
      if (children.length < 60) lists++;
      for (const [i, child] of children.entries()) {
        if (i > 0) callBack(moment);
        child.layers.test(camera.layers);
      }
    };
    withinRender(renderer, root, camera, () => {
      pass('projected');
      callBack('sorted');
      for (let shadow = 0; shadow < 2; shadow++) intoShadowMap(renderer, () => pass('cast'));
      callBack('drawn');
    });
    return lists;
  }

  it.each(['projected', 'sorted', 'cast', 'drawn'])('while objects are %s', (when) => {
    const { root } = row();
    const camera = eye();
    let calls = 0;
    const lists = picture(root, camera, (moment) => {
      if (moment !== when) return;
      calls++;
      expectRealChildren(root, camera);
    });
    expect([calls, lists]).toEqual([when === 'cast' ? 2 : 1, 3]);
  });

  it('and so do the pictures within them, which are passes of their own', () => {
    const { root } = row();
    const camera = eye();
    const lists = picture(root, camera, () => {
      const inner = eye();
      expect(picture(root, inner, () => expectRealChildren(root, inner))).toBe(3);
      expectRealChildren(root, camera);
    });
    expect(lists).toBe(3);
  });
});

describe('an accelerated scene is not walked', () => {
  it('by renderers and raycasters, whether their layers meet its own or not', () => {
    for (const layer of [0, 1]) {
      const { root, met } = row();
      for (const child of root.children) child.layers.enable(1);
      const camera = eye();
      camera.layers.set(layer);
      expect(mainPass(root, camera).drawn.length).toBe(10);
      expect(shadowPass(root, camera, camera.layers).length).toBe(10);
      expect(met()).toBe(0);
      const raycaster = ray();
      raycaster.layers.set(layer);
      for (const hits of [raycaster.intersectObject(root), raycaster.intersectObjects([root])]) {
        expect(hits).toHaveLength(10);
      }
      expect(met()).toBe(0);
    }
  });

  it('in a mirror, which is a render in a render', () => {
    const { root, met } = row();
    const [outer, inner] = [eye(), eye()];
    const mirror = root.children[3] as Mesh;
    let seen: Object3D[] = [];
    mirror.onBeforeShadow = () => {
      seen = mainPass(root, inner).drawn.map(({ object }) => object);
    };
    const cast = shadowPass(root, outer, outer.layers);
    expect([cast.length, seen.length, met()]).toEqual([10, 10, 0]);
    // The passes that the outer render goes on to make, too.
    withinRender(RENDERER, root, outer, () => {
      mainPass(root, inner);
      expect(isPass(root, outer)).toBe(true);
      intoShadowMap(RENDERER, () => expect(isPass(root, outer)).toBe(true));
    });
    expect(root.children).toHaveLength(60);
  });

  it('in the pictures that follow one that an exception ended', async () => {
    const { root, met } = row();
    const camera = eye();
    const fail = (): never => {
      throw new Error('by the user');
    };
    expect(() => withinRender(RENDERER, root, camera, fail)).toThrow('by the user');
    expect(mainPass(root, camera).drawn).toHaveLength(10);
    await null;
    for (let i = 0; i < 2; i++) {
      withinRender(RENDERER, root, camera, () => expect(root.layers.test(camera.layers)).toBe(true));
      expect(root.children).toHaveLength(60);
      root.layers.test(camera.layers);
      expect(root.children).toHaveLength(60);
      expect(mainPass(root, camera).drawn).toHaveLength(10);
    }
    expect(met()).toBe(0);
  });

  it('in a picture within a picture of the same camera, and in one within another that a camera has made before', () => {
    const { root, met } = row();
    const [camera, light] = [eye(), eye()];
    const pictureOf = (by: PerspectiveCamera, within = () => {}) =>
      withinRender(RENDERER, root, by, () => {
        expect(isPass(root, by)).toBe(true);
        within();
        // Its list was the last walk of its own.
        root.layers.test(by.layers);
        expect(root.children).toHaveLength(60);
      });
    for (let i = 0; i < 2; i++) {
      pictureOf(camera, () => {
        pictureOf(camera);
        pictureOf(light);
        pictureOf(eye(), () => pictureOf(light));
      });
    }
    expect([met(), root.children.length]).toEqual([0, 60]);
  });

  it('unless its own raycast forbids it', () => {
    const { root } = row();
    indices.pop()?.dispose();
    const raycast: Scene['raycast'] = () => false;
    root.raycast = raycast;
    indices.push(accelerate(root));
    expect(ray().intersectObject(root)).toEqual([]);
    expect(root.children.length).toBe(60);
    indices.pop()?.dispose();
    expect(Object.getOwnPropertyDescriptor(root, 'raycast')?.value).toBe(raycast);
  });

  it('when its layers are others than they were, or those of another scene too', () => {
    const [a, b] = [row(), row()];
    b.root.layers = a.root.layers;
    for (const { root, met } of [a, b]) {
      expect(mainPass(root, eye()).drawn).toHaveLength(10);
      expect(met()).toBe(0);
    }
    disposeAll();
    expect(Object.keys(Object.getOwnPropertyDescriptors(a.root.layers))).toEqual(['mask']);
  });
});

describe('a scene whose callbacks are replaced', () => {
  const warnings = catchWarnings();

  it('is traversed as a whole, which is said once', () => {
    const { root, met } = row();
    root.onBeforeRender = () => {};
    for (let i = 0; i < 3; i++) {
      expect(mainPass(root, eye()).drawn).toHaveLength(10);
      expect(met()).toBe(50);
    }
    expect(warnings()).toEqual([expect.stringMatching(/^accelerate: scene.onBeforeRender was replaced/)]);
    root.onAfterRender = () => {};
    expect(mainPass(root, eye()).drawn).toHaveLength(10);
    // Also if both are from the start.
    const { root: other } = row();
    other.onBeforeRender = other.onAfterRender = () => {};
    for (let i = 0; i < 20; i++) mainPass(other, eye());
    expect(warnings()).toHaveLength(2);
  });

  it('is let alone by methods that go on to call ours when the index was disposed', () => {
    const { root } = row();
    wrap(root, 'onBeforeRender');
    indices.pop()?.dispose();
    mainPass(root, eye());
    root.layers = new Layers();
    mainPass(root, eye());
    expect(Object.keys(Object.getOwnPropertyDescriptors(root.layers))).toEqual(['mask']);
    expect(mainPass(root, eye()).drawn).toHaveLength(10);
  });

  it('goes on as before when they call those that were there', () => {
    const { root, met } = row();
    wrap(root, 'onBeforeRender');
    wrap(root, 'onAfterRender');
    for (let i = 0; i < 20; i++) expect(mainPass(root, eye()).drawn).toHaveLength(10);
    expect(met()).toBe(0);
    expect(warnings()).toEqual([]);
  });
});
