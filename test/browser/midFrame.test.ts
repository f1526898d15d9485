import { AmbientLight, type Camera, type Mesh, type Object3D, type Scene } from 'three';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type AccelerateOptions, accelerate, Bvh, LooseOctree, type SceneIndex } from '../../src/index.js';
import { loadBatching } from '../helpers/loadBatching.js';
import { loadCasters } from '../helpers/loadCasters.js';
import { makeRenderer, readPicture } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { validateScene } from '../helpers/validateScene.js';
import { addSun, addWorld, expectSamePictures, expectSameStory, eye, renderer, SIZE } from './stories.js';

// Shadow maps in software take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
afterAll(() => renderer.dispose());

/** The moments of a frame at which three calls out. */
const MOMENTS: { [moment: string]: (scene: Scene, mesh: Mesh, act: () => void) => unknown } = {
  'before the scene': (scene, _mesh, act) => Object.assign(scene, { onBeforeRender: act }),
  'after the scene': (scene, _mesh, act) => Object.assign(scene, { onAfterRender: act }),
  'before a mesh': (_scene, mesh, act) => Object.assign(mesh, { onBeforeRender: act }),
  'after a mesh': (_scene, mesh, act) => Object.assign(mesh, { onAfterRender: act }),
  'before a shadow': (_scene, mesh, act) => Object.assign(mesh, { onBeforeShadow: act }),
  'after a shadow': (_scene, mesh, act) => Object.assign(mesh, { onAfterShadow: act }),
  'while the list is sorted': (_scene, _mesh, act) => {
    let isDue = true;
    renderer.setOpaqueSort((a, b) => {
      if (isDue) act();
      isDue = !isDue;
      return a.z - b.z || a.id - b.id;
    });
  },
};
// Merged colours may change which of two surfaces shows where they meet at the same depth.
const OPTIONS = [{}, { cullCasters: true }, { batch: { atLeast: 4, mergeColors: false } }];
afterEach(() => renderer.setOpaqueSort(null as never));
beforeAll(loadBatching);
beforeAll(loadCasters);

/** What code finds in a scene that looks for what a camera may see. */
function walk(scene: Scene, { layers }: Camera): string {
  const found = [scene.children.length];
  const isSeen = scene.layers.test(layers);
  found.push(scene.children.length);
  scene.traverseVisible((object) => {
    const mesh = object as Mesh;
    if (mesh.layers.test(layers) && mesh.isMesh) found.push(mesh.geometry.attributes.position.count);
  });
  return `${isSeen} ${found}`;
}

/** Puts a mesh into a scene, takes it out, and puts it back where it was. */
function exchange(scene: Scene, { layers }: Camera, mesh: Mesh): string {
  const parent = mesh.parent as Object3D;
  if (scene.layers.test(layers)) scene.add(mesh);
  const isMoved = mesh.parent === scene && scene.children.includes(mesh);
  if (scene.layers.test(layers)) scene.remove(mesh);
  const isGone = mesh.parent === null && !scene.children.includes(mesh);
  parent.add(mesh);
  return `${isMoved} ${isGone}`;
}

type Start = (scene: Scene, options: AccelerateOptions) => SceneIndex | null;
type Act = (scene: Scene, index: SceneIndex | null, options: AccelerateOptions) => SceneIndex | null;
const begin: Start = (scene, options) => accelerate(scene, { ...options, structure: new LooseOctree({ capacity: 4 }) });
const dispose: Act = (_scene, index) => {
  index?.dispose();
  return null;
};
const ACTS: [label: string, start: Start, act: Act][] = [
  ['an index is disposed', begin, dispose],
  [
    'an index is disposed and another one made',
    begin,
    (scene, index, options) => dispose(scene, index, options) ?? begin(scene, options),
  ],
  [
    'the structure is exchanged',
    begin,
    (_, index) => {
      index?.setStructure(new Bvh());
      return index;
    },
  ],
  ['an index is made', () => null, (scene, _, options) => begin(scene, options)],
];

