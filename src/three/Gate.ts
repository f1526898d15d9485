import {
  BufferGeometry,
  type Frustum,
  type FrustumArray,
  type Intersection,
  type Layers,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  type Raycaster,
  Sphere,
} from 'three';
import { restoreChildren } from './Cloak.js';
import { Cloaks } from './Cloaks.js';
import { flattenPlanes } from './cameraPlanes.js';
import type { Entries } from './Entries.js';
import { Passage } from './Passage.js';
import { ALL_LAYERS, PassList } from './PassList.js';
import type { Picker } from './Picker.js';
import type { SceneFollower } from './SceneFollower.js';
import { isUnit, type Tracked } from './Tracked.js';
import { Visibility } from './Visibility.js';

/**
 * Stands between the root of a scene and what walks down from it.
 *
 * Every pass of three's renderers and every `Raycaster` does the same with an object: it tests its layers, looks at the
 * object itself, and reads its `children`. So on the root the test of the layers tells that a pass begins, and the next
 * reading of the children gives the gate alone; all other readings give the real ones. The gate presents itself as a
 * mesh. A renderer asks it whether it meets the frustum of the camera or light: there the index is asked, and what the
 * renderer then reads as the gate's children is what it is to draw. A raycaster has the gate cast: it picks through the
 * index, and goes no further. Whatever else happens, the real children are found and everything is traversed.
 */
export class Gate {
  readonly #root: Object3D;
  readonly #follower: SceneFollower;
  readonly #entries: Entries;
  readonly #visibility = new Visibility();
  readonly #passage: Passage;
  readonly #cloaks = new Cloaks();
  readonly #planes: Float64Array[] = [];
  /** Lists that no renderer is walking, and those that were handed out. */
  readonly #idle: PassList[] = [];
  readonly #out = new Set<PassList>();
  readonly #entrance: Object3D[];
  #children: Object3D[];
  /** The layers of the pass that has tested those of the root; null when the next reading of children is anybody's. */
  #layers: Layers | null = null;
  /** The layers of the pass that has come to the gate. */
  #passLayers: Layers = ALL_LAYERS;
  /** The list that the gate was asked for, until it is handed over. */
  #prepared: PassList | null = null;
  #forgetting = false;

  constructor(root: Object3D, follower: SceneFollower, entries: Entries, picker: Picker) {
    this.#root = root;
    this.#follower = follower;
    this.#entries = entries;
    this.#passage = new Passage(root);
    this.#children = root.children;
    this.#entrance = [
      new Door(
        (frustum) => this.#prepare(frustum),
        () => this.#handOver(),
        (raycaster, hits) => {
          follower.takeEarly();
          picker.below(root, raycaster, (raycaster as { firstHitOnly?: boolean }).firstHitOnly === true, hits);
          for (const stranger of follower.tracker.strangers) raycaster.intersectObject(stranger, true, hits);
        },
      ),
    ];
    const { layers } = root;
    Object.defineProperty(layers, 'test', {
      configurable: true,
      value: (other: Layers) => {
        this.#expect(other);
        return (layers.mask & other.mask) !== 0;
      },
    });
    Object.defineProperty(root, 'children', {
      configurable: true,
      enumerable: true,
      get: () => this.#read(),
      set: (children: Object3D[]) => {
        this.#children = children;
      },
    });
  }

  /** Puts the root and all objects below it back to what they were. */
  dispose(): void {
    delete (this.#root.layers as Partial<Layers>).test;
    restoreChildren(this.#root, this.#children);
    this.#cloaks.dispose();
  }

  /** Takes what was put on an object off it. */
  forget(object: Object3D): void {
    this.#cloaks.forget(object);
  }

  #expect(layers: Layers): void {
    this.#layers = layers;
    if (this.#forgetting) return;
    this.#forgetting = true;
    // A test of layers that nobody follows up, as of a raycast at the root alone, must not deceive a later reader.
    queueMicrotask(() => {
      this.#forgetting = false;
      this.#layers = null;
      this.#prepared = null;
      // Passes do not last beyond the task they began in: these were broken off.
      for (const list of this.#out) this.#release(list);
    });
  }

  #read(): Object3D[] {
    if (this.#layers === null) return this.#children;
    this.#passLayers = this.#layers;
    this.#passage.begin(this.#layers);
    this.#layers = null;
    return this.#entrance;
  }

  /** What the gate has as children: the list that was asked for, once. */
  #handOver(): Object3D[] {
    const list = this.#prepared;
    this.#prepared = null;
    return list === null ? this.#children : list.objects;
  }

  /** Makes the list of what a pass with this frustum is to meet. */
  #prepare(frustum: Frustum | FrustumArray): void {
    this.#follower.takeEarly();
    const { traits, tracker } = this.#follower;
    const visibility = this.#visibility;
    visibility.within(this.#entries.index, this.#planesOf(frustum), traits.neverCulled);
    this.#cloaks.interrupt();
    const list = this.#idle.pop() ?? new PassList(this.#cloaks, this.#release);
    list.begin();
    for (const record of traits.attending) this.#put(record, list);
    const { byId } = this.#entries;
    const { ids, length } = visibility.intersecting;
    for (let i = 0; i < length; i++) this.#put(byId[ids[i]] as Tracked, list);
    // Some have no bounds, so no id; those of which nobody knows where they are may be anywhere.
    for (const record of traits.neverCulled) if (record.id < 0) this.#put(record, list);
    for (const record of this.#entries.quarantined) this.#put(record, list);
    for (const object of tracker.strangers) {
      const parent = tracker.records.get(object.parent as Object3D) as Tracked;
      if (this.#isOpen(parent)) list.addWhole(object);
    }
    list.end();
    this.#out.add(list);
    this.#prepared = list;
  }

  readonly #release = (list: PassList): void => {
    list.doff();
    if (this.#out.delete(list)) this.#idle.push(list);
  };

  #put(record: Tracked, list: PassList): void {
    const { object, parent } = record;
    if (parent === null || !object.visible || !this.#isOpen(parent)) return;
    // A unit's layers are its own, not those of what lies in it.
    // Masks are compared here, as a cloak takes a test for the renderer's.
    if (!isUnit(object) && (object.layers.mask & this.#passLayers.mask) === 0) return;
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

/** What renderers and raycasters meet in place of the root's children: a mesh, as far as they can see. */
class Door extends Mesh {
  readonly #prepare: (frustum: Frustum | FrustumArray) => void;
  readonly #cast: (raycaster: Raycaster, hits: Intersection[]) => void;

  constructor(
    prepare: (frustum: Frustum | FrustumArray) => void,
    handOver: () => Object3D[],
    cast: (raycaster: Raycaster, hits: Intersection[]) => void,
  ) {
    const geometry = new BufferGeometry();
    geometry.boundingSphere = new Sphere();
    super(geometry, new MeshBasicMaterial({ visible: false }));
    this.#prepare = prepare;
    this.#cast = cast;
    this.castShadow = true;
    this.layers = ALL_LAYERS;
    Object.defineProperty(this, 'children', { get: handOver });
  }

  override intersectsFrustum(frustum: Frustum | FrustumArray): boolean {
    this.#prepare(frustum);
    return false;
  }

  override raycast(raycaster: Raycaster, hits: Intersection[]): false {
    this.#cast(raycaster, hits);
    return false;
  }
}
