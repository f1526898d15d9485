import * as THREE from 'three';
import { expect } from 'vitest';
import { type AcceleratedScene, type AccelerateOptions, accelerate } from '../../src/index.js';
import { makeRenderer, otherPixels, readPicture } from '../helpers/pictures.js';

export const SIZE = 96;

export function shadowRenderer(options: THREE.WebGLRendererParameters = {}): THREE.WebGLRenderer {
  const renderer = makeRenderer(SIZE, SIZE, options);
  renderer.shadowMap.enabled = true;
  return renderer;
}

/** Small casters in rows on a floor, in the light of a sun and a lamp, and a few large ones, which are edited. */
export class Plaza {
  readonly scene: THREE.Scene = new THREE.Scene();
  readonly camera: THREE.PerspectiveCamera = new THREE.PerspectiveCamera(50, 1, 0.1, 60);
  readonly sun: THREE.DirectionalLight = new THREE.DirectionalLight(0xffffff, 2);
  readonly lamp: THREE.PointLight = new THREE.PointLight(0xffddaa, 30);
  readonly floor: THREE.Mesh<THREE.PlaneGeometry, THREE.MeshLambertMaterial>;
  readonly box: THREE.BoxGeometry = new THREE.BoxGeometry();
  readonly paint: THREE.MeshBasicMaterial = new THREE.MeshBasicMaterial({ color: 0x88aacc });
  /** Those that are edited. */
  readonly meshes: THREE.Mesh[] = [];
  /** Set while it is drawn. */
  renderer!: THREE.WebGLRenderer;
  index: AcceleratedScene | null = null;

  /** @param resting How many casters rest. */
  constructor(resting = 100) {
    const { scene, sun, lamp, camera, box, paint } = this;
    scene.background = new THREE.Color(0x334455);
    const side = Math.ceil(Math.sqrt(resting));
    for (let i = 0; i < resting; i++) {
      const mesh = new THREE.Mesh(box, paint);
      mesh.scale.setScalar(4 / side);
      const [x, z] = [(i % side) + 0.5, Math.floor(i / side) + 0.5];
      mesh.position.set((12 * x) / side - 6, 0.3, (12 * z) / side - 6);
      mesh.castShadow = true;
      scene.add(mesh);
    }
    for (let i = 0; i < 6; i++) {
      const mesh = new THREE.Mesh(box, paint);
      mesh.name = `large ${i}`;
      mesh.position.set((i % 3) * 3 - 3, 1.3, Math.floor(i / 3) * 4 - 2);
      mesh.castShadow = mesh.receiveShadow = true;
      this.meshes.push(mesh);
      scene.add(mesh);
    }
    this.floor = new THREE.Mesh(new THREE.PlaneGeometry(14, 14), new THREE.MeshLambertMaterial({ color: 0xdddddd }));
    this.floor.rotation.x = -Math.PI / 2;
    this.floor.receiveShadow = true;
    sun.position.set(3, 8, 2);
    lamp.position.set(0, 3.2, 0.2);
    Object.assign(sun.shadow.camera, { left: -8, right: 8, top: 8, bottom: -8 });
    for (const light of [sun, lamp]) {
      light.castShadow = true;
      light.shadow.mapSize.set(128, 128);
      light.shadow.bias = -0.003;
    }
    scene.add(this.floor, sun, lamp, new THREE.AmbientLight(0xffffff, 0.2));
    camera.position.set(5, 6, 8);
    camera.lookAt(0, 0, 0);
  }

  dispose(): void {
    this.index?.dispose();
    for (const { shadow } of [this.sun, this.lamp]) shadow.dispose();
  }
}

export type Draw = (plaza: Plaza) => void;

export const drawOnce: Draw = ({ renderer, scene, camera }) => renderer.render(scene, camera);
export const rest = (): void => {};

/** A plaza in plain three, and one whose maps are kept, each drawn by a renderer of its own. */
export class PlazaTwin {
  readonly plain: Plaza;
  readonly kept: Plaza;
  readonly index: AcceleratedScene;
  /** Draw calls of the last picture. */
  calls = { plain: 0, kept: 0 };
  /** How often a picture of plain three was another than the one before. */
  changes = 0;
  #last: Uint8Array | null = null;
  readonly #draw: Draw;

  constructor(
    renderers: readonly [THREE.WebGLRenderer, THREE.WebGLRenderer],
    draw: Draw = drawOnce,
    options: AccelerateOptions = {},
    resting?: number,
  ) {
    [this.plain, this.kept] = renderers.map((renderer) => Object.assign(new Plaza(resting), { renderer }));
    this.#draw = draw;
    this.index = accelerate(this.kept.scene, { keepShadows: true, ...options });
    this.kept.index = this.index;
  }

  get both(): readonly [Plaza, Plaza] {
    return [this.plain, this.kept];
  }

  /** In how many pixels the next pictures differ. */
  async frame(edit: (plaza: Plaza) => unknown = rest): Promise<number> {
    await this.index.ready;
    const taken: Uint8Array[] = [];
    for (const plaza of this.both) await edit(plaza);
    for (const [i, plaza] of this.both.entries()) {
      plaza.renderer.setRenderTarget(null);
      this.#draw(plaza);
      taken.push(readPicture(plaza.renderer));
      this.calls[i === 0 ? 'plain' : 'kept'] = plaza.renderer.info.render.calls;
    }
    if (this.#last && otherPixels(taken[0], this.#last) > 0) this.changes++;
    this.#last = taken[0];
    return otherPixels(taken[1], taken[0]);
  }

  /** Fails unless pictures after each of some edits are the same. */
  async tell(...edits: ((plaza: Plaza) => unknown)[]): Promise<void> {
    for (const [i, edit] of edits.entries()) expect(await this.frame(edit), `picture ${i}`).toBe(0);
  }

  /** Pictures until all rests. */
  settle(): Promise<void> {
    return this.tell(rest, rest, rest, rest);
  }

  dispose(): void {
    for (const plaza of this.both) plaza.dispose();
  }
}

/** An edit, so many times. */
export const times = (count: number, edit: (plaza: Plaza) => unknown): ((plaza: Plaza) => unknown)[] =>
  Array.from({ length: count }, () => edit);

export const walk = ({ meshes }: Plaza): void => {
  meshes[0].position.x += 0.1;
};
