import { Scene } from 'three';
import { type AcceleratedScene, stats } from '../../../src/index.js';
import { Turns } from '../../measure/Turns.js';
import { accelerateScene, applyStructure, structureKey } from '../../state/chosenIndex.js';
import type { Settings } from '../../state/Settings.js';

/** One of so many turns is another way’s: the picture is the same, and its cost stays known... */
const OTHER = 8;
/** ...and one of fewer until its mean is reliable. */
const OTHER_AT_FIRST = 3;

/**
 * Draws one scene accelerated, in batches or not, or by plain three. For the latter a second, plain scene shares the array of children; the
 * objects keep the first as their parent.
 */
export class RenderComparison {
  readonly scene = new Scene();
  /** CPU time of `renderer.render`, matrices and shadows included, and draw calls, shadows included. */
  readonly turns = new Turns(['index', 'batched', 'three'], OTHER, OTHER_AT_FIRST);
  /** Milliseconds that `accelerate` took. */
  buildTime = 0;
  readonly #plain = new Scene();
  #index: AcceleratedScene | null = null;
  #options = '';

  constructor() {
    this.#plain.children = this.scene.children;
  }

  get index(): AcceleratedScene | null {
    return this.#index;
  }

  /** Number of objects, groups included. */
  get followed(): number {
    return this.#index === null ? 0 : stats(this.#index).tracked;
  }

  set fog(fog: Scene['fog']) {
    this.scene.fog = fog;
    this.#plain.fog = fog;
  }

  /** Accelerates the scene. All children but `moving` are declared static. */
  open(settings: Settings, moving: readonly unknown[]): AcceleratedScene {
    const start = performance.now();
    const index = accelerateScene(this.scene, settings);
    this.#index = index;
    this.buildTime = performance.now() - start;
    for (const object of this.scene.children) if (!moving.includes(object)) index.setStatic(object);
    this.#options = structureKey(settings);
    this.turns.reset();
    return index;
  }

  /** Stops accelerating, before the scene changes. */
  close(): void {
    this.#index?.dispose();
    this.#index = null;
  }

  /** Draws a frame in the way that the settings name, and now and then in the other. */
  draw(settings: Settings, draw: (scene: Scene) => number): void {
    if (structureKey(settings) !== this.#options) {
      if (this.#index) applyStructure(this.#index, settings);
      this.#options = structureKey(settings);
      this.turns.reset();
    }
    this.turns.take(settings.mode, (mode) => {
      if (mode === 'three') return draw(this.#plain);
      this.#index?.batch(this.scene, mode === 'batched');
      return draw(this.scene);
    });
  }
}
