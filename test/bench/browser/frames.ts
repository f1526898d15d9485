/** A scene in one mode, in a page of its own. Called by frames.mjs. */
import { createRoot, extend, flushSync } from '@react-three/fiber';
import { createElement, Fragment } from 'react';
import {
  AmbientLight,
  BoxGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DirectionalLight,
  Mesh,
  MeshDepthMaterial,
  MeshLambertMaterial,
  MeshNormalMaterial,
  PerspectiveCamera,
  Raycaster,
  Scene,
  SphereGeometry,
  Vector3,
  WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import { AnaglyphEffect } from 'three/addons/effects/AnaglyphEffect.js';
import { type AccelerateOptions, accelerate } from '../../../src/index.js';
import { Accelerated } from '../../../src/react.js';
import { random } from '../../helpers/random.js';
import { leaveOutGpu } from './takeTurns.js';

/** How a scene is accelerated in each mode; plain three is not. */
const OPTIONS: { readonly [mode: string]: AccelerateOptions | undefined } = { accelerated: {}, batch: { batch: true } };

/** Milliseconds between frames that are run slowly. */
const PAUSE = 4;

/** Half the edge of the cube in which the meshes lie. */
const HALF = 20;
const GEOMETRIES = [
  new BoxGeometry(),
  new ConeGeometry(1, 3, 6),
  new CylinderGeometry(0.2, 0.3, 2, 5),
  new SphereGeometry(1, 8, 6),
];

/** What a frame does, its number given. The camera turns or sways in each, so that no view is seen twice. */
type Frame = (number: number) => void;

/** Meshes of four shapes in a cube, lit by a sun, and a camera. The same for the same arguments. */
class Crowd {
  readonly scene: Scene = new Scene();
  readonly meshes: Mesh[] = [];
  readonly camera: PerspectiveCamera = new PerspectiveCamera(60, 4 / 3, 0.1, 500);

  /** @param kinds Materials that the meshes share in turns; as many as meshes for one each. */
  constructor(count: number, kinds: number) {
    const next = random(7);
    const materials = Array.from({ length: kinds }, (_, i) => {
      return new MeshLambertMaterial({ color: new Color().setHSL(i / kinds, 0.6, 0.5) });
    });
    for (let i = 0; i < count; i++) {
      const mesh = new Mesh(GEOMETRIES[i % 4], materials[kinds < count ? (i >> 2) % kinds : i % kinds]);
      mesh.position.set(next(), next(), next());
      mesh.position.subScalar(0.5).multiplyScalar(2 * HALF);
      mesh.rotation.y = 6 * next();
      this.meshes.push(mesh);
    }
    const sun = new DirectionalLight('#fff', 2);
    sun.position.set(30, 60, 20);
    this.scene.add(sun, new AmbientLight('#456'), ...this.meshes);
    this.camera.position.z = 4 * HALF;
  }

  /** Sees all of the cube. */
  sway(frame: number): void {
    this.camera.position.x = Math.sin(frame / 50);
  }

  /** Sees a tenth of the meshes, from its middle. */
  lookAround(frame: number): void {
    this.camera.position.z = 0;
    this.camera.rotation.y = frame / 200;
    if (this.camera.far === HALF) return;
    this.camera.far = HALF;
    this.camera.updateProjectionMatrix();
  }

  /** Moves each mesh, or one of `step`, to and fro. */
  move(frame: number, step = 1): void {
    const way = frame % 2 === 0 ? 0.05 : -0.05;
    for (let i = 0; i < this.meshes.length; i += step) {
      this.meshes[i].position.x += way;
      this.meshes[i].position.y -= way;
    }
  }
}

let renderer: WebGLRenderer;
const render = ({ scene, camera }: Crowd): void => renderer.render(scene, camera);

/** A frame that does something to the crowd and draws it. */
const drawn =
  (prepare: (crowd: Crowd, frame: number) => void) =>
  (crowd: Crowd): Frame =>
  (frame) => {
    prepare(crowd, frame);
    render(crowd);
  };

const rest = drawn((crowd, frame) => crowd.sway(frame));

/** What a frame of each scene does with a crowd: see frames.mjs. */
const FRAMES: { readonly [scene: string]: (crowd: Crowd) => Frame } = {
  rest,
  materials: rest,
  kinds: rest,
  moving: drawn((crowd, frame) => crowd.move(frame)),
  few: drawn((crowd, frame) => crowd.lookAround(frame)),
  'few-tenth': drawn((crowd, frame) => {
    crowd.lookAround(frame);
    crowd.move(frame, 10);
  }),
  'few-moving': drawn((crowd, frame) => {
    crowd.lookAround(frame);
    crowd.move(frame);
  }),
  passes(crowd) {
    const passes = [null, new MeshNormalMaterial(), new MeshDepthMaterial()].map((material) => {
      return { material, target: new WebGLRenderTarget(4, 3) };
    });
    return (frame) => {
      crowd.move(frame);
      for (const { material, target } of passes) {
        crowd.scene.overrideMaterial = material;
        renderer.setRenderTarget(target);
        render(crowd);
      }
    };
  },
  anaglyph(crowd) {
    const effect = new AnaglyphEffect(renderer, 4, 3);
    return (frame) => {
      crowd.move(frame);
      crowd.sway(frame);
      effect.render(crowd.scene, crowd.camera);
    };
  },
  ray(crowd) {
    const raycaster = new Raycaster(new Vector3(), new Vector3(0, -1, 0), 0, 10);
    return drawn(({ camera, meshes }, frame) => {
      crowd.sway(frame);
      raycaster.ray.origin.copy(camera.position);
      raycaster.intersectObjects(meshes, false);
    })(crowd);
  },
};

/** The crowd at rest as elements of React Three Fiber, plain or within `<Accelerated>`, with nothing declared static. */
async function makeFiber({ camera, meshes, sway }: Crowd, options: AccelerateOptions | undefined): Promise<Frame> {
  extend({ AmbientLight, DirectionalLight, Mesh });
  const root = createRoot(renderer.domElement);
  const size = { width: 4, height: 3, top: 0, left: 0 };
  await root.configure({ gl: () => renderer, frameloop: 'never', size, camera });
  const children = [
    createElement('ambientLight', { key: 'sky', color: '#456' }),
    createElement('directionalLight', { key: 'sun', position: [30, 60, 20] }),
    ...meshes.map(({ geometry, material, position, rotation }, key) => {
      return createElement('mesh', { key, geometry, material, position, rotation } as never);
    }),
  ];
  const all =
    options === undefined
      ? createElement(Fragment, null, children)
      : createElement(Accelerated, options as object, children);
  // Effects of the first rendering are run before the second.
  flushSync(() => root.render(all));
  const store = flushSync(() => root.render(all));
  return (frame) => {
    sway.call({ camera } as Crowd, frame);
    store.getState().advance(frame / 60);
  };
}

let frame: Frame;
let frames = 0;
/** Accelerates the scene when its first frame is run. */
let start = (): void => {};

async function open(name: string, count: number, mode: string): Promise<void> {
  renderer = new WebGLRenderer({ antialias: false });
  renderer.setSize(4, 3, false);
  renderer.info.autoReset = false;
  leaveOutGpu(renderer, true);
  const crowd = new Crowd(count, name === 'materials' || name === 'kinds' ? count : 4);
  const options = OPTIONS[mode];
  if (name === 'fiber') {
    frame = await makeFiber(crowd, options);
    return;
  }
  if (name === 'kinds') {
    for (const [i, { material }] of crowd.meshes.entries()) (material as MeshLambertMaterial).emissive.setHex(i);
  }
  frame = FRAMES[name](crowd);
  start = () => options && accelerate(crowd.scene, options);
}

/** @param isPaced Whether time passes between frames, in which code is compiled and chunks load. */
async function run(count: number, isPaced: boolean): Promise<{ calls: number; triangles: number }> {
  const { info } = renderer;
  info.reset();
  start();
  start = () => {};
  for (let i = 0; i < count; i++) {
    frame(frames++);
    if (isPaced) await new Promise((done) => setTimeout(done, PAUSE));
  }
  const { calls, triangles } = info.render;
  // The GPU of a headless browser is a program: it must not run beside the next page that is measured.
  renderer.getContext().finish();
  return { calls: calls / count, triangles: triangles / count };
}

Object.assign(globalThis, { bench: { open, run } });
