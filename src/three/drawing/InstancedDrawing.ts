import { type InstancedMesh, REVISION, type Scene } from 'three';
import { IdList } from '../../core/lists/IdList.js';
import { Refusals } from '../cameras/Refusals.js';
import type { IndexedInstances } from '../instances/IndexedInstances.js';
import { carryPlanes } from '../instances/localFrusta.js';
import { StandIn } from './StandIn.js';
import { whyMaterial } from './whyAllDrawn.js';

/** From this share of all instances on it costs more to copy those that are seen than to draw those that are not. */
const MOST = 0.5;
/** Passes that use nothing made for a view before it is freed. */
const PATIENCE = 2000;
/** The first revision whose `WebGPURenderer` asks each object for its instances. */
const REFERENCED = 187;

/** A renderer, as far as it is asked here. */
export interface PassRenderer {
  readonly isWebGLRenderer?: boolean;
  getMRT?(): { has(name: string): boolean } | null;
}

/** A pass of a renderer. */
export interface RenderPass {
  readonly renderer: PassRenderer;
  /** Number of renders that it lies in, its own among them, and of the pass in that one. */
  readonly depth: number;
  readonly place: number;
  /** The planes of each view, in the world. */
  readonly views: readonly Float64Array[];
  readonly scene: Scene;
}

/** What one pass of each render has been given. */
interface View {
  readonly refusals: Refusals;
  readonly seen: IdList;
  standIn: StandIn | null;
  usedIn: number;
}

/** Finds what each pass is to draw in place of an `InstancedMesh`, so that it draws the instances that it sees. */
export class InstancedDrawing {
  readonly #mesh: InstancedMesh;
  /** The index of the instances, up to date; null where all are to be drawn. */
  readonly #ask: () => IndexedInstances | null;
  /** By depth and place, for each renderer: what one has uploaded another has not. */
  readonly #views = new WeakMap<PassRenderer, Map<number, View>>();
  readonly #used = new Set<View>();
  #passes = 0;

  constructor(mesh: InstancedMesh, ask: () => IndexedInstances | null) {
    this.#mesh = mesh;
    this.#ask = ask;
    mesh.addEventListener('dispose', this.#free);
  }

  /** The mesh itself, or what a pass is to draw in its place. */
  objectFor(pass: RenderPass): InstancedMesh {
    const mesh = this.#mesh;
    if (!canPack(mesh, pass)) return mesh;
    const view = this.#viewOf(pass);
    if (view.refusals.isLikely()) return mesh;
    const instances = this.#ask();
    if (instances === null) return mesh;
    const planes = pass.views.map((world) => carryPlanes(world, mesh.matrixWorld, instances.table.farthest));
    instances.seeAny(planes, view.seen);
    const isMuch = view.seen.length > MOST * instances.size;
    view.refusals.note(isMuch);
    return isMuch ? mesh : this.#show(view);
  }

  /** Has renderers free all that was made for them. */
  dispose(): void {
    this.#mesh.removeEventListener('dispose', this.#free);
    this.#free();
  }

  readonly #free = (): void => {
    for (const view of this.#used) this.#forget(view);
  };

  /** What stands for the mesh, with the instances that were seen. */
  #show(view: View): InstancedMesh {
    const { length } = view.seen;
    if (!view.standIn?.fits(length)) {
      view.standIn?.dispose();
      view.standIn = new StandIn(this.#mesh, view.seen, Math.min(2 * length, this.#mesh.instanceMatrix.count));
      this.#used.add(view);
    }
    view.usedIn = this.#passes;
    return view.standIn.object;
  }

  #viewOf({ renderer, depth, place }: RenderPass): View {
    if (++this.#passes % PATIENCE === 0) this.#freeUnused();
    let views = this.#views.get(renderer);
    if (views === undefined) {
      views = new Map();
      this.#views.set(renderer, views);
    }
    const key = place * 1024 + depth;
    let view = views.get(key);
    if (view === undefined) {
      view = { refusals: new Refusals(), seen: new IdList(), standIn: null, usedIn: 0 };
      views.set(key, view);
    }
    return view;
  }

  #freeUnused(): void {
    for (const view of this.#used) if (this.#passes - view.usedIn >= PATIENCE) this.#forget(view);
  }

  #forget(view: View): void {
    view.standIn?.dispose();
    view.standIn = null;
    this.#used.delete(view);
  }
}

/** True for a pass that draws nothing of an instance but where it is. */
function canPack(mesh: InstancedMesh, { renderer, scene: { overrideMaterial } }: RenderPass): boolean {
  if (renderer.isWebGLRenderer !== true) {
    // It tells by the number of instances at first whether they have weights of their own.
    if (mesh.morphTexture !== null) return false;
    if (Number.parseInt(REVISION, 10) < REFERENCED) return false;
    // It would compare each instance with what lay in the same row in the last frame.
    if (renderer.getMRT?.()?.has('velocity') === true) return false;
  }
  if (overrideMaterial === null) return true;
  // That of shadows takes on what it needs of the material of each object.
  return (
    (overrideMaterial as { isShadowPassMaterial?: boolean }).isShadowPassMaterial ||
    whyMaterial(overrideMaterial) === null
  );
}
