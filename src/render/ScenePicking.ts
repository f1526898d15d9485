import { type Intersection, type Object3D, Raycaster, type Scene } from 'three';
import { type Picker, unsorted } from '../scene/ask/Picker.js';
import type { SceneFollower } from '../scene/follow/SceneFollower.js';
import { compareVisits } from '../scene/follow/WalkOrder.js';
import { type ObjectRecord, rawOf } from '../scene/objects/ObjectRecord.js';
import type { SceneParts } from '../scene/SceneParts.js';
import { type Flags, hasStockRaycast } from '../three/kinds.js';
import { replaceMethod } from '../three/methods.js';
import { RayMarks } from './RayMarks.js';

/** Most descendants of an object that three casts at by itself: fewer casts cost less than a query. */
const FEW_BELOW = 64;

/** Answers raycasters that cast at an accelerated scene, or at objects in it, with the hits that three finds. */
export class ScenePicking {
  readonly #follower: SceneFollower;
  readonly #picker: Picker;
  readonly marks: RayMarks;

  constructor(parts: SceneParts) {
    this.#follower = parts.follower;
    this.#picker = parts.picker;
    this.marks = new RayMarks(parts);
  }

  /**
   * Has casts at a scene answered by the index. While there is any such scene, two methods of three's Raycaster are
   * replaced. Casts by a raycaster of another copy of three, and at ancestors of the scene, are left to three.
   * @param undo Collects the function that leaves the scene to three.
   */
  install(scene: Scene, undo: (step: () => void) => void): void {
    if (installed++ === 0) wrapRaycaster();
    pickingOf.set(scene, this);
    undo(() => {
      this.remove(scene);
      if (--installed === 0) unwrapRaycaster();
    });
  }

  /** Leaves casts at the scene to three, unless another index has taken the scene over. */
  remove(scene: Scene): void {
    if (pickingOf.get(scene) === this) pickingOf.delete(scene);
  }

  /** Call it before casts at objects, and again once any code but the library's has run. */
  beginCasts(raycaster: Raycaster): void {
    this.#follower.processForCast();
    this.marks.beginCasts(raycaster);
  }

  /** Counts a cast at an object; false when the cast has no hits. */
  takeCast(target: Object3D, raycaster: Raycaster, isDeep: boolean): boolean {
    if (this.marks.takeCast(target, raycaster)) return true;
    const { hierarchy } = this.#follower;
    return target === hierarchy.root || (isDeep && hierarchy.excluded.size > 0 && target.children.length > 0);
  }

  /** Adds the hits of a cast at an object; false, with none added, when three has to find them. */
  cast(target: Object3D, raycaster: Raycaster, isDeep: boolean, hits: Intersection[]): boolean {
    const { records, root } = this.#follower.hierarchy;
    const record = records.get(target);
    if (record === undefined || record.isPart) return false;
    // The children of the root are not read, as a pass of a renderer may be about to do so.
    if (target === root) return isDeep && this.#castWithin(record, raycaster, hits, true);
    if (isDeep && target.children.length > 0) {
      return !isSmall(target) && this.#castWithin(record, raycaster, hits, true);
    }
    if (!record.hasInstances) return false;
    this.#picker.at(record, raycaster, hits);
    return true;
  }

  /** Adds the hits below an object, but not at the object itself; false when three has to find them. */
  castBelow(top: Object3D, raycaster: Raycaster, hits: Intersection[]): boolean {
    const { records, root } = this.#follower.hierarchy;
    if (top !== root && isSmall(top)) return false;
    this.#follower.processForCast();
    const record = records.get(top);
    return record !== undefined && !record.isPart && this.#castWithin(record, raycaster, hits, false);
  }