describe.each(Object.keys(MOMENTS))('pictures are those of plain three, %s', (moment) => {
  // Five frames of a world, in the first of which the act takes place, and one without an index.
  test.each(ACTS)('when %s', (_label, start, act) => {
    expectSamePictures((scene, snap, options) => {
      const { meshes } = addWorld(scene, random(1));
      meshes[0].frustumCulled = false;
      meshes[0].position.set(0, 3, 0);
      let index: SceneIndex | null = null;
      let times = 0;
      MOMENTS[moment](scene, meshes[0], () => {
        if (times++ === 0 && options) index = act(scene, index, options);
      });
      if (options) index = start(scene, options);
      for (let frame = 0; frame < 5; frame++) {
        meshes[5].position.x += 1;
        snap(() => renderer.render(scene, eye(16 - 5 * frame, 9, 18)));
      }
      expect(times).toBeGreaterThan(0);
      if (index !== null) expect(validateScene(index)).toEqual([]);
      (index as SceneIndex | null)?.dispose();
      snap(() => renderer.render(scene, eye(-16, 9, 18)));
    }, OPTIONS);
  });

  test('when code that asks for layers walks and changes the scene', () => {
    const seen: string[][] = [];
    expectSameStory((scene, snap) => {
      const { meshes } = addWorld(scene, random(8));
      addSun(scene, 30);
      meshes[0].frustumCulled = false;
      const log: string[] = [];
      seen.push(log);
      let camera = eye(16, 9, 18);
      MOMENTS[moment](scene, meshes[0], () => log.push(walk(scene, camera), exchange(scene, camera, meshes[9])));
      for (let frame = 0; frame < 4; frame++) {
        camera = eye(16 - 5 * frame, 9, 18);
        snap(() => renderer.render(scene, camera));
      }
    }, OPTIONS);
    const [plain, ...fast] = seen;
    expect(plain.length).toBeGreaterThan(7);
    // How often a list is sorted depends on the order in which it comes.
    for (const log of fast) expect(new Set(log)).toEqual(new Set(plain));
  });
});

describe('pictures are those of plain three', () => {
  test('when a renderer draws the scene while another one does, and in turns with it', () => {
    const other = makeRenderer(SIZE);
    other.shadowMap.enabled = true;
    const pictures: Uint8Array[][] = [];
    expectSameStory((scene, snap) => {
      const taken: Uint8Array[] = [];
      pictures.push(taken);
      const { meshes } = addWorld(scene, random(4));
      let isNested = false;
      meshes[0].frustumCulled = false;
      meshes[0].onBeforeRender = (by) => {
        if ((by as unknown) !== renderer || !isNested) return;
        isNested = false;
        other.render(scene, eye(-16, 9, -18));
        taken.push(readPicture(other));
      };
      for (let frame = 0; frame < 4; frame++) {
        meshes[5].position.x += 1;
        isNested = frame > 1;
        snap(() => renderer.render(scene, eye(16 - 5 * frame, 9, 18)));
        other.render(scene, eye(16, 9, -18 + 5 * frame));
        taken.push(readPicture(other));
      }
    }, OPTIONS);
    other.dispose();
    const [plain, ...fast] = pictures.map((taken) => taken.map(String));
    for (const taken of fast) expect(taken).toEqual(plain);
    expect(new Set(plain).size).toBe(6);
  });

  test('when the scene is emptied in its last callback, and filled again', () => {
    expectSameStory((scene, snap) => {
      const { meshes, sun } = addWorld(scene, random(6));
      scene.onAfterRender = () => {
        scene.onAfterRender = () => {};
        scene.clear();
      };
      for (let frame = 0; frame < 4; frame++) {
        if (frame === 2) scene.add(...meshes.slice(0, 20), sun, new AmbientLight());
        snap(() => renderer.render(scene, eye(16 - 5 * frame, 9, 18)));
      }
    }, OPTIONS);
  });
});
