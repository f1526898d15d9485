import type { Frustum, FrustumArray, Intersection, Layers, Object3D, Raycaster, Scene } from 'three';
import { Approach } from './Approach.js';
import { CasterCulling } from './CasterCulling.js';
import { Cloaks } from './Cloaks.js';
import { flattenPlanes } from './cameraPlanes.js';
import { Door } from './Door.js';
import type { Entries } from './Entries.js';
import { Interception, type Interceptor } from './Interception.js';
import { maskOf } from './maskOf.js';
import { Passage } from './Passage.js';
import { ALL_LAYERS, PassList } from './PassList.js';
import type { Picker } from './Picker.js';
import type { SceneFollower } from './SceneFollower.js';
import { standIn } from './standIn.js';
import { type Flags, isUnit, type Tracked } from './Tracked.js';
import { ViewRefusals } from './ViewRefusals.js';
import { Visibility } from './Visibility.js';

/** From this share of all objects on it costs more to list what is seen than to cull what is not, one by one. */
const MOST = 0.35;
/** Up to so many objects are not worth a question. */
const HANDFUL = 48;

/**
 * Stands between the root of a scene and what walks down from it.
 *
 * Every pass of three's renderers and every `Raycaster` does the same with an object: it tests its layers, looks at the
 * object itself, and reads its `children`. So at the root its {@link Approach} tells that a pass begins, and the next
 * reading of the children gives the gate alone; all other readings give the real ones. The gate presents itself as a
 * mesh. A renderer asks it whether it meets the frustum of the camera or light: there the index is asked, and what the
 * renderer then reads as the gate's children is what it is to draw. A raycaster has the gate cast: it picks through the
 * index, and goes no further. Whatever else happens, the real children are found and everything is traversed.
 */
export class Gate implements Interceptor {
  readonly #interception: Interception;
  readonly #approach: Approach;
  readonly #follower: SceneFollower;
  readonly #entries: Entries;
  readonly #visibility = new Visibility();
  readonly #passage: Passage;
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
  readonly #door: Door;
  readonly #entrance: Object3D[];
  /** The layers of the pass that has come to the gate. */
  #passLayers: Layers = ALL_LAYERS;
  /** The list that the gate was asked for, until it is handed over. */
  #prepared: PassList | null = null;

