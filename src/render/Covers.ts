import type { ArrayCamera, Camera, LOD, Object3D } from 'three';
import { IdList } from '../core/IdList.js';
import type { Flags, ObjectRecord } from '../scene/objects/ObjectRecord.js';
import type { SceneParts } from '../scene/SceneParts.js';
import { coverPlanes, type Seen, seeBox, seeNothing } from './coverPlanes.js';

/** With more of them, what may cover any is asked for at once. */
const MANY = 16;

/** Finds what can cover the selected objects of outlines on the screen. */
export class Covers {
  readonly #parts: SceneParts;
  readonly #ids = new IdList();
  readonly #box = new Float64Array(6);

  constructor(parts: SceneParts) {
    this.#parts = parts;
  }

  /** Regions that hold the selected and all that can cover them; null when these may be anywhere. */
  regionsOf(
    selected: readonly Object3D[],
    camera: Camera,
    size: { readonly width: number; readonly height: number },
    hasDepth: boolean,
  ): Float64Array[] | null {
    if ((camera as ArrayCamera).isArrayCamera) return null;
    const entries = this.#entriesOf(selected);
    if (entries === null) return null;
    const regions: Float64Array[] = [];
    let seen = seeNothing();
    const end = (): void => {
      // What is not on the screen has no outline there.
      if (isOnScreen(seen)) regions.push(coverPlanes(camera, seen, size, hasDepth));
      seen = seeNothing();
    };
    for (const { id } of entries) {
      this.#parts.entries.measured.getBox(id, this.#box);
      seeBox(camera, this.#box, seen);
      if (entries.size <= MANY) end();
    }
    end();
    return regions;
  }

  /** The LODs that renderers bring up to date. */
  levels(): Object3D[] {
    return [...this.#parts.follower.traits.levels].map(({ object }) => object).filter((lod) => (lod as LOD).autoUpdate);
  }

  /** All objects that a pass with these regions may meet, and those above the selected. */
  objectsIn(regions: readonly Float64Array[], selected: readonly Object3D[]): Set<Object3D> {
    const { entries, follower } = this.#parts;
    const found = new Set<Object3D>();
    const addAll = (object: Object3D): void => object.traverse((below) => found.add(below));
    for (const planes of regions) {
      entries.measured.queryPlanes(planes, this.#ids);
      for (let i = 0; i < this.#ids.length; i++) addAll(entries.byId.objects[this.#ids.ids[i]] as Object3D);
    }
    const { neverCulled, alwaysVisited } = follower.traits;
    for (const records of [neverCulled, alwaysVisited, entries.pending.keys(), entries.quarantined]) {
      for (const { object } of records) addAll(object);
    }
    for (const object of follower.hierarchy.excluded) addAll(object);
    for (const object of selected) {
      addAll(object);
      object.traverseAncestors((above) => found.add(above));
    }
    return found;
  }

  /** The entries of all that is drawn of the selected; null if one has no bounds to go by. */
  #entriesOf(selected: readonly Object3D[]): Set<ObjectRecord> | null {
    const { entries, follower } = this.#parts;
    follower.processEarly();
    const found = new Set<ObjectRecord>();
    let isKnown = true;
    const look = (object: Object3D & Flags): void => {
      if (!object.isMesh && !object.isSprite) return;
      const entry = follower.hierarchy.records.get(object)?.aggregate;
      if (!entry || entry.id < 0 || entries.pending.has(entry) || follower.traits.neverCulled.has(entry))
        isKnown = false;
      else found.add(entry);
    };
    for (const object of selected) object.traverse(look);
    return isKnown ? found : null;
  }
}

function isOnScreen({ min, max }: Seen): boolean {
  return min[0] <= max[0] && min[1] <= max[1];
}
