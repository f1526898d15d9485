import * as THREE from 'three';
import { BundleGroup } from 'three/webgpu';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AccelerateOptions, accelerate, explain } from '../../src/index.js';
import { drawnTriangles, plainTriangles } from '../helpers/drawnTriangles.js';
import { loadCasters } from '../helpers/loadCasters.js';
import { mainPass } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { seeds } from '../helpers/width.js';
import { cameraAt, loadAllBatching } from './Stage.js';

const plane = new THREE.PlaneGeometry();
const paint = new THREE.MeshLambertMaterial();
const camera = cameraAt(10);
const sun = cameraAt(50);

beforeAll(loadAllBatching);
beforeAll(loadCasters);

const mesh = (x = 0, y = 0): THREE.Mesh => {
  const made = new THREE.Mesh(plane, paint);
  made.position.set(x, y, 0);
  made.castShadow = true;
  return made;
};

/** What stands alone, by a reason each. */
const PARENTS: Record<string, () => THREE.Object3D> = {
  'a mesh with a callback': () => Object.assign(mesh(), { onAfterRender() {} }),
  'a mesh like no other': () => new THREE.Mesh(plane.clone().toNonIndexed(), paint),
  'a line': () => new THREE.Line(plane, new THREE.MeshLambertMaterial()),
  'a mesh in a batch': () => mesh(),
};

describe.each(Object.entries(PARENTS))('what lies below %s', (_label, parent) => {
  const options: AccelerateOptions[] = [{}, { cullCasters: true }];

  it.each(options)('joins batches, with options %j', (more) => {
    const scene = new THREE.Scene();
    for (let i = 0; i < 6; i++) {
      const child = mesh(0, 1).add(new THREE.Group().add(mesh(0, 1)));
      const top = parent().translateX(2 * i - 6);
      scene.add(top.add(child, new THREE.PointLight()));
    }
    const index = accelerate(scene, { batch: { atLeast: 4 }, ...more });
    for (let frame = 0; frame < 6; frame++) draw(scene);
    const children = scene.children.flatMap((one) => [one.children[0], one.children[0].children[0].children[0]]);
    for (const child of children) expect(explain(index, child, camera).join()).toMatch(/It is drawn in a batch of/);
    expect(draw(scene)).toBeLessThanOrEqual(7);
    index.dispose();
    expect(draw(scene)).toBe(18);
  });
});

