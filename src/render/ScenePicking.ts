import { type Intersection, type Object3D, Raycaster, type Scene } from 'three';
import type { Picker } from '../scene/ask/Picker.js';
import type { SceneFollower } from '../scene/follow/SceneFollower.js';
import { compareVisits } from '../scene/follow/WalkOrder.js';
import { filteredRaycasts, replaceMethod } from '../scene/objects/methods.js';
import type { Flags } from '../scene/objects/ObjectRecord.js';

/**
 * Answers raycasters that come to an accelerated scene, or to the list of its children: its own `raycast` finds all hits
 * below the scene by the index and returns `false`, so three does not descend.
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
  }

  /** Adds all hits below the scene; false, with none added, where the index was told to leave its own root out. */
  atChildren(raycaster: Raycaster, hits: Intersection[]): boolean {
    const { records, root } = this.#follower.hierarchy;
    if (!records.has(root)) return false;
    // Of a list, each mesh gives its nearest hit to a raycaster with `firstHitOnly`, as three-mesh-bvh has it.
    this.#pick(raycaster, hits, false);
    return true;
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

/** What answers a cast at the list of the children of an accelerated scene. */
export interface ChildrenCasts {
  /** Adds all hits below the scene; false, with none added, where three is to look for them. */
  castAtChildren(raycaster: Raycaster, hits: Intersection[]): boolean;
}

/** Of each accelerated scene, at rest too. */
const watched = new Map<Object3D, ChildrenCasts>();
let unwatch = (): void => {};

/**
 * Has casts at the list of a scene's children answered. While there is any such scene, two methods of three's Raycaster
 * are replaced by ones that remember whether their cast descends as well. Casts by a raycaster of another copy of three
 * count as descending, and are left to three.
 * @returns what ends this.
 */
export function watchCasts(scene: Scene, casts: ChildrenCasts): () => void {
  if (watched.size === 0) {
    const ends = [replaceCast('intersectObject'), replaceCast('intersectObjects')];
    unwatch = () => {
      for (const end of ends) end();
    };
  }
  watched.set(scene, casts);
  return () => {
    // Another index may have taken the scene over.
    if (watched.get(scene) === casts && watched.delete(scene) && watched.size === 0) unwatch();
  };
}

type Cast = (this: Raycaster, target: unknown, isDeep?: boolean, hits?: Intersection[]) => Intersection[];

function replaceCast(name: 'intersectObject' | 'intersectObjects'): () => void {
  const { prototype } = Raycaster;
  const cast = prototype[name] as Cast;
  const replaced: Cast = function (target, isDeep = true, hits = []) {
    const around = isShallow;
    isShallow = !isDeep;
    try {
      // Three sorts what an empty list leaves.
      const isAnswered = isDeep && name === 'intersectObjects' && answerChildren(this, target as Object3D[], hits);
      return cast.call(this, isAnswered ? [] : target, isDeep, hits);
    } finally {
      isShallow = around;
    }
  };
  return replaceMethod(prototype, name, replaced as never);
}

/** Adds all hits at a list that is the children of an accelerated scene; false, with none added, for any other. */
function answerChildren(raycaster: Raycaster, list: Object3D[] | undefined, hits: Intersection[]): boolean {
  const scene = list?.[0]?.parent;
  const casts = scene ? watched.get(scene) : undefined;
  return casts !== undefined && scene?.children === list && casts.castAtChildren(raycaster, hits);
}
