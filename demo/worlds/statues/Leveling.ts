import type { Mesh, Scene } from 'three';
import { type AcceleratedScene, accelerate, explain } from '../../../src/index.js';
import { Meter } from '../../measure/Meter.js';
import type { StatuesValues } from '../../state/controls/worldControls.js';
import type { PlayerFrame } from '../contract/World.js';

/** How much is drawn of a statue: all of it (0), one of the first two levels, of the next two, or a coarser one. */
const COARSER = 3;
/** Statues asked about in a frame: an explanation takes some 50 µs. */
const ASKED = 24;

/** What is measured with levels of detail, and without. */
interface Cost {
  /** Milliseconds from a picture to the next, and in the calls that draw it. */
  readonly frame: Meter;
  readonly cpu: Meter;
}

/** Draws the player's view in batches, with levels of detail or without. */
export class Leveling {
  readonly costs: Readonly<Record<'on' | 'off', Cost>> = { on: newCost(), off: newCost() };
  /** Triangles of the last picture, and those that it would have without levels. */
  readonly triangles: { drawn: number; all: number } = { drawn: 0, all: 0 };
  /** The statues in view, by how much was drawn of them. */
  readonly shown: readonly Mesh[][] = Array.from({ length: COARSER + 1 }, () => []);
  readonly #values: StatuesValues;
  #index: AcceleratedScene | null = null;
  /** Whether the index draws by levels, which a new one does. */
  #isOn = true;
  #last = 0;
  /** What was found out last, statue by statue, and how often was asked. */
  readonly #shares = new WeakMap<Mesh, number>();
  #asked = 0;

  constructor(values: StatuesValues) {
    this.#values = values;
  }

  /** @returns draw calls. */
  draw({ scene, renderer }: PlayerFrame, draw: () => number): number {
    const index = this.#indexOf(scene);
    const { levels } = this.#values;
    if (levels !== this.#isOn) index.levels(scene, levels);
    this.#isOn = levels;
    const cost = this.costs[levels ? 'on' : 'off'];
    const now = performance.now();
    cost.frame.add(now - this.#last);
    this.#last = now;
    const calls = cost.cpu.time(() => {
      index.update();
      return draw();
    });
    this.triangles.drawn = renderer.info.render.triangles;
    return calls;
  }

  /** Counts what is in view, and finds out by which level some of the statues were drawn: others in the next frames. */
  sort({ camera, result }: PlayerFrame): void {
    const meshes = result.visible as Mesh[];
    const statues = meshes.filter(({ userData }) => userData.stone !== undefined);
    this.triangles.all = meshes.reduce((sum, { geometry }) => sum + (geometry.index?.count ?? 0) / 3, 0);
    for (let n = Math.min(ASKED, statues.length); n > 0; n--) {
      const statue = statues[this.#asked++ % statues.length]!;
      this.#shares.set(statue, this.#shareOf(statue, camera));
    }
    for (const list of this.shown) list.length = 0;
    for (const statue of statues) this.shown[this.#shares.get(statue) ?? 0]!.push(statue);
  }

  /** Drops what was measured. */
  reset(): void {
    for (const { frame, cpu } of Object.values(this.costs)) {
      frame.reset();
      cpu.reset();
    }
  }

  dispose(): void {
    this.#index?.dispose();
    this.#index = null;
    this.#isOn = true;
  }

  #indexOf(scene: Scene): AcceleratedScene {
    this.#index ??= accelerate(scene, { batch: true, levels: true });
    this.#index.maxError = this.#values.maxError;
    return this.#index;
  }

  #shareOf(statue: Mesh, camera: PlayerFrame['camera']): number {
    const text = this.#index === null ? '' : explain(this.#index, statue, camera).join();
    const level = Number(/by number (\d+)/.exec(text)?.[1] ?? 0);
    return Math.min(COARSER, Math.ceil(level / 2));
  }
}

function newCost(): Cost {
  return { frame: new Meter(), cpu: new Meter() };
}