describe('as in plain three', () => {
  const late = () => Object.assign(new THREE.Group(), { renderOrder: 7 });
  const CHANGES: Record<string, (parent: THREE.Object3D, child: THREE.Object3D) => unknown> = {
    'a hidden parent hides them': (parent) => Object.assign(parent, { visible: false }),
    'a parent on another layer does not': (parent) => parent.layers.set(3),
    'a parent out of view does not': (parent) => {
      parent.position.y = 30;
      parent.children[0].position.y = -30;
    },
    'the order of a group above counts': (parent) => parent.parent?.add(late().add(parent)),
    'the order of a group between counts': (parent) => parent.add(late().add(...parent.children)),
    'they may go elsewhere': (parent, child) => parent.parent?.add(child),
    'the parent may lie in a LOD': (parent) => parent.parent?.add(new THREE.LOD().addLevel(parent)),
    'the parent may lie in a bundle': (parent) => parent.parent?.add(new BundleGroup().add(parent)),
    'the parent may get instances below it': (parent) => {
      const many = new THREE.InstancedMesh(plane, paint, 1);
      many.setMatrixAt(0, new THREE.Matrix4());
      many.visible = false;
      parent.add(many.add(mesh(2)));
    },
    'a highlight has one with another below it drawn by itself': (parent) =>
      parent.add(Object.assign(mesh(0, 2), { onAfterRender() {} })),
    'the parent may join': (parent) => Object.assign(parent, { onAfterRender: mesh().onAfterRender }),
    'the parent may go': (parent) => parent.removeFromParent(),
  };

  it.each(Object.entries(CHANGES))('%s', (_label, change) => {
    const scene = new THREE.Scene();
    const parents = Array.from({ length: 6 }, (_, i) => {
      const parent = mesh(2 * i - 6, 0);
      parent.onAfterRender = () => {};
      return parent.add(mesh(0, 1), mesh(0, 2).add(mesh(0, 1)));
    });
    scene.add(...parents);
    const index = accelerate(scene, { batch: { atLeast: 4 } });
    for (let frame = 0; frame < 4; frame++) draw(scene);
    change(parents[2], parents[2].children[0]);
    for (let frame = 0; frame < 4; frame++) draw(scene);
    index.dispose();
  });

  it.each(seeds(20, 5))('in random trees, in the order of the scene too, seed %d', (seed) => {
    const next = random(seed);
    const scenes = [new THREE.Scene(), new THREE.Scene()];
    const nodes: THREE.Object3D[][] = [[scenes[0]], [scenes[1]]];
    for (let i = 0; i < 60; i++) {
      const [above, kind, x, y] = [Math.floor(next() * nodes[0].length), next(), next() - 0.5, next() - 0.5];
      for (const side of nodes) {
        const one = kind < 0.2 ? new THREE.Group() : kind < 0.4 ? PARENTS['a mesh with a callback']() : mesh();
        one.name = String(i);
        one.position.set(x, y, 0);
        side[above].add(one);
        side.push(one);
      }
    }
    const index = accelerate(scenes[1], { batch: { atLeast: 1e9 } });
    for (let frame = 0; frame < 4; frame++) {
      const [plain, ours] = scenes.map((scene) =>
        mainPass(scene, camera, false).drawn.map(({ object }) => object.name),
      );
      expect(ours).toEqual(plain);
      const at = 1 + Math.floor(next() * (nodes[0].length - 1));
      for (const side of nodes) side[at].visible = !side[at].visible;
      draw(scenes[1]);
    }
    index.dispose();
  });
});

it('callbacks are those of the object, with its children, and with what they change', () => {
  const scene = new THREE.Scene();
  const called: unknown[][] = [];
  const parents = Array.from({ length: 3 }, () => {
    const parent = mesh().add(mesh());
    for (const name of ['onBeforeRender', 'onBeforeShadow'] as const) {
      parent[name] = function (this: THREE.Object3D, ...given: unknown[]) {
        called.push([name, this, this.children.length, name === 'onBeforeShadow' ? given[1] : null]);
        this.userData.calls = (this.userData.calls ?? 0) + 1;
      } as never;
    }
    return parent;
  });
  scene.add(...parents);
  const index = accelerate(scene, { batch: { atLeast: 2 } });
  for (let frame = 0; frame < 4; frame++) draw(scene);
  called.length = 0;
  drawnTriangles(scene, camera, sun);
  expect(called).toEqual([
    ...parents.map((parent) => ['onBeforeShadow', parent, 1, parent]),
    ...parents.map((parent) => ['onBeforeRender', parent, 1, null]),
  ]);
  index.dispose();
});

it('what is drawn in place of an object is the same in each picture and pass', () => {
  const scene = new THREE.Scene();
  for (let i = 0; i < 4; i++) {
    const child = mesh();
    child.position.z = 0.1;
    scene.add(PARENTS['a mesh with a callback']().add(child));
  }
  const index = accelerate(scene, { batch: { atLeast: 4 } });
  const seen = (): THREE.Object3D[] => mainPass(scene, camera).drawn.map(({ object }) => object);
  for (let frame = 0; frame < 3; frame++) draw(scene);
  const before = seen();
  expect(before.length).toBe(5);
  expect(seen()).toEqual(before);
  for (const [i, object] of seen().entries()) expect(object).toBe(before[i]);
  index.dispose();
});

/** Makes a picture, which has to show what plain three's does; tells its draw calls. */
function draw(scene: THREE.Scene): number {
  scene.updateMatrixWorld();
  const { main, shadow } = plainTriangles(scene, camera, sun);
  const drawn = drawnTriangles(scene, camera, sun);
  expect(drawn).toMatchObject({ main, shadow });
  return drawn.calls;
}
