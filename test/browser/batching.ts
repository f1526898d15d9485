import {
  BoxGeometry,
  type BufferGeometry,
  type Camera,
  Color,
  DirectionalLight,
  type Material,
  Mesh,
  MeshLambertMaterial,
  PerspectiveCamera,
  Scene,
  type WebGLRenderer,
  type WebGLRendererParameters,
} from 'three';
import { afterAll, beforeAll, expect } from 'vitest';
import type { AcceleratedScene, BatchOptions } from '../../src/index.js';
import { accelerate } from '../../src/index.js';
import { loadBatching } from '../helpers/loadBatching.js';
import { endRenderer, makeRenderer, otherPixels, readPicture } from '../helpers/pictures.js';

/** Shows a scene until what is transparent is drawn in batches. */
export async function loadTransparent(show: () => void): Promise<void> {
  await loadBatching();
  for (let frame = 0; frame < 3; frame++) show();
}

/** A camera that looks at the origin. */
export function eyeAt(x: number, y: number, z: number): PerspectiveCamera {
  const camera = new PerspectiveCamera(50, 1, 0.5, 120);
  camera.position.set(x, y, z);
  camera.lookAt(0, 0, 0);
  return camera;
}

/** A scene in front of a colour, in the light of a sun that casts shadows where a renderer has them. */
export function sunlit(): Scene {
  const scene = new Scene();
  scene.background = new Color(0x223344);
  const sun = new DirectionalLight(0xffffff, 3);
  sun.position.set(3, 8, 5);
  sun.castShadow = true;
  return scene.add(sun);
}

/** What stories of batches are about. */
export interface World {
  readonly scene: Scene;
  readonly meshes: Mesh[];
  readonly materials: Material[];
  readonly geometries: BufferGeometry[];
}

export type Edit = (world: World) => void;

/** An edit of all materials. */
export const each =
  (change: (material: Material) => unknown): Edit =>
  ({ materials }) => {
    for (const one of materials) change(one);
  };

/** Two materials that differ in their colours alone. */
export const two = (values: object = {}): Material[] =>
  [0xcc8844, 0x4488cc].map((color) => Object.assign(new MeshLambertMaterial({ color }), values));

/** Meshes in rows, at places without rounding, with these materials, or lists of them, and these geometries in turn. */
export function world(
  given: (Material | Material[])[] = two(),
  geometries: BufferGeometry[] = [new BoxGeometry()],
  count = 12,
): World {
  const meshes = Array.from({ length: count }, (_, i) => {
    const mesh = new Mesh(geometries[i % geometries.length], given[i % given.length] as Material);
    mesh.position.set((i % 4) * 2.25 - 3, 0, Math.floor(i / 4) * 2.25 - 2);
    mesh.castShadow = mesh.receiveShadow = true;
    return mesh;
  });
  return { scene: sunlit().add(...meshes), meshes, materials: given.flat(), geometries };
}

/** A renderer whose pictures are read back, for the tests of a file: each one compiles its shaders anew. */
export class Studio {
  renderer!: WebGLRenderer;
  readonly #width: number;
  readonly #height: number;

  constructor(width: number, height: number, options: WebGLRendererParameters) {
    this.#width = width;
    this.#height = height;
    beforeAll(() => this.start(options));
    afterAll(() => endRenderer(this.renderer));
  }

  /** Takes a new renderer in place of the one before. */
  start(options: WebGLRendererParameters = {}): void {
    if (this.renderer) endRenderer(this.renderer);
    this.renderer = makeRenderer(this.#width, this.#height, options);
  }

  draw(scene: Scene, camera: Camera): { pixels: Uint8Array; calls: number } {
    this.renderer.render(scene, camera);
    return { pixels: readPicture(this.renderer), calls: this.renderer.info.render.calls };
  }

  draws(scene: Scene, camera: Camera, frames: number): void {
    for (let frame = 0; frame < frames; frame++) this.renderer.render(scene, camera);
  }
}

/** A studio for the tests of a file. */
export const openStudio = (width = 128, options: WebGLRendererParameters = {}, height = width): Studio =>
  new Studio(width, height, options);

/** How two pictures are compared: pixels that may differ, by more than so many levels. */
export interface Tolerance {
  readonly most?: number;
  readonly levels?: number;
}

/** A world in plain three, and its twin in batches. */
export class BatchTwin<W extends { readonly scene: Scene } = World> {
  readonly plain: W;
  readonly batched: W;
  readonly index: AcceleratedScene;
  /** Draw calls of the last picture, of both. */
  calls = { plain: 0, batched: 0 };
  readonly #studio: Studio;
  readonly #tolerance: Required<Tolerance>;

  constructor(studio: Studio, make: () => W, tolerance: Tolerance = {}, batch: BatchOptions = {}) {
    this.#studio = studio;
    this.#tolerance = { most: 0, levels: 0, ...tolerance };
    this.plain = make();
    this.batched = make();
    this.index = accelerate(this.batched.scene, { batch: { atLeast: 4, ...batch } });
  }

  /** Does the same to both, which may move the camera; fails unless they look the same afterwards. */
  frame(label: string, camera: Camera, edit: (world: W) => void = () => {}): void {
    const place = camera.position.clone();
    const [plain, batched] = [this.plain, this.batched].map((world) => {
      camera.position.copy(place);
      edit(world);
      return this.#studio.draw(world.scene, camera);
    });
    const { most, levels } = this.#tolerance;
    expect(otherPixels(batched.pixels, plain.pixels, levels), label).toBeLessThanOrEqual(most);
    this.calls = { plain: plain.calls, batched: batched.calls };
  }

  frames(count: number, label: string, camera: Camera): void {
    for (let frame = 0; frame < count; frame++) this.frame(`${label}, frame ${frame}`, camera);
  }

  /** Pictures until all that can be drawn in a batch is. */
  async settle(camera: Camera): Promise<void> {
    await loadBatching();
    this.frames(4, 'settling', camera);
  }
}

/** How a world is made, and what is done to it from frame to frame. */
export type Story<W = World> = [make: () => W, ...edits: ((world: W) => void)[]];

/**
 * Tells a story of two worlds, in plain three and in batches: fails unless they look the same when they have settled, with
 * each edit, and for some frames after it. Tells the draw calls of the last picture.
 */
export async function tellStory<W extends { readonly scene: Scene }>(
  studio: Studio,
  camera: Camera,
  [make, ...edits]: Story<W>,
  { frames = 1, batch = {}, ...tolerance }: Tolerance & { frames?: number; batch?: BatchOptions } = {},
): Promise<{ settled: number; batched: number }> {
  const twin = new BatchTwin(studio, make, tolerance, batch);
  await twin.settle(camera);
  const settled = twin.calls.batched;
  for (const [i, edit] of edits.entries()) {
    twin.frame(`edit ${i}`, camera, edit);
    twin.frames(frames, `after edit ${i}`, camera);
  }
  const { batched } = twin.calls;
  twin.index.dispose();
  twin.frame('without batches', camera);
  return { settled, batched };
}
