import * as THREE from 'three';
import { Reflector } from 'three/addons/objects/Reflector.js';
import { EffectComposer } from 'three/addons/postprocessing/EffectComposer.js';
import { GTAOPass } from 'three/addons/postprocessing/GTAOPass.js';
import { OutputPass } from 'three/addons/postprocessing/OutputPass.js';
import { RenderPass } from 'three/addons/postprocessing/RenderPass.js';
import { SSAOPass } from 'three/addons/postprocessing/SSAOPass.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AccelerateOptions, accelerate, LooseOctree, type SceneIndex } from '../../src/index.js';
import { Bvh } from '../../src/standalone.js';
import { loadBatching } from '../helpers/loadBatching.js';
import { loadCasters } from '../helpers/loadCasters.js';
import { differences } from '../helpers/pictures.js';
import { CHANGES, pile } from '../helpers/pile.js';
import { random } from '../helpers/random.js';
import { allOf, boxMesh, mixedScene, vary } from '../helpers/scene.js';
import { validateScene } from '../helpers/validateScene.js';
import { seeds } from '../helpers/width.js';
import {
  addGround,
  addWorld,
  box,
  colour,
  expectSamePictures,
  expectSameStory,
  eye,
  fill,
  paint,
  picture,
  renderer,
  SIZE,
  slab,
} from './stories.js';

beforeAll(loadBatching);
beforeAll(loadCasters);
afterEach(() => {
  renderer.setOpaqueSort(null as never);
  renderer.shadowMap.enabled = false;
  renderer.sortObjects = true;
  renderer.setScissorTest(false);
  renderer.setViewport(0, 0, SIZE, SIZE);
  renderer.setRenderTarget(null);
});
afterAll(() => renderer.dispose());

type Draw = (camera: THREE.Camera, scene: THREE.Scene) => void;

/** Fails unless pictures with and without the index are the same, in several turns. */
function expectSame(
  scene: THREE.Scene,
  cameras: THREE.Camera[],
  draw: Draw = (camera) => renderer.render(scene, camera),
): void {
  for (const camera of cameras) {
    const take = () => picture(() => draw(camera, scene));
    // The first frame of a scene may differ from all others, as a mirror is still empty.
    take();
    const plain = take();
    expect(differences(take(), plain), 'plain three differs from itself').toBe(0);
    const index = accelerate(scene, { structure: new LooseOctree({ capacity: 4 }) });
    const fast = [take(), take()];
    index.dispose();
    for (const [i, pixels] of fast.entries()) expect(differences(pixels, plain), `other pixels in frame ${i}`).toBe(0);
  }
}

function cameras(next: () => number, count = 3): THREE.Camera[] {
  return Array.from({ length: count }, (_, i) => {
    const camera =
      i === 1
        ? new THREE.OrthographicCamera(-25, 25, 25, -25, 1, 80)
        : new THREE.PerspectiveCamera(40 + next() * 40, 1, 0.5, 90);
    camera.position.set(next() * 70 - 35, next() * 50, next() * 70 - 35);
    camera.lookAt(next() * 10, 0, next() * 10);
    return camera;
  });
}

/** Objects of all kinds, each in a colour and shading of its own; a fifth of them transparent. */
function painted(next: () => number, count: number): THREE.Scene {
  return paint(mixedScene(next, count), next, () => {
    const transparent = next() < 0.2;
    return new THREE.MeshLambertMaterial({ color: colour(next), transparent, opacity: transparent ? 0.5 : 1 });
  });
}

