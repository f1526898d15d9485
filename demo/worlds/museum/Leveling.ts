import type { InstancedMesh, Mesh, Scene } from 'three';
import { type AcceleratedScene, accelerate, explain } from '../../../src/index.js';
import { Meter } from '../../measure/Meter.js';
import type { MuseumValues } from '../../state/controls/worldControls.js';
import type { PlayerFrame } from '../contract/World.js';

/** How much is drawn of a scan: all of it (0), one of the first two levels, of the next two, or a coarser one. */
const COARSER = 3;
/** Meshes asked about in a frame: an explanation takes some 50 µs. */
const ASKED = 12;

/** Words about a mesh that will get levels: it waits for them, for a batch, or is too large for those that it has. */
const WAITING = /yet to be made|joins in the next frame|has loaded|drawn with all/;

/** Times with levels of detail, or without. */
interface Cost {
  /** Milliseconds from a picture to the next, and in the calls that draw it. */
  readonly frame: Meter;
  readonly cpu: Meter;
}

/** A mesh as last seen: whether its levels are there, and how much is drawn of it. */
interface Known {
  readonly levels: 'made' | 'waiting' | 'none';
  readonly share: number;
}

/** Draws the player's view in batches, with levels of detail or without. */
export class Leveling {
  readonly costs: Readonly<Record<'on' | 'off', Cost>> = { on: newCost(), off: newCost() };
  /** Triangles of the last picture, and those that plain three would draw. */
  readonly triangles: { drawn: number; all: number } = { drawn: 0, all: 0 };
  /** The scans in view, by how much was drawn of them. */
  readonly shown: readonly Mesh[][] = Array.from({ length: COARSER + 1 }, () => []);
  readonly #values: MuseumValues;
  readonly #scans: ReadonlySet<Mesh>;
  readonly #land: Mesh;
  #index: AcceleratedScene | null = null;
  /** Whether the index draws by levels, which a new one does. */
  #isOn = true;
  #last = 0;
  /** Meshes with many triangles, in which levels may be worth it. */
  #meshes: readonly Mesh[] = [];
  /** The last answers, mesh by mesh, and how often was asked. */
  readonly #known = new Map<Mesh, Known>();
  #asked = 0;

  constructor(values: MuseumValues, scans: readonly Mesh[], land: Mesh) {
    this.#values = values;
    this.#scans = new Set(scans);
    this.#land = land;
  }

  /** The meshes whose levels are told of. */
  set meshes(meshes: readonly Mesh[]) {
    this.#meshes = meshes;
    this.#known.clear();
  }

  /** How many meshes have levels, and for how many they have yet to be made. */
  get made(): { made: number; waiting: number } {
    const counts = { made: 0, waiting: 0, none: 0 };
    for (const { levels } of this.#known.values()) counts[levels]++;
    return counts;
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

  /** Counts what is in view, and finds out by which levels some of the meshes were drawn: others in the next frames. */
  sort({ camera, result }: PlayerFrame): void {
    this.triangles.all = 0;
    for (const list of this.shown) list.length = 0;
    for (let n = Math.min(ASKED, this.#meshes.length); n > 0; n--) {
      const mesh = this.#meshes[this.#asked++ % this.#meshes.length]!;
      this.#known.set(mesh, this.#ask(mesh, camera));
    }
    for (const mesh of result.visible as (Mesh | InstancedMesh)[]) {
      const { index } = mesh.geometry;
      this.triangles.all += ((index?.count ?? 0) / 3) * ('isInstancedMesh' in mesh ? mesh.count : 1);
      if (this.#scans.has(mesh)) this.shown[this.#known.get(mesh)?.share ?? 0]!.push(mesh);
    }
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

  #ask(mesh: Mesh, camera: PlayerFrame['camera']): Known {
    const text = this.#index === null ? '' : explain(this.#index, mesh, camera).join();
    const level = Number(/by number (\d+)/.exec(text)?.[1] ?? 0);
    return {
      levels: this.#areMade(mesh, text) ? 'made' : mesh.visible && WAITING.test(text) ? 'waiting' : 'none',
      share: Math.min(COARSER, Math.ceil(level / 2)),
    };
  }

  #areMade(mesh: Mesh, text: string): boolean {
    const hasSome = /\d+ levels? of detail/.test(text);
    if (mesh !== this.#land) return hasSome;
    // A walker never sees all of the land: it is drawn in cells, which are asked for when its levels are there.
    const isSeen = /in \d+ cells|by number/.test(text);
    return hasSome && (isSeen || this.#known.get(mesh)?.levels === 'made');
  }
}

function newCost(): Cost {
  return { frame: new Meter(), cpu: new Meter() };
}
