/** A scene in one mode, in a page of its own. */
import {
  AmbientLight,
  BoxGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DirectionalLight,
  Group,
  Mesh,
  MeshLambertMaterial,
  PerspectiveCamera,
  Scene,
  SphereGeometry,
  WebGLRenderer,
} from 'three';
import { accelerate } from '../../../src/index.js';
import { random } from '../../helpers/random.js';
import { leaveOutGpu } from './takeTurns.js';

/** Half the edge of the cube in which the meshes lie. */
const HALF = 20;
const GEOMETRIES = [
  new BoxGeometry(),
  new ConeGeometry(1, 3, 6),
  new CylinderGeometry(0.2, 0.3, 2, 5),
  new SphereGeometry(1, 8, 6),
];

/** Groups between which meshes change; the next group of a mesh is `STRIDE` further on. */
const GROUPS = 20;
const STRIDE = 7;

/** Meshes of four shapes in a cube, lit by a sun, and a camera. The same for the same arguments. */
class Crowd {
  readonly scene: Scene = new Scene();
  readonly meshes: Mesh[] = [];
  readonly camera: PerspectiveCamera = new PerspectiveCamera(60, 4 / 3, 0.1, 500);
  readonly #make: (i: number) => Mesh;
  /** Meshes that the next frame adds. */
  #others: Mesh[] = [];
  readonly #groups: Group[] = [];
  /** The mesh whose turn it is to change groups, or to leave the scene. */
  #turn = 0;

  /** @param kinds Materials that the meshes share in turns; as many as meshes for one each. */
  constructor(count: number, kinds: number) {
    const next = random(7);
    const materials = Array.from({ length: kinds }, (_, i) => {
      return new MeshLambertMaterial({ color: new Color().setHSL(i / kinds, 0.6, 0.5) });
    });
    this.#make = (i) => {
      const mesh = new Mesh(GEOMETRIES[i % 4], materials[kinds < count ? (i >> 2) % kinds : i % kinds]);
      mesh.position.set(next(), next(), next());
      mesh.position.subScalar(0.5).multiplyScalar(2 * HALF);
      mesh.rotation.y = 6 * next();
      return mesh;
    };
    for (let i = 0; i < count; i++) this.meshes.push(this.#make(i));
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

  /** Makes a fifth as many meshes as there are, without adding them to the scene. */
  makeOthers(): void {
    this.#others = Array.from({ length: this.meshes.length / 5 }, (_, i) => this.#make(i));
  }

  addOthers(): void {
    for (const mesh of this.#others) this.scene.add(mesh);
    this.#others = [];
  }

  /** Puts the meshes into groups, in turns. */
  group(): void {
    for (let i = 0; i < GROUPS; i++) this.#groups.push(new Group());
    this.scene.add(...this.#groups);
    for (const [i, mesh] of this.meshes.entries()) this.#groups[i % GROUPS].add(mesh);
  }

  /** Moves the next eighth of the meshes to other groups. */
  regroup(): void {
    const { length } = this.meshes;
    for (let i = 0; i < length >> 3; i++) {
      const mesh = this.meshes[this.#turn];
      const group = this.#groups.indexOf(mesh.parent as Group);
      this.#groups[(group + STRIDE) % GROUPS].add(mesh);
      this.#turn = (this.#turn + 1) % length;
    }
  }

  /** The tenth of a pool that is swapped in a frame. */
  get #tenth(): number {
    return Math.floor(this.meshes.length / 10);
  }

  /** Takes the last tenth out of the scene; the first swap adds these meshes. */
  pool(): void {
    this.scene.remove(...this.meshes.slice(this.meshes.length - this.#tenth));
  }

  /** Removes the tenth that has been in the scene for longest, and adds the one that is out of it. */
  swap(): void {
    const { length } = this.meshes;
    const start = this.#turn;
    for (let i = 0; i < this.#tenth; i++) this.scene.remove(this.meshes[(start + i) % length]);
    for (let i = length - this.#tenth; i < length; i++) this.scene.add(this.meshes[(start + i) % length]);
    this.#turn = (start + this.#tenth) % length;
  }
}

/** What a frame of each scene does with a crowd before it is drawn: see frames.mjs. */
const FRAMES: { readonly [scene: string]: (crowd: Crowd, frame: number) => void } = {
  rest: (crowd, frame) => crowd.sway(frame),
  moving: (crowd, frame) => crowd.move(frame),
  few: (crowd, frame) => crowd.lookAround(frame),
  'few-tenth'(crowd, frame) {
    crowd.lookAround(frame);
    crowd.move(frame, 10);
  },
  'few-moving'(crowd, frame) {
    crowd.lookAround(frame);
    crowd.move(frame);
  },
  'few-added'(crowd, frame) {
    crowd.lookAround(frame);
    crowd.addOthers();
  },
  groups(crowd, frame) {
    crowd.sway(frame);
    crowd.regroup();
  },
  pool(crowd, frame) {
    crowd.sway(frame);
    crowd.swap();
  },
};

let renderer: WebGLRenderer;
let crowd: Crowd;
let prepare: (crowd: Crowd, frame: number) => void;
let frame = 0;

export function openFrames(name: string, count: number, mode: string): void {
  renderer = new WebGLRenderer({ antialias: false });
  renderer.setSize(4, 3, false);
  renderer.info.autoReset = false;
  leaveOutGpu(renderer, true);
  crowd = new Crowd(count, name === 'materials' || name === 'kinds' ? count : 4);
  if (name === 'kinds') {
    for (const [i, { material }] of crowd.meshes.entries()) (material as MeshLambertMaterial).emissive.setHex(i);
  }
  if (name === 'groups') crowd.group();
  if (name === 'pool') crowd.pool();
  prepare = FRAMES[name] ?? FRAMES.rest;
  if (mode !== 'plain') accelerate(crowd.scene, { batch: mode === 'batch' });
}

/** Makes the meshes that the next frame adds. */
export const makeOthers = (): void => crowd.makeOthers();

export function runFrames(count: number): { calls: number; triangles: number } {
  const { info } = renderer;
  info.reset();
  for (let i = 0; i < count; i++) {
    prepare(crowd, frame++);
    renderer.render(crowd.scene, crowd.camera);
  }
  const { calls, triangles } = info.render;
  // The GPU of a headless browser is a program: it must not run beside the next page that is measured.
  renderer.getContext().finish();
  return { calls: calls / count, triangles: triangles / count };
}
