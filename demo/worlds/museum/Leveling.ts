import type { InstancedMesh, Mesh, Object3D, Scene } from 'three';
import { type AcceleratedScene, accelerate, explain } from '../../../src/index.js';
import { forEachMode } from '../../measure/DrawCosts.js';
import { GpuTimer } from '../../measure/GpuTimer.js';
import { Meter } from '../../measure/Meter.js';
import { plainCull } from '../../measure/plainCull.js';
import type { MuseumValues } from '../../state/controls/worldControls.js';
import type { Mode } from '../../state/Settings.js';
import type { PlayerFrame } from '../contract/World.js';

/** How much is drawn of a scan: all of it (0), one of the first two levels, of the next two, or a coarser one. */
const COARSER = 3;
/** Meshes asked about in a frame: an explanation takes some 50 µs. */
const ASKED = 12;

/** Words about a mesh that will get levels: it waits for them, for a batch, or is too large for those that it has. */
const WAITING = /yet to be made|joins in the next frame|has loaded|drawn with all/;

/** A mesh as last seen: whether its levels are there, and how much is drawn of it. */
interface Known {
  readonly levels: 'made' | 'waiting' | 'none';
  readonly share: number;
}

/** Draws the player's view in batches, with levels of detail or without, or by plain three. */
export class Leveling {
  /** Triangles of the last picture in each way. */
  readonly triangles: Record<Mode, number | null> = forEachMode(() => null);
  /** What pictures cost the GPU in each way, as far as it was in use. */
  readonly gpu: Readonly<Record<Mode, Meter>> = forEachMode(() => new Meter());
  readonly gpuTimer = new GpuTimer();
  /** The scans in view, by how much was drawn of them. */
  readonly shown: readonly Mesh[][] = Array.from({ length: COARSER + 1 }, () => []);
  readonly #values: MuseumValues;
  readonly #scans: ReadonlySet<Mesh>;
  readonly #land: Mesh;
  index: AcceleratedScene | null = null;
  /** Whether the index draws by levels, which a new one does. */
  #isOn = true;
  #last: PlayerFrame | null = null;
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
  draw({ scene, renderer, mode }: PlayerFrame, draw: (update?: () => void) => number): number {
    const timed = (update?: () => void): number => this.gpuTimer.time(renderer, this.gpu[mode], () => draw(update));
    const calls = mode === 'three' ? timed() : this.#drawBatched(scene, mode === 'levels', timed);
    this.triangles[mode] = renderer.info.render.triangles;
    return calls;
  }

  /** Counts what is in view, and finds out by which levels some of the meshes were drawn: others in the next frames. */
  sort(frame: PlayerFrame): void {
    const { camera, result, mode } = frame;
    this.#last = frame;
    for (const list of this.shown) list.length = 0;
    const isByLevels = mode === 'levels';
    for (let n = isByLevels ? Math.min(ASKED, this.#meshes.length) : 0; n > 0; n--) {
      const mesh = this.#meshes[this.#asked++ % this.#meshes.length]!;
      this.#known.set(mesh, this.#ask(mesh, camera));
    }
    for (const mesh of result.visible as Mesh[]) {
      if (this.#scans.has(mesh)) this.shown[(isByLevels && this.#known.get(mesh)?.share) || 0]!.push(mesh);
    }
  }

  /** Triangles that plain three draws from where the last frame was seen; null before the first. */
  get plainTriangles(): number | null {
    if (this.#last === null) return null;
    const visible: Object3D[] = [];
    plainCull(this.#last.scene, this.#last.camera, visible);
    return visible.reduce((sum, object) => sum + trianglesOf(object), 0);
  }

  dispose(): void {
    this.index?.dispose();
    this.index = null;
    this.#isOn = true;
  }

  #drawBatched(scene: Scene, isByLevels: boolean, draw: (update: () => void) => number): number {
    this.index ??= accelerate(scene, { batch: true, levels: true });
    const index = this.index;
    index.maxError = this.#values.maxError;
    if (isByLevels !== this.#isOn) index.levels(scene, isByLevels);
    this.#isOn = isByLevels;
    return draw(() => index.update());
  }

  #ask(mesh: Mesh, camera: PlayerFrame['camera']): Known {
    const text = this.index === null ? '' : explain(this.index, mesh, camera).join();
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

function trianglesOf(object: Object3D): number {
  const { isMesh, geometry, count = 1 } = object as Mesh & Partial<InstancedMesh>;
  return isMesh ? (count * (geometry.index ?? geometry.attributes.position!).count) / 3 : 0;
}
