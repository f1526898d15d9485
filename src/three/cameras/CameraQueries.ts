import type { Camera, Object3D, Vector2 } from 'three';
import { inWords } from '../../core/inWords.js';
import type { Entries } from '../entries/Entries.js';
import type { Traits } from '../follow/Traits.js';
import { checkCamera, checkList } from '../objects/checks.js';
import { screenPlanes } from './cameraPlanes.js';
import { Visibility } from './Visibility.js';

/** What `classify` fills. Arrays are overwritten. */
export interface Classification {
  /** Objects whose bounds lie in the frustum as a whole. */
  inside: Object3D[];
  /** Objects whose bounds the border of the frustum cuts, and those outside that have `frustumCulled` false. */
  intersecting: Object3D[];
  /** All others that have bounds: out of view, hidden, or on other layers. Costs time for each; leave it out if you can. */
  culled?: Object3D[];
}

/** How much of an object's bounds a rectangle on the screen must hold: all, or any part. */
export type ScreenMode = 'contain' | 'intersect';

/** Queries by camera: what its frustum meets, less what is hidden or on other layers. See `SceneIndex`. */
export class CameraQueries {
  readonly #entries: Entries;
  readonly #traits: Traits;
  /** Those that no query is using: getters of objects may query in the midst of a query. */
  readonly #idle: Visibility[] = [];
  readonly #planes = new Float64Array(24);

  constructor(entries: Entries, traits: Traits) {
    this.#entries = entries;
    this.#traits = traits;
  }

  cull(camera: Camera, out: Object3D[]): Object3D[] {
    checkCamera(camera, 'SceneIndex.cull');
    checkList(out, 'SceneIndex.cull.out');
    return this.see(camera, out);
  }

  /** As {@link cull}, of arguments that were checked before. */
  see(camera: Camera, out: Object3D[]): Object3D[] {
    const { index, byId } = this.#entries;
    const { neverCulled } = this.#traits;
    const visibility = this.#begin();
    visibility.cull(index, camera, neverCulled);
    visibility.take(visibility.intersecting, byId);
    let n = visibility.show(0, visibility.intersecting.length, camera, out);
    // Objects without bounds have no id.
    for (const record of neverCulled) if (record.id < 0 && visibility.isShown(record, camera)) out[n++] = record.object;
    out.length = n;
    this.#end(visibility);
    return out;
  }

  classify(camera: Camera, target: Classification): void {
    checkCamera(camera, 'SceneIndex.classify');
    const inside = target?.inside;
    const intersecting = target?.intersecting;
    const culled = target?.culled;
    checkList(inside, 'SceneIndex.classify.inside');
    checkList(intersecting, 'SceneIndex.classify.intersecting');
    if (culled !== undefined) checkList(culled, 'SceneIndex.classify.culled');
    const entries = this.#entries;
    const visibility = this.#begin();
    visibility.classify(entries.index, camera, this.#traits.neverCulled);
    visibility.take(visibility.inside, entries.byId);
    visibility.take(visibility.intersecting, entries.byId);
    const border = visibility.inside.length;
    inside.length = visibility.show(0, border, camera, inside);
    intersecting.length = visibility.show(border, border + visibility.intersecting.length, camera, intersecting);
    if (culled !== undefined) {
      const round = visibility.mark();
      let n = 0;
      for (const record of entries.byId) if (record && record.seenIn !== round) culled[n++] = record.object;
      culled.length = n;
    }
    this.#end(visibility);
  }

  queryScreen(camera: Camera, from: Vector2, to: Vector2, mode: ScreenMode, out: Object3D[]): Object3D[] {
    checkCamera(camera, 'SceneIndex.queryScreen');
    checkCorner(from, 'SceneIndex.queryScreen.from');
    checkCorner(to, 'SceneIndex.queryScreen.to');
    checkList(out, 'SceneIndex.queryScreen.out');
    if (mode !== 'contain' && mode !== 'intersect') {
      throw new RangeError(`SceneIndex.queryScreen.mode: must be contain or intersect, got ${inWords(mode)}`);
    }
    const { index, byId } = this.#entries;
    const visibility = this.#begin();
    const { inside, intersecting } = visibility;
    const planes = screenPlanes(camera, from, to, this.#planes);
    if (mode === 'contain') index.classify(planes, inside, intersecting);
    else index.queryPlanes(planes, inside);
    visibility.take(inside, byId);
    out.length = visibility.show(0, inside.length, camera, out);
    this.#end(visibility);
    return out;
  }

  #begin(): Visibility {
    const visibility = this.#idle.pop() ?? new Visibility();
    visibility.begin();
    return visibility;
  }

  /** Not called when a query throws: its `Visibility` is not used again. */
  #end(visibility: Visibility): void {
    visibility.release();
    this.#idle.push(visibility);
  }
}

function checkCorner(corner: Vector2, where: string): void {
  if (corner?.isVector2 !== true) throw new TypeError(`${where}: must be a Vector2, got ${inWords(corner)}`);
  const { x, y } = corner;
  if (!Number.isFinite(x) || !Number.isFinite(y))
    throw new RangeError(`${where}: must be finite, got ${inWords(x)} ${inWords(y)}`);
}
