import type { PerspectiveCamera, Scene } from 'three';
import { type AcceleratedScene, accelerate } from '../../../src/index.js';
import { CanvasStandIn, drawn, loadOcclusion } from '../occlusion.js';
import { PICTURE } from './occlude.js';
import { tryOcclusion } from './tryOcclusion.js';
import { sceneOf, WorldTruth } from './WorldTruth.js';
import type { World } from './worlds.js';

/** What a picture leaves out of a view, next to the truth. */
export interface CulledView {
  readonly inView: number;
  readonly seen: number;
  readonly kept: number;
  /** Those that are left out, though a sample shows them. */
  readonly wrong: number[];
}

/** Draws a whole world without what is hidden, and asks item buffers. */
export class WorldCull {
  readonly truth: WorldTruth;
  readonly #scene: Scene;
  readonly #index: AcceleratedScene;
  readonly #renderer = new CanvasStandIn();

  private constructor(world: World) {
    this.truth = new WorldTruth(world);
    this.#scene = sceneOf(world);
    this.#index = accelerate(this.#scene, { occlusion: true });
    this.#renderer.width = PICTURE.viewportWidth;
    this.#renderer.height = PICTURE.viewportHeight;
  }

  static async create(world: World): Promise<WorldCull> {
    await loadOcclusion();
    return new WorldCull(world);
  }

  look(camera: PerspectiveCamera): CulledView {
    const rest = tryOcclusion();
    const kept = new Set(drawn(this.#scene, camera, this.#renderer).map(({ name }) => Number(name)));
    rest();
    const all = this.#index.cull(camera).map(({ name }) => Number(name));
    const seen = this.truth.seen(camera, all, (id) => !kept.has(id));
    return {
      inView: all.length,
      seen: seen.reduce((sum, one) => sum + one, 0),
      kept: kept.size,
      wrong: all.filter((id) => seen[id] === 1 && !kept.has(id)),
    };
  }
}