  constructor(root: Object3D, follower: SceneFollower, entries: Entries, picker: Picker, cullsCasters: boolean) {
    this.#casters = cullsCasters ? new CasterCulling(root as Scene, follower.traits, () => this.#out.size > 0) : null;
    this.#follower = follower;
    this.#entries = entries;
    this.#passage = new Passage(root);
    const { isLOD, isBundleGroup } = root as Flags;
    this.#isOfOnePiece = Boolean(isLOD || isBundleGroup);
    this.#door = new Door(
      (frustum) => this.#prepare(frustum),
      (isSorted) => this.#handOver(isSorted),
      (raycaster, hits) => {
        follower.takeEarly();
        this.#pick(picker, raycaster, hits);
      },
    );
    let interception: Interception | null = null;
    try {
      interception = Interception.add(root, this);
      this.#approach = new Approach(root, () => this.#endTask());
    } catch (error) {
      interception?.remove(this);
      this.#casters?.dispose();
      throw error;
    }
    this.#interception = interception;
    this.#entrance = standIn([this.#door], () => this.#interception.children);
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
    const { root, records } = this.#follower.tracker;
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
    const { tracker } = this.#follower;
    const { root, strangers, records, walkOrder } = tracker;
    const found: Intersection[] = strangers.size === 0 ? hits : [];
    picker.below(root, raycaster, found);
    if (found === hits) return;
    for (const stranger of strangers) {
      // A LOD casts all that lies in it.
      const unit = records.get(stranger.parent as Object3D)?.unit;
      if (!(unit?.object as Flags | undefined)?.isLOD) raycaster.intersectObject(stranger, true, found);
    }
    // Among hits at the same distance, which three leaves as they are, the one that it would have met first comes first.
    const metAs = (object: Object3D): Object3D => {
      let above: Object3D | null = object;
      while (above !== null && !records.has(above)) above = above.parent;
      const unit = above === null ? null : (records.get(above)?.unit?.object ?? null);
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
    if (isSorted || list.putInOrder(this.#follower.tracker.walkOrder)) return list.objects;
    this.#release(list);
    return this.#interception.children;
  }

  /** Makes the list of what a pass with this frustum is to meet. */
  #prepare(frustum: Frustum | FrustumArray): void {
    this.#follower.takeEarly();
    this.#cloaks.interrupt();
    const mayPass = this.#mayPass();
    const refusals = this.#refusals.of(this.#passLayers, frustum);
    if (mayPass && refusals.isLikely()) return;
    const { traits, tracker } = this.#follower;
    const visibility = this.#visibility;
    const views = this.#planesOf(frustum);
    const regions = this.#casters?.regionsOf(frustum, views) ?? views;
    // From some share on the renderer had better walk the real children.
    const most = mayPass ? MOST * tracker.records.size : Number.POSITIVE_INFINITY;
    const always = this.#listedAlways();
    const isListed = visibility.within(this.#entries.measured, regions, always, most);
    refusals.note(!isListed);
    if (!isListed) return;
    const list = this.#idle.pop() ?? new PassList(tracker.root, traits.levels, this.#cloaks, this.#release);
    list.begin();
    this.#putAttending(list);
    this.#putSeen(list);
    // Some have no bounds, so no id; those of which nobody knows where they are may be anywhere.
    const { quarantined } = this.#entries;
    for (const record of always) {
      if (record.id < 0 && !quarantined.has(record) && !traits.attending.has(record)) this.#put(record, list);
    }
    for (const record of quarantined) if (!traits.attending.has(record)) this.#put(record, list);
    list.end();
    this.#out.add(list);
    this.#prepared = list;
  }

  /** What renderers meet wherever it is. What has not been measured they cull by themselves, by what three knows of it. */
  #listedAlways(): ReadonlySet<Tracked> {
    const { neverCulled } = this.#follower.traits;
    const { pending } = this.#entries;
    return pending.size === 0 ? neverCulled : new Set([...neverCulled, ...pending.keys()]);
  }

  /** True when there are so few objects that to ask for those in view takes as long as to draw them all. */
  #isHandful(): boolean {
    return this.#follower.tracker.records.size <= HANDFUL && this.#mayPass();
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
    const { tracker, traits } = this.#follower;
    const objects: Object3D[] = [...tracker.strangers];
    for (const { object } of traits.attending) objects.push(object);
    tracker.walkOrder.sortFew(objects);
    for (const object of objects) {
      list.closeGroups();
      const record = tracker.records.get(object);
      if (record !== undefined) {
        this.#put(record, list);
        continue;
      }
      const parent = tracker.records.get(object.parent as Object3D) as Tracked;
      if (!this.#isOpen(parent)) continue;
      this.#casters?.meet(object, true);
      list.addWhole(object, parent.groupOrder, this.#passage);
    }
  }

  /** Puts what the index found into the list. */
  #putSeen(list: PassList): void {
    const { byId, leaves } = this.#entries;
    const { objects, parents } = leaves;
    const { ids, length } = this.#visibility.intersecting;
    const { attending } = this.#follower.traits;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      const leaf = this.#casters === null ? objects[id] : null;
      if (leaf === null) {
        const record = byId[id] as Tracked;
        if (!attending.has(record)) this.#put(record, list);
        continue;
      }
      const parent = parents[id] as Tracked;
      if (this.#isOpen(parent)) list.addLeaf(byId[id] as Tracked, leaf, parent.groupOrder, this.#passage);
    }
  }

  #put(record: Tracked, list: PassList): void {
    const { object, parent } = record;
    if (parent === null || !object.visible || !this.#isOpen(parent)) return;
    // A unit's layers are its own, not those of what lies in it.
    if (!isUnit(object) && (maskOf(object) & this.#passLayers.mask) === 0) return;
    this.#casters?.meet(object);
    list.add(record, this.#passage);
  }

  #isOpen(parent: Tracked): boolean {
    this.#passage.look(parent);
    return parent.isPassable;
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
