import { type Object3D, Scene } from 'three';
import type { AcceleratedScene } from '../../src/index.js';
import { DrawCosts, type Drawn } from '../measure/DrawCosts.js';
import { accelerateScene, applyStructure, structureKey } from '../state/chosenIndex.js';
import type { Mode, Settings } from '../state/Settings.js';
import { asPlain } from './asPlain.js';

/**
 * Draws one scene accelerated, in batches or not, or by plain three. For the latter a second, plain scene has the same
 * children; the objects keep the first as their parent.
 */
export class RenderComparison {
  readonly scene: Scene;
  /** What `renderer.render` costs, matrices and shadows included, and draw calls, shadows included. */
  readonly costs: DrawCosts = new DrawCosts();
  readonly #plain = new Scene();
  #index: AcceleratedScene | null = null;
  #options = '';
  #plainFirst = false;

  constructor(scene: Scene) {
    this.scene = scene;
  }

  get index(): AcceleratedScene | null {
    return this.#index;
  }

  /** Accelerates the scene, with subtrees at rest. */
  open(settings: Settings, resting: readonly Object3D[], keepShadows: boolean): void {
    const index = accelerateScene(this.scene, settings, keepShadows);
    this.#index = index;
    for (const object of resting) index.setStatic(object);
    // The code of batches is on its way before they are drawn.
    index.batch(this.scene, true);
    this.#options = structureKey(settings);
    this.costs.reset();
  }

  /** Stops accelerating, before the scene changes. */
  close(): void {
    this.#index?.dispose();
    this.#index = null;
  }

  /** Draws a frame in the way that the settings name; `draw` draws a scene and returns its draw calls. */
  draw(settings: Settings, draw: (scene: Scene) => Drawn): number {
    this.#follow(settings);
    return this.costs.measure(settings.mode, () => this.#drawAs(settings.mode, draw));
  }

  /** Draws a frame by plain three, from a scene of its own, and in batches: in turns, as what is drawn first may wait. */
  drawBoth(settings: Settings, plain: Scene, draw: (scene: Scene, isPlain: boolean) => Drawn): number {
    this.#follow(settings);
    this.#plainFirst = !this.#plainFirst;
    const byThree = (): number => this.costs.measure('three', () => draw(plain, true));
    if (this.#plainFirst) byThree();
    const calls = this.costs.measure('batched', () => this.#drawAs('batched', (scene) => draw(scene, false)));
    if (!this.#plainFirst) byThree();
    return calls;
  }

  #drawAs(mode: Mode, draw: (scene: Scene) => Drawn): Drawn {
    if (mode === 'three') return draw(asPlain(this.scene, this.#plain));
    this.#index?.batch(this.scene, mode === 'batched');
    return draw(this.scene);
  }

  #follow(settings: Settings): void {
    if (structureKey(settings) === this.#options) return;
    applyStructure(this.#index!, settings);
    this.#options = structureKey(settings);
    this.costs.reset();
  }
}