  /** @param isIncluded Whether the object itself is cast at, besides all objects below it. */
  #castWithin(record: ObjectRecord, raycaster: Raycaster, hits: Intersection[], isIncluded: boolean): boolean {
    const top = record.object;
    if ((top as Flags).isLOD) return false;
    const left = [...this.#follower.hierarchy.excluded].filter((object) => this.#isLeftBelow(object, top));
    // An own `raycast` may keep casts from descendants; the index does not know one put there after the update.
    const mayStop = isIncluded && !hasStockRaycast(top);
    if (mayStop && (left.length > 0 || !this.#follower.traits.alwaysPicked.has(record))) return false;
    const found = this.#picker.within(record, isIncluded, raycaster);
    for (const object of left) raycaster.intersectObject(object, true, found);
    if (left.length > 0) this.#sort(found);
    for (const hit of found) hits.push(hit);
    return true;
  }

  /** True for an excluded object below another one, unless the object is in a LOD, which casts at it itself. */
  #isLeftBelow(object: Object3D, top: Object3D): boolean {
    let above = this.#follower.hierarchy.recordOf(object.parent) ?? null;
    if ((above?.aggregate?.object as Flags | undefined)?.isLOD) return false;
    while (above !== null && above.object !== top) above = above.parent;
    return above !== null;
  }

  /** Sorts hits by distance, and hits at the same distance by three's order of visits. */
  #sort(found: Intersection[]): void {
    const { hierarchy } = this.#follower;
    // A LOD casts at all its parts, followed or not.
    const visitedAs = (object: Object3D): Object3D => {
      let visited = object;
      for (let o: Object3D | null = object; o !== null && o !== hierarchy.root; o = o.parent)
        if ((o as Flags).isLOD) visited = o;
      return visited;
    };
    found.sort((a, b) => a.distance - b.distance || compareVisits(hierarchy, visitedAs(a.object), visitedAs(b.object)));
  }
}

/** True for an object with few descendants if neither it nor a descendant may have an index of instances. */
function isSmall(top: Object3D): boolean {
  const stack: (Object3D & Flags)[] = [top];
  let count = 0;
  for (let object = stack.pop(); object !== undefined; object = stack.pop()) {
    count += object.children.length;
    if (count > FEW_BELOW || object.isInstancedMesh || object.isBatchedMesh) return false;
    stack.push(...object.children);
  }
  return true;
}

/** Picking by accelerated scene. The map does not keep a scene alive that was dropped undisposed. */
const pickingOf = new WeakMap<Object3D, ScenePicking>();
let installed = 0;
let unwrapRaycaster = (): void => {};

/** The picking of the nearest accelerated scene at or above an object. */
function pickingFor(object: Object3D | null): ScenePicking | undefined {
  for (let above = object; above; above = above.parent) {
    if (!(above as Partial<Scene>).isScene) continue;
    const picking = pickingOf.get(rawOf(above));
    if (picking !== undefined) return picking;
  }
  return undefined;
}

function wrapRaycaster(): void {
  const { intersectObject, intersectObjects } = Raycaster.prototype;
  const castAtOne: Raycaster['intersectObject'] = function (this: Raycaster, target, isDeep = true, hits = []) {
    const picking = pickingFor(target);
    picking?.beginCasts(this);
    const isDone = picking?.takeCast(target, this, isDeep) === false || picking?.cast(target, this, isDeep, hits);
    if (!isDone) return intersectObject.call(this, target, isDeep, hits) as typeof hits;
    return hits.length > 1 ? sorted(this, hits) : hits;
  };
  const castAtList: Raycaster['intersectObjects'] = function (this: Raycaster, list, isDeep = true, hits = []) {
    const parent: Object3D | undefined = list[0]?.parent ?? undefined;
    const isWhole = isDeep && parent?.children === list && pickingFor(parent)?.castBelow(parent, this, hits) === true;
    if (isWhole) return sorted(this, hits);
    const found = unsorted([]);
    let picking: ScenePicking | undefined;
    let above: Object3D | null | undefined;
    let hasBegun = false;
    for (let i = 0; i < list.length; i++) {
      const object = list[i];
      // Siblings are in the same scene.
      if (object?.parent !== above || (object as Partial<Scene>).isScene) {
        picking = pickingFor(object);
        above = object?.parent;
        hasBegun = false;
      }
      if (!hasBegun) picking?.beginCasts(this);
      hasBegun = true;
      if (picking?.takeCast(object, this, isDeep) === false) continue;
      if (!picking?.cast(object, this, isDeep, found)) intersectObject.call(this, object, isDeep, found);
      hasBegun = false;
    }
    // If a distance is NaN, the result depends on the order in which three visits the objects.
    if (found.some(({ distance }) => Number.isNaN(distance))) {
      return intersectObjects.call(this, list, isDeep, hits) as typeof hits;
    }
    for (const hit of found) hits.push(hit as (typeof hits)[number]);
    return sorted(this, hits);
  };
  /** Sorts hits as three does. */
  const sorted = <T extends Intersection[]>(raycaster: Raycaster, hits: T): T =>
    intersectObjects.call(raycaster, [], true, hits) as T;
  const ends = [
    replaceMethod(Raycaster.prototype, 'intersectObject', castAtOne),
    replaceMethod(Raycaster.prototype, 'intersectObjects', castAtList),
  ];
  unwrapRaycaster = () => {
    for (const end of ends) end();
  };
}
