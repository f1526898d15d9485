import { Scene } from 'three';
import { accelerate, createIndex, type SceneIndex } from '../../src/index.js';
import { Meter } from '../measure/Meter.js';
import { indexOptions, type Mode, type Settings } from '../state/Settings.js';

/** What frames drawn in one way cost. */
export interface Cost {
  /** CPU time of `renderer.render`, matrices and shadows included. */
  readonly time: Meter;
  /** Of the last frame, shadows included. */
  calls: number;
}

/** Every so many frames one is drawn the other way: the picture is the same, and its cost stays known. */
const OTHER = 8;

/**
 * One scene that can be drawn accelerated and by plain three. For the latter a second scene has the same objects as
 * children, without their knowing: it has no gate.
 */
export class BothWays {
  readonly scene = new Scene();
  readonly costs: Readonly<Record<Mode, Cost>> = {
    index: { time: new Meter(), calls: 0 },
    three: { time: new Meter(), calls: 0 },
  };
  /** Milliseconds that `accelerate` took. */
  made = 0;
  readonly #plain = new Scene();
  #index: SceneIndex | null = null;
  #options = '';
  #frame = 0;

  constructor() {
    this.#plain.children = this.scene.children;
  }

  /** Number of objects, groups included. */
  get followed(): number {
    return this.#index?.stats().tracked ?? 0;
  }

  set fog(fog: Scene['fog']) {
    this.scene.fog = fog;
    this.#plain.fog = fog;
  }

  /** Accelerates the scene. All but `moving` is at rest. */
  open(settings: Settings, moving: readonly unknown[]): void {
    const start = performance.now();
    this.#index = accelerate(this.scene, { index: createIndex(settings.structure, indexOptions(settings)) });
    this.made = performance.now() - start;
    for (const object of this.scene.children) if (!moving.includes(object)) this.#index.setStatic(object);
    this.#options = optionsOf(settings);
    this.forget();
  }

  /** Lets go of the scene, which is to be changed. */
  close(): void {
    this.#index?.dispose();
    this.#index = null;
  }

  /** Draws a frame, in the way of the settings as a rule. */
  draw(settings: Settings, draw: (scene: Scene) => number): void {
    if (optionsOf(settings) !== this.#options) {
      this.#index?.setIndex(createIndex(settings.structure, indexOptions(settings)));
      this.#options = optionsOf(settings);
      this.forget();
    }
    const { mode } = settings;
    const other = mode === 'index' ? 'three' : 'index';
    const isUnknown = this.costs[other].time.isEmpty;
    const isOthersTurn = ++this.#frame % OTHER === 0;
    if (isUnknown || isOthersTurn) this.#drawBy(other, draw);
    if (isUnknown || !isOthersTurn) this.#drawBy(mode, draw);
  }

  /** The costs are about to be others. */
  forget(): void {
    for (const cost of Object.values(this.costs)) {
      cost.time.reset();
      cost.calls = 0;
    }
  }

  #drawBy(mode: Mode, draw: (scene: Scene) => number): void {
    const cost = this.costs[mode];
    const scene = mode === 'index' ? this.scene : this.#plain;
    cost.calls = cost.time.time(() => draw(scene));
  }
}

function optionsOf(settings: Settings): string {
  return JSON.stringify([settings.structure, indexOptions(settings)]);
}
