import { BatchedMesh, type Color, type InstancedMesh, type Object3D, Scene } from 'three';
import { accelerate, InstanceIndex, type SceneIndex } from '../../../src/index.js';
import { Turns, type WhenDone } from '../../measure/Turns.js';
import type { Mode } from '../../state/Settings.js';

/** Updates before each of the first frames: half a millisecond of each goes into the index of the instances. */
const UPDATES = 20;
const FIRST_FRAMES = 100;
/** Of so many blocks of frames one is measured, and followed by one of plain three, which takes long. */
const EVERY = 60;

/** Draws a mesh with instances in an accelerated scene, or by plain three. */
export class TwoWays {
  /** What `renderer.render` costs, and instances drawn. */
  readonly turns = new Turns(['index', 'three'], EVERY);
  readonly #scenes = { index: new Scene(), three: new Scene() };
  readonly #index: SceneIndex;
  #frames = 0;
  #levels: InstanceIndex | null = null;
  readonly #mesh: BatchedMesh | InstancedMesh;

  /** @param others What both scenes have as well. */
  constructor(mesh: BatchedMesh | InstancedMesh, others: readonly Object3D[], fog: Scene['fog']) {
    this.#mesh = mesh;
    const { index, three } = this.#scenes;
    index.add(mesh, ...others);
    // An array of its own: objects have one parent.
    three.children = [plainTwin(mesh), ...others];
    index.fog = three.fog = fog;
    this.#index = accelerate(index);
    this.#index.setStatic(mesh);
  }

  /** The accelerated scene. */
  get scene(): Scene {
    return this.#scenes.index;
  }

  set background(color: Color) {
    for (const scene of Object.values(this.#scenes)) scene.background = color;
  }

  /** Instances of a batch that are smaller are not drawn by the index. */
  set minPixels(pixels: number) {
    if (!(this.#mesh instanceof BatchedMesh) || (pixels === 0 && this.#levels === null)) return;
    this.#levels ??= new InstanceIndex(this.#mesh);
    this.#levels.minPixels = pixels;
  }

  /**
   * Draws a frame in a way, and now and then in the other.
   * @param draw Draws a scene; returns the instances that were drawn.
   * @param whenDone Calls back when the GPU has drawn it.
   */
  draw(mode: Mode, draw: (scene: Scene) => number, whenDone?: WhenDone): void {
    if (mode !== 'three' && this.#frames++ < FIRST_FRAMES) {
      for (let i = 0; i < UPDATES; i++) this.scene.updateMatrixWorld();
    }
    // Instances are a batch already.
    this.turns.take(
      mode === 'three' ? 'three' : 'index',
      (way) => draw(this.#scenes[way === 'three' ? 'three' : 'index']),
      whenDone,
    );
  }

  dispose(): void {
    this.#levels?.dispose();
    this.#index.dispose();
    for (const scene of Object.values(this.#scenes)) scene.children.length = 0;
  }
}

/** The same mesh, drawn by three's own methods whatever is put on the mesh. */
function plainTwin(mesh: BatchedMesh | InstancedMesh): Object3D {
  if (!(mesh instanceof BatchedMesh)) return mesh;
  const twin = Object.create(mesh);
  for (const name of ['_updateDrawParameters', 'onBeforeRender'] as const) {
    twin[name] = (BatchedMesh.prototype as unknown as Record<string, unknown>)[name];
  }
  return twin;
}
