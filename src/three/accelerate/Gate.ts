import type { Frustum, FrustumArray, Intersection, Layers, Object3D, Raycaster, Scene } from 'three';
import { flattenPlanes } from '../cameras/cameraPlanes.js';
import { Visibility } from '../cameras/Visibility.js';
import type { Entries } from '../entries/Entries.js';
import type { SceneFollower } from '../follow/SceneFollower.js';
import { maskOf } from '../objects/maskOf.js';
import { type Flags, isAggregate, type ObjectRecord } from '../objects/ObjectRecord.js';
import type { Picker } from '../picking/Picker.js';
import { CasterCulling } from '../shadows/CasterCulling.js';
import { Cloaks } from './Cloaks.js';
import { forwardingArray } from './forwardingArray.js';
import { InheritedState } from './InheritedState.js';
import { Interception, type Interceptor } from './ObjectHooks.js';
import { PassDetector } from './PassDetector.js';
import { ALL_LAYERS, PassList } from './PassList.js';
import { PassProxy } from './PassProxy.js';
import { ViewRefusals } from './ViewRefusals.js';

/** From this share of all objects on it costs more to list what is seen than to cull what is not, one by one. */
const MOST = 0.35;
/** Up to so many objects are not worth a question. */
const HANDFUL = 48;

/**
 * Stands between the root of a scene and what walks down from it.
 *
 * Every pass of three's renderers and every `Raycaster` does the same with an object: it tests its layers, looks at the
 * object itself, and reads its `children`. So at the root its {@link PassDetector} tells that a pass begins, and the next
 * reading of the children gives the gate alone; all other readings give the real ones. The gate presents itself as a
 * mesh. A renderer asks it whether it meets the frustum of the camera or light: there the index is asked, and what the
 * renderer then reads as the gate's children is what it is to draw. A raycaster has the gate cast: it picks through the
 * index, and goes no further. Whatever else happens, the real children are found and everything is traversed.
 */
export class Gate implements Interceptor {
  readonly #interception: Interception;
  readonly #approach: PassDetector;
  readonly #follower: SceneFollower;
  readonly #entries: Entries;
  readonly #visibility = new Visibility();
  readonly #passage: InheritedState;
  /** Below such a root there is no choice to be made; all go through. */
  readonly #isOfOnePiece: boolean;
  readonly #cloaks = new Cloaks();
  readonly #planes: Float64Array[] = [];
  readonly #refusals = new ViewRefusals();
  /** Null when shadow passes are to meet all casters that their lights see. */
  readonly #casters: CasterCulling | null;
  /** Lists that no renderer is walking, and those that were handed out. */
  readonly #idle: PassList[] = [];
  readonly #out = new Set<PassList>();
  readonly #door: PassProxy;
  readonly #entrance: Object3D[];
  /** The layers of the pass that has come to the gate. */
  #passLayers: Layers = ALL_LAYERS;
  /** The list that the gate was asked for, until it is handed over. */
  #prepared: PassList | null = null;