describe('accelerated pictures are those of plain three', () => {
  test.each(seeds(2))('of all kinds of objects, hidden, layered, ordered and transparent, seed %i', (seed) => {
    const next = random(seed);
    const scene = painted(next, 160);
    vary(scene, next);
    const views = cameras(next);
    views[0].layers.enable(1);
    const parents = allOf(scene).filter((object) => !('isLOD' in object));
    for (let i = 0; i < 3; i++) {
      const light = new THREE.PointLight(new THREE.Color().setHSL(next(), 1, 0.5), 800);
      parents[Math.floor(next() * parents.length)].add(light);
    }
    expectSame(scene, views);
  });

  test('with shadows of all kinds of lights, casters out of view included', () => {
    const next = random(7);
    const scene = painted(next, 120).add(slab());
    const lights = [
      new THREE.DirectionalLight(0xffffff, 1),
      new THREE.SpotLight(0xffffff, 2000, 0, 0.8),
      new THREE.PointLight(0xffffff, 2000),
    ];
    for (const [i, light] of lights.entries()) {
      light.position.set(20 - 20 * i, 40, 10);
      light.castShadow = true;
      Object.assign(light.shadow.camera, { left: -60, right: 60, top: 60, bottom: -60, far: 150 });
      light.shadow.mapSize.set(128, 128);
    }
    renderer.shadowMap.enabled = true;
    expectSame(scene.add(...lights), cameras(next));
  });

  test.each<[string, (next: () => number) => [scene: THREE.Scene, draw?: Draw | undefined, views?: THREE.Camera[]]]>([
    [
      // Of plain meshes: with skinned and morphed ones among them three's own pictures differ from frame to frame.
      'with an override material',
      (next) => {
        const place = () => next() * 60 - 30;
        const boxes = Array.from({ length: 150 }, () => boxMesh(place(), place(), place(), 1 + next() * 5));
        return [Object.assign(new THREE.Scene(), { overrideMaterial: new THREE.MeshDepthMaterial() }).add(...boxes)];
      },
    ],
    [
      'after a compilation',
      (next) => [
        painted(next, 100),
        (camera, scene) => {
          renderer.compile(scene, camera);
          renderer.render(scene, camera);
        },
      ],
    ],
    [
      'with transmission',
      (next) => {
        const glass = new THREE.MeshPhysicalMaterial({ transmission: 1, thickness: 2, roughness: 0.1 });
        return [painted(next, 80).add(new THREE.Mesh(new THREE.SphereGeometry(8), glass))];
      },
    ],
    [
      'of several views in one camera',
      (next) => {
        const [left, , right] = cameras(next) as THREE.PerspectiveCamera[];
        const array = new THREE.ArrayCamera([left, right]);
        for (const [i, camera] of array.cameras.entries()) {
          camera.viewport = new THREE.Vector4((i * SIZE) / 2, 0, SIZE / 2, SIZE);
          camera.updateMatrixWorld();
        }
        return [painted(next, 120), undefined, [array]];
      },
    ],
  ])('%s', (_label, make) => {
    const next = random(6);
    const [scene, draw, views = cameras(next)] = make(next);
    expectSame(scene, views, draw);
  });

  test.each([1, 2, 3])('of objects that are not sorted, seed %i', (seed) => {
    renderer.sortObjects = false;
    expectSameStory((scene, snap, index) => {
      const made = pile(random(seed), scene);
      for (const [, change] of CHANGES) {
        change(made, index);
        snap(() => renderer.render(scene, made.camera));
      }
    });
  });

  test('in several viewports and cameras of one frame', () => {
    expectSameStory((scene, snap) => {
      const { sun } = addWorld(scene, random(1), 80);
      const map = new THREE.OrthographicCamera(-25, 25, 25, -25, 1, 60);
      map.position.y = 40;
      map.lookAt(0, 0, 0);
      for (let frame = 0; frame < 4; frame++) {
        snap(() => {
          renderer.setScissorTest(true);
          const views = [eye(20 - 8 * frame, 6, 18), map, eye(-15, 10, -15), sun.shadow.camera];
          for (const [i, camera] of views.entries()) {
            const corner = [((i % 2) * SIZE) / 2, (Math.floor(i / 2) * SIZE) / 2, SIZE / 2, SIZE / 2] as const;
            renderer.setViewport(...corner);
            renderer.setScissor(...corner);
            renderer.render(scene, camera);
          }
        });
      }
    });
  });

  test('with mirrors that see each other', () => {
    expectSameStory((scene, snap) => {
      addWorld(scene, random(2));
      const mirrors = [-14, 14].map((z) => {
        const mirror = new Reflector(new THREE.PlaneGeometry(20, 12), { textureWidth: SIZE, textureHeight: SIZE });
        mirror.position.set(0, 5, z);
        mirror.rotation.y = z < 0 ? 0.1 : Math.PI;
        scene.add(mirror);
        return mirror;
      });
      for (const x of [2, -6, 9]) snap(() => renderer.render(scene, eye(x, 5, 12)));
      for (const mirror of mirrors) mirror.dispose();
    });
  });

  test.each<[string, typeof SSAOPass | typeof GTAOPass]>([
    ['by normals', SSAOPass],
    ['of ground truth', GTAOPass],
  ])('through an EffectComposer, with ambient occlusion %s', (_label, Occlusion) => {
    // These passes strew their samples by chance.
    const { random: chance } = Math;
    try {
      expectSameStory((scene, snap) => {
        Math.random = random(77);
        fill(scene, random(3), 60);
        addGround(scene);
        const camera = eye(14, 8, 16);
        const composer = new EffectComposer(renderer);
        composer.setSize(SIZE, SIZE);
        const passes = [new RenderPass(scene, camera), new Occlusion(scene, camera, SIZE, SIZE), new OutputPass()];
        for (const pass of passes) composer.addPass(pass);
        for (const x of [14, 4, -10]) {
          camera.position.x = x;
          camera.lookAt(0, 0, 0);
          snap(() => composer.render(0));
        }
        composer.dispose();
      });
    } finally {
      Math.random = chance;
    }
  });

  test('with objects that add, remove, move and hide others while they are drawn', () => {
    for (const seed of [1, 2, 3]) {
      expectSameStory((scene, snap) => {
        const next = random(seed);
        const { meshes } = addWorld(scene, next);
        const pick = () => meshes[Math.floor(next() * meshes.length)];
        const isBelow = (mesh: THREE.Object3D, top: THREE.Object3D): boolean =>
          mesh === top || (mesh.parent !== null && isBelow(mesh.parent, top));
        let change = (): void => {};
        meshes[0].frustumCulled = false;
        meshes[0].onBeforeRender = () => change();
        for (let frame = 0; frame < 10; frame++) {
          const [a, b, c] = [pick(), pick(), pick()];
          const added = new THREE.Mesh(box, new THREE.MeshLambertMaterial({ color: colour(next) }));
          added.position.set(next() * 10, 4, next() * 10);
          change = () => {
            change = () => {};
            if (a !== meshes[0] && !isBelow(b, a)) b.attach(a);
            c.add(added);
            if (frame % 3 === 0 && b !== meshes[0]) b.visible = !b.visible;
            if (frame % 4 === 3 && c !== meshes[0] && !isBelow(meshes[0], c)) c.removeFromParent();
          };
          snap(() => renderer.render(scene, eye(16 - 3 * frame, 9, 18)));
        }
      });
    }
  });
});

