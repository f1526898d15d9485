import type { Camera, Object3D } from 'three';
import type { Entries } from '../entries/Entries.js';
import type { Traits } from '../follow/Traits.js';
import { checkCamera, checkList } from '../objects/checks.js';
import { Visibility } from './Visibility.js';

/** Queries by camera: what its frustum meets, less what is hidden or on other layers. See `SceneIndex`. */
export class CameraQueries {
  readonly #entries: Entries;
  readonly #traits: Traits;
  /** Those that no query is using: getters of objects may query in the midst of a query. */
  readonly #idle: Visibility[] = [];

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
    for (const { id, object, parent } of neverCulled) {
      if (id < 0 && visibility.isShown(object, parent, camera)) out[n++] = object;
    }
    out.length = n;
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
