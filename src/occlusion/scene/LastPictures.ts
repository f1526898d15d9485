import type { Camera, Object3D } from 'three';
import { BOX } from '../../core/box.js';
import type { IdList } from '../../core/ids.js';
import type { OcclusionPicture, OcclusionReport } from '../../passes/OcclusionReport.js';
import type { Entries } from '../../scene/follow/Entries.js';
import type { SceneFollower } from '../../scene/follow/SceneFollower.js';
import { whyNeverHidden } from './rules.js';
import { hidersIn, type View, type ViewBuffer, worldOf } from './View.js';

interface Sources {
  readonly entries: Entries;
  readonly follower: SceneFollower;
  readonly lastViews: WeakMap<Camera, View>;
  readonly buffer: ViewBuffer;
  /** False for what `index.occlude` excepts. */
  isAllowed(object: Object3D): boolean;
}

/** Tells what was found for the last pictures of cameras. */
export class LastPictures implements OcclusionReport {
  readonly #sources: Sources;
  readonly #box = new Float64Array(BOX);

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  hidersOf(object: Object3D, camera: Camera): Object3D[] {
    const view = this.#sources.lastViews.get(camera);
    const record = this.#sources.follower.hierarchy.records.get(object)?.aggregate ?? null;
    if (view === undefined || record === null || record.id < 0 || !has(view.hidden, record.id)) return [];
    return hidersIn(view, this.#sources.entries.measured.getBox(record.id, this.#box)).map(
      ({ record: hider }) => hider.object,
    );
  }

  whyNeverHidden(object: Object3D): string | null {
    return this.#sources.isAllowed(object) ? whyNeverHidden(object) : 'index.occlude left it out';
  }

  whyNothing(camera: Camera): string | null {
    return this.#sources.lastViews.get(camera)?.whyNothing ?? null;
  }

  bufferOf(camera: Camera): OcclusionPicture | null {
    const view = this.#sources.lastViews.get(camera);
    const buffer = view?.isFound ? this.#sources.buffer.with(view) : null;
    if (!view || buffer === null) return null;
    const { width, height, near } = buffer;
    const occluders = view.drawn.map((one) => ({ object: one.record.object, world: worldOf(one) }));
    return { width, height, near, occluders, hidden: this.#boxesOf(view.hidden) };
  }

  /** The bounds of what was left out of a picture and has not gone since. */
  #boxesOf({ ids, length }: IdList): Float64Array {
    const { measured, byId } = this.#sources.entries;
    const boxes = new Float64Array(BOX * length);
    let count = 0;
    for (let i = 0; i < length; i++) {
      if (byId.records[ids[i]]) boxes.set(measured.getBox(ids[i], this.#box), BOX * count++);
    }
    return boxes.subarray(0, BOX * count);
  }
}

function has({ ids, length }: IdList, id: number): boolean {
  return ids.subarray(0, length).includes(id);
}