test('the geometry by which the gate learns of passes is given back', () => {
  const { scene, camera } = pile(random(4));
  renderer.render(scene, camera);
  const { geometries } = renderer.info.memory;
  const index = accelerate(scene);
  renderer.render(scene, camera);
  index.dispose();
  expect(renderer.info.memory.geometries).toBe(geometries);
});

/** The moments of a frame at which three calls out. */
const MOMENTS: { [moment: string]: (scene: THREE.Scene, mesh: THREE.Mesh, act: () => void) => unknown } = {
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
type Start = (scene: THREE.Scene, options: AccelerateOptions) => SceneIndex | null;
type Act = (scene: THREE.Scene, index: SceneIndex | null, options: AccelerateOptions) => SceneIndex | null;
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
  // In the first of five frames of a world; one without an index follows.
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
});

test('pictures are those of plain three when the scene is emptied in its last callback, and filled again', () => {
  expectSameStory((scene, snap) => {
    const { meshes, sun } = addWorld(scene, random(6));
    scene.onAfterRender = () => {
      scene.onAfterRender = () => {};
      scene.clear();
    };
    for (let frame = 0; frame < 4; frame++) {
      if (frame === 2) scene.add(...meshes.slice(0, 20), sun, new THREE.AmbientLight());
      snap(() => renderer.render(scene, eye(16 - 5 * frame, 9, 18)));
    }
  }, OPTIONS);
});