  constructor(root: Object3D, follower: SceneFollower, entries: Entries, picker: Picker, cullsCasters: boolean) {
    this.#casters = cullsCasters ? new CasterCulling(root as Scene, follower.traits, () => this.#out.size > 0) : null;
    this.#follower = follower;
    this.#entries = entries;
    this.#passage = new InheritedState(root);
    const { isLOD, isBundleGroup } = root as Flags;
    this.#isOfOnePiece = Boolean(isLOD || isBundleGroup);
    this.#door = new PassProxy(
      (frustum) => this.#prepare(frustum),
      (isSorted) => this.#handOver(isSorted),
      (raycaster, hits) => {
        follower.processEarly();
        this.#pick(picker, raycaster, hits);
      },
    );
    let interception: Interception | null = null;
    try {
      interception = Interception.add(root, this);
      this.#approach = new PassDetector(root, () => this.#endTask());
    } catch (error) {
      interception?.remove(this);
      this.#casters?.dispose();
      throw error;
    }
    this.#interception = interception;
    this.#entrance = forwardingArray([this.#door], () => this.#interception.children);
  }

  /** Puts the root and all objects below it back to what they were. */
  dispose(): void {
    this.#approach.dispose();
    this.#interception.remove(this);
    this.#door.geometry.dispose();
    this.#cloaks.dispose();
    this.#casters?.dispose();
  }

  /** Takes what was put on an object off it. */
  forget(object: Object3D): void {
    this.#cloaks.forget(object);
  }

  /** Told when the root's matrices are updated: it may have got other layers. */
  renew(): void {
    this.#interception.renew();
  }

  tested(layers: Layers, isMet: boolean): void {
    const { root, records } = this.#follower.hierarchy;
    if (!this.#isOfOnePiece && records.has(root)) this.#approach.tested(layers, isMet);
  }

  read(): Object3D[] | null {
    const layers = this.#approach.take();
    if (layers === null || (this.#approach.isRenderer && this.#isHandful())) return null;
    this.#passLayers = layers;
    this.#passage.begin(layers);
    return this.#entrance;
  }

  /** Adds what lies below the root to hits of a raycaster that has been at the root itself. */
  #pick(picker: Picker, raycaster: Raycaster, hits: Intersection[]): void {
    const { hierarchy } = this.#follower;
    const { root, excluded, records, walkOrder } = hierarchy;
    const found: Intersection[] = excluded.size === 0 ? hits : [];
    picker.below(root, raycaster, found);
    if (found === hits) return;
    for (const stranger of excluded) {
      // A LOD casts all that lies in it.
      const unit = records.get(stranger.parent as Object3D)?.aggregate;
      if (!(unit?.object as Flags | undefined)?.isLOD) raycaster.intersectObject(stranger, true, found);
    }
    // Among hits at the same distance, which three leaves as they are, the one that it would have met first comes first.
    const metAs = (object: Object3D): Object3D => {
      let above: Object3D | null = object;
      while (above !== null && !records.has(above)) above = above.parent;
      const unit = above === null ? null : (records.get(above)?.aggregate?.object ?? null);
      return (unit as Flags | null)?.isLOD ? (unit as Object3D) : object;
    };
    found.sort((a, b) => a.distance - b.distance || walkOrder.compare(metAs(a.object), metAs(b.object)));
    for (const hit of found) hits.push(hit);
  }

  #endTask(): void {
    this.#prepared = null;
    // Passes do not last beyond the task they began in: these were broken off.
    for (const list of this.#out) this.#release(list);
  }

  /** What the gate has as children: the list that was asked for, once. */
  #handOver(isSorted: boolean): Object3D[] {
    const list = this.#prepared;
    this.#prepared = null;
    if (list === null) return this.#interception.children;
    if (isSorted || list.putInOrder(this.#follower.hierarchy.walkOrder)) return list.objects;
    this.#release(list);
    return this.#interception.children;
  }

  /** Makes the list of what a pass with this frustum is to meet. */
  #prepare(frustum: Frustum | FrustumArray): void {
    this.#follower.processEarly();
    this.#cloaks.interrupt();
    const mayPass = this.#mayPass();
    const refusals = this.#refusals.of(this.#passLayers, frustum);
    if (mayPass && refusals.isLikely()) return;
    const { traits, hierarchy } = this.#follower;
    const visibility = this.#visibility;
    const views = this.#planesOf(frustum);
    const regions = this.#casters?.regionsOf(frustum, views) ?? views;
    // From some share on the renderer had better walk the real children.
    const most = mayPass ? MOST * hierarchy.records.size : Number.POSITIVE_INFINITY;
    const always = this.#listedAlways();
    const isListed = visibility.within(this.#entries.measured, regions, always, most);
    refusals.note(!isListed);
    if (!isListed) return;
    const list = this.#idle.pop() ?? new PassList(hierarchy.root, traits.levels, this.#cloaks, this.#release);
    list.begin();
    this.#putAttending(list);
    this.#putSeen(list);
    // Some have no bounds, so no id; those of which nobody knows where they are may be anywhere.
    const { quarantined } = this.#entries;
    for (const record of always) {
      if (record.id < 0 && !quarantined.has(record) && !traits.alwaysVisited.has(record)) this.#put(record, list);
    }
    for (const record of quarantined) if (!traits.alwaysVisited.has(record)) this.#put(record, list);
    list.end();
    this.#out.add(list);
    this.#prepared = list;
  }

  /** What renderers meet wherever it is. What has not been measured they cull by themselves, by what three knows of it. */
  #listedAlways(): ReadonlySet<ObjectRecord> {
    const { neverCulled } = this.#follower.traits;
    const { pending } = this.#entries;
    return pending.size === 0 ? neverCulled : new Set([...neverCulled, ...pending.keys()]);
  }

  /** True when there are so few objects that to ask for those in view takes as long as to draw them all. */
  #isHandful(): boolean {
    return this.#follower.hierarchy.records.size <= HANDFUL && this.#mayPass();
  }

  /** True when the renderer may walk the real children, as it must not while objects hide theirs from another walk. */
  #mayPass(): boolean {
    return this.#out.size === 0 && this.#casters === null;
  }

  readonly #release = (list: PassList): void => {
    list.doff();
    if (this.#out.delete(list)) this.#idle.push(list);
  };

  /** Puts lights, and all they may lie in, in the order of the scene, for shaders number lights as they come. */
  #putAttending(list: PassList): void {
    const { hierarchy, traits } = this.#follower;
    const objects: Object3D[] = [...hierarchy.excluded];
    for (const { object } of traits.alwaysVisited) objects.push(object);
    hierarchy.walkOrder.sortFew(objects);
    for (const object of objects) {
      list.closeGroups();
      const record = hierarchy.records.get(object);
      if (record !== undefined) {
        this.#put(record, list);
        continue;
      }
      const parent = hierarchy.records.get(object.parent as Object3D) as ObjectRecord;
      if (!this.#isOpen(parent)) continue;
      this.#casters?.meet(object, true);
      list.addWhole(object, parent.groupOrder, this.#passage);
    }
  }

  /** Puts what the index found into the list. */
  #putSeen(list: PassList): void {
    const { byId, childless } = this.#entries;
    const { objects, parents } = childless;
    const { ids, length } = this.#visibility.intersecting;
    const { alwaysVisited } = this.#follower.traits;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      const leaf = this.#casters === null ? objects[id] : null;
      if (leaf === null) {
        const record = byId[id] as ObjectRecord;
        if (!alwaysVisited.has(record)) this.#put(record, list);
        continue;
      }
      const parent = parents[id] as ObjectRecord;
      if (this.#isOpen(parent)) list.addLeaf(byId[id] as ObjectRecord, leaf, parent.groupOrder, this.#passage);
    }
  }

  #put(record: ObjectRecord, list: PassList): void {
    const { object, parent } = record;
    if (parent === null || !object.visible || !this.#isOpen(parent)) return;
    // A unit's layers are its own, not those of what lies in it.
    if (!isAggregate(object) && (maskOf(object) & this.#passLayers.mask) === 0) return;
    this.#casters?.meet(object);
    list.add(record, this.#passage);
  }

  #isOpen(parent: ObjectRecord): boolean {
    this.#passage.resolve(parent);
    return parent.isVisibleInHierarchy;
  }

  #planesOf(frustum: Frustum | FrustumArray): Float64Array[] {
    const frusta = frustaOf(frustum);
    const planes = this.#planes;
    planes.length = frusta.length;
    for (let i = 0; i < frusta.length; i++) {
      planes[i] ??= new Float64Array(24);
      flattenPlanes(frusta[i].planes, planes[i]);
    }
    return planes;
  }
}

/** The frustum of a camera, or those of the views of an ArrayCamera. */
function frustaOf(frustum: Frustum | FrustumArray): Frustum[] {
  if ((frustum as Frustum).planes !== undefined) return [frustum as Frustum];
  const array = frustum as unknown as { _count: number; getFrustum(i: number): Frustum };
  return Array.from({ length: array._count }, (_, i) => array.getFrustum(i));
}
