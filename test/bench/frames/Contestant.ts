import type { Scene, WebGLRenderer } from 'three';
import { type AccelerateOptions, accelerate } from '../../../src/index.js';
import { type Frame, makeScene } from './scenes.js';

/** How a scene is accelerated in each mode; plain three is another. */
export const OPTIONS: { accelerated: AccelerateOptions; batch: AccelerateOptions } = {
  accelerated: {},
  batch: { batch: true },
};
export type Mode = 'plain' | keyof typeof OPTIONS;

/** Milliseconds between frames that are run slowly. */
const PAUSE = 4;

/** What frames drew, on average. */
export interface Drawn {
  calls: number;
  triangles: number;
}

/** A scene in one mode, accelerated when its first frame is run. */
export class Contestant {
  readonly #renderer: WebGLRenderer;
  readonly #frame: Frame;
  #start: () => void;
  #frames = 0;

  constructor(renderer: WebGLRenderer, frame: Frame, start: () => void = () => {}) {
    renderer.info.autoReset = false;
    this.#renderer = renderer;
    this.#frame = frame;
    this.#start = start;
  }

  static of(name: string, count: number, mode: Mode, renderer: WebGLRenderer): Contestant {
    const { scene, frame } = makeScene(name, count, renderer);
    return new Contestant(renderer, frame, () => start(scene, mode));
  }

  /** @param isPaced Whether time passes between frames, as on a page, in which code is compiled and chunks load. */
  async run(frames: number, isPaced: boolean): Promise<Drawn> {
    const { info } = this.#renderer;
    info.reset();
    this.#start();
    this.#start = () => {};
    for (let i = 0; i < frames; i++) {
      this.#frame(this.#frames++);
      if (isPaced) await new Promise((done) => setTimeout(done, PAUSE));
    }
    return { calls: info.render.calls / frames, triangles: info.render.triangles / frames };
  }
}

function start(scene: Scene, mode: Mode): void {
  if (mode !== 'plain') accelerate(scene, OPTIONS[mode]);
}
