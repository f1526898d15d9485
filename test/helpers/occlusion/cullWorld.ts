import type { PerspectiveCamera } from 'three';
import { loadOcclusion, SceneIndex } from '../../../src/index.js';
import { CanvasStandIn } from '../occlusion.js';
import { PICTURE } from './occlude.js';
import { sceneOf, WorldTruth } from './WorldTruth.js';
import type { World } from './worlds.js';

/** What `index.cull` makes of a view, next to the truth. */
export interface CulledView {
  readonly inView: number;
  readonly seen: number;
  readonly kept: number;
  /** Those that are left out, though a sample shows them. */
  readonly wrong: number[];
}

/** Asks an index of a whole world, as whoever draws by himself does, and item buffers. */
export class WorldCull {
  readonly truth: WorldTruth;
  readonly #index: SceneIndex;
  readonly #renderer = new CanvasStandIn();

  private constructor(world: World) {
    this.truth = new WorldTruth(world);
    this.#index = new SceneIndex(sceneOf(world));
  }

  static async create(world: World): Promise<WorldCull> {
    await loadOcclusion();
    return new WorldCull(world);
  }

  look(camera: PerspectiveCamera): CulledView {
    const size = { renderer: this.#renderer, width: PICTURE.pictureWidth, height: PICTURE.pictureHeight };
    const all = this.#index.cull(camera).map(({ name }) => Number(name));
    const kept = new Set(this.#index.cull(camera, { occlusion: true, ...size }).map(({ name }) => Number(name)));
    const seen = this.truth.seen(camera, all, (id) => !kept.has(id));
    return {
      inView: all.length,
      seen: seen.reduce((sum, one) => sum + one, 0),
      kept: kept.size,
      wrong: all.filter((id) => seen[id] === 1 && !kept.has(id)),
    };
  }
}
