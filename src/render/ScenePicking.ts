import { type Intersection, type Object3D, Raycaster, type Scene } from 'three';
import type { Picker } from '../scene/ask/Picker.js';
import type { SceneFollower } from '../scene/follow/SceneFollower.js';
import { compareVisits } from '../scene/follow/WalkOrder.js';
import { filteredRaycasts, replaceMethod } from '../scene/objects/methods.js';
import type { Flags } from '../scene/objects/ObjectRecord.js';

/**
 * Answers raycasters that come to an accelerated scene: its own `raycast` finds all hits below the scene by the index
 * and returns `false`, so three does not descend.
 */
export class ScenePicking {
  readonly #follower: SceneFollower;
  readonly #picker: Picker;

  constructor(follower: SceneFollower, picker: Picker) {
    this.#follower = follower;
    this.#picker = picker;
  }

  /** @param undo Collects the step that restores the scene. */
  install(scene: Scene, undo: (step: () => void) => void): void {
    const own = Object.hasOwn(scene, 'raycast') ? scene.raycast : null;
    const { records } = this.#follower.hierarchy;
    const pick = (raycaster: Raycaster, hits: Intersection[]): void => this.pick(raycaster, hits);
    const raycast = function (this: Object3D, raycaster: Raycaster, hits: Intersection[]): unknown {
      const result: unknown = (own ?? Object.getPrototypeOf(this).raycast).call(this, raycaster, hits);
      // The index may have been told to leave its own root out. And three casts twice at a scene that is a level of a LOD:
      // through the LOD, and by descending.
      if (result === false || !records.has(scene) || (scene.parent as Flags | null)?.isLOD) return result;
      if (isShallow) return result;
      pick(raycaster, hits);
      return false;
    };
    filteredRaycasts.set(raycast, own);
    undo(replaceMethod(scene, 'raycast', raycast as Scene['raycast']));
    undo(watchCasts());
  }

  /** Adds all hits below the scene, including those at objects the index does not follow. */
  pick(raycaster: Raycaster, hits: Intersection[]): void {
    this.#follower.processForCast();
    const { root, excluded } = this.#follower.hierarchy;
    if (excluded.size === 0) {
      this.#below(root, raycaster, hits);
      return;
    }
    const found: Intersection[] = [];
    this.#below(root, raycaster, found);
    for (const object of excluded) if (!this.#isInLod(object)) raycaster.intersectObject(object, true, found);
    this.#sort(found);
    for (const hit of found) hits.push(hit);
  }

  /** Adds all hits below the root; only the nearest for a raycaster with three-mesh-bvh's `firstHitOnly`. */
  #below(root: Object3D, raycaster: Raycaster, out: Intersection[]): void {
    if ((raycaster as { firstHitOnly?: boolean }).firstHitOnly === true) {
      const hit = this.#picker.first(raycaster, root);
      if (hit !== null) out.push(hit);
    } else this.#picker.below(root, raycaster, out);
  }

  /** True for an object in a LOD, which casts at its levels itself. */
  #isInLod(object: Object3D): boolean {
    const above = this.#follower.hierarchy.records.get(object.parent as Object3D);
    return Boolean((above?.aggregate?.object as Flags | undefined)?.isLOD);
  }

  /** Sorts by distance, and hits at the same distance as three visits their objects. */
  #sort(found: Intersection[]): void {
    const { records } = this.#follower.hierarchy;
    const visitedAs = (object: Object3D): Object3D => {
      let above: Object3D | null = object;
      while (above !== null && !records.has(above)) above = above.parent;
      const aggregate = above === null ? null : (records.get(above)?.aggregate?.object ?? null);
      return (aggregate as Flags | null)?.isLOD ? (aggregate as Object3D) : object;
    };
    found.sort((a, b) => a.distance - b.distance || compareVisits(records, visitedAs(a.object), visitedAs(b.object)));
  }
}

/** The cast in progress does not descend; three does not tell `raycast` whether it does. */
let isShallow = false;
/** Accelerated scenes that have to know. */
let watchers = 0;
let unwatch = (): void => {};

/**
 * Replaces the two methods of three's Raycaster by ones that remember whether their cast descends. Casts by a raycaster
 * of another copy of three count as descending.
 * @returns what ends this.
 */
function watchCasts(): () => void {
  if (watchers++ === 0) {
    const ends = [noteDepth('intersectObject'), noteDepth('intersectObjects')];
    unwatch = () => {
      for (const end of ends) end();
    };
  }
  return () => {
    if (--watchers === 0) unwatch();
  };
}

type Cast = (this: Raycaster, target: never, isDeep?: boolean, hits?: Intersection[]) => Intersection[];

function noteDepth(name: 'intersectObject' | 'intersectObjects'): () => void {
  const { prototype } = Raycaster;
  const cast = prototype[name] as Cast;
  const noted: Cast = function (target, isDeep = true, hits) {
    const around = isShallow;
    isShallow = !isDeep;
    try {
      return cast.call(this, target, isDeep, hits);
    } finally {
      isShallow = around;
    }
  };
  return replaceMethod(prototype, name, noted as never);
}
