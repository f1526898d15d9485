import { type Intersection, Object3D, Raycaster, type Scene } from 'three';
import type { Picker } from '../scene/ask/Picker.js';
import type { SceneFollower } from '../scene/follow/SceneFollower.js';
import { compareVisits } from '../scene/follow/WalkOrder.js';
import { areMoreThan } from '../scene/objects/areMoreThan.js';
import { filteredRaycasts, replaceMethod } from '../scene/objects/methods.js';
import type { Flags } from '../scene/objects/ObjectRecord.js';
import type { RaycastFilter } from './RaycastFilter.js';

/** So many objects, below another or in a list, are cast at by three: that costs less than a query. */
const FEW = 64;

/**
 * Answers raycasters that come to an accelerated scene: its own `raycast` finds all hits below the scene by the index
 * and returns `false`, so three does not descend. Casts at its groups and at lists of its objects are answered as well.
 */
export class ScenePicking {
  readonly #follower: SceneFollower;
  readonly #picker: Picker;
  readonly #filter: RaycastFilter;

  constructor(follower: SceneFollower, picker: Picker, filter: RaycastFilter) {
    this.#follower = follower;
    this.#picker = picker;
    this.#filter = filter;
  }

  /** @param undo Collects the step that restores the scene. */
  install(scene: Scene, undo: (step: () => void) => void): void {
    const own = Object.hasOwn(scene, 'raycast') ? scene.raycast : null;
    const { records } = this.#follower.hierarchy;
    // A raycaster with three-mesh-bvh's `firstHitOnly` gets the nearest hit of the scene.
    const pick = (raycaster: Raycaster & { firstHitOnly?: boolean }, hits: Intersection[]): void =>
      this.#pick(raycaster, hits, raycaster.firstHitOnly === true);
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
    undo(watchCasts(scene, this));
  }

  /**
   * Adds all hits below the scene, or below a followed object that is nothing by itself and has much below it; false, with
   * none added, where three is to look for them.
   */
  castBelow(top: Object3D, raycaster: Raycaster, hits: Intersection[]): boolean {
    const { records, root, excluded } = this.#follower.hierarchy;
    if (!records.has(root)) return false;
    // With `firstHitOnly` each mesh gives its nearest hit here, as three-mesh-bvh has it.
    if (top === root) {
      this.#pick(raycaster, hits, false);
      return true;
    }
    if (!areMoreThan([top], FEW)) return false;
    this.#follower.processForCast();
    if (excluded.size > 0 || records.get(top)?.aggregate !== null) return false;
    this.#picker.below(top, raycaster, hits);
    return true;
  }

  /** The objects of a list that three is to cast at. */
  mayHit(list: Object3D[], raycaster: Raycaster, isDeep: boolean): Object3D[] {
    this.#follower.processForCast();
    return this.#filter.mayHit(list, raycaster, isDeep);
  }

  /** Adds all hits below the scene, or the nearest alone, including those at objects the index does not follow. */
  #pick(raycaster: Raycaster, hits: Intersection[], isFirst: boolean): void {
    this.#follower.processForCast();
    const { root, excluded } = this.#follower.hierarchy;
    if (excluded.size === 0) {
      this.#below(root, raycaster, hits, isFirst);
      return;
    }
    const found: Intersection[] = [];
    this.#below(root, raycaster, found, isFirst);
    for (const object of excluded) if (!this.#isInLod(object)) raycaster.intersectObject(object, true, found);
    this.#sort(found);
    for (const hit of found) hits.push(hit);
  }

  #below(root: Object3D, raycaster: Raycaster, out: Intersection[], isFirst: boolean): void {
    if (isFirst) {
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

/** By accelerated scene; one that is dropped undisposed is held by nothing. */
const castsOf = new WeakMap<Object3D, ScenePicking>();
let watched = 0;
let unwatch = (): void => {};

/**
 * Has casts at groups and lists of a scene's objects answered. While there is any such scene, two methods of three's
 * Raycaster are replaced. They also remember whether their cast descends. Casts by a raycaster of another copy of three
 * count as descending, and are left to three.
 * @returns what ends this.
 */
function watchCasts(scene: Scene, casts: ScenePicking): () => void {
  if (watched++ === 0) {
    const { intersectObject, intersectObjects } = Raycaster.prototype;
    const sort = intersectObjects as Cast;
    const ends = [
      replaceMethod(Raycaster.prototype, 'intersectObject', answered(intersectObject as Cast, sort) as never),
      replaceMethod(Raycaster.prototype, 'intersectObjects', answered(sort, sort) as never),
    ];
    unwatch = () => {
      for (const end of ends) end();
    };
  }
  castsOf.set(scene, casts);
  return () => {
    // Another index may have taken the scene over.
    if (castsOf.get(scene) === casts) castsOf.delete(scene);
    if (--watched === 0) unwatch();
  };
}

type Cast = (this: Raycaster, target: unknown, isDeep?: boolean, hits?: Intersection[]) => Intersection[];

/** @param atList Casts at a list, and sorts all hits. */
function answered(cast: Cast, atList: Cast): Cast {
  return function (target, isDeep = true, hits = []) {
    const around = isShallow;
    isShallow = !isDeep;
    try {
      const top = isDeep ? topOf(target) : null;
      if (top !== null && castsAround(top)?.castBelow(top, this, hits)) return atList.call(this, [], true, hits);
      const isLong = Array.isArray(target) && target.length > FEW;
      const list = isLong ? castsAround(target[0])?.mayHit(target, this, isDeep) : undefined;
      return cast.call(this, list ?? target, isDeep, hits);
    } finally {
      isShallow = around;
    }
  };
}

/** The object below which are all hits that a descending cast may have; null where there may be others. */
function topOf(target: unknown): Object3D | null {
  if (!Array.isArray(target)) {
    const object = target as Object3D | undefined;
    return object?.raycast === Object3D.prototype.raycast ? object : null;
  }
  const parent: Object3D | undefined = target[0]?.parent;
  return parent?.children === target ? parent : null;
}

/** The nearest accelerated scene at or above an object. */
function castsAround(object: Object3D | null): ScenePicking | undefined {
  for (let above = object; above; above = above.parent) {
    const casts = castsOf.get(above);
    if (casts !== undefined) return casts;
  }
  return undefined;
}
