import * as THREE from 'three';
import { type AcceleratedScene, accelerate, createIndex, SceneIndex } from '../../../src/index.js';
import { BoundsHistory } from './BoundsHistory.js';
import type { Setting } from './SceneScript.js';

/** Objects with flags and parts of any kind, so that acts need no casts. */
export type Any = THREE.Object3D & {
  geometry?: THREE.BufferGeometry;
  material?: THREE.Material | THREE.Material[];
  isLOD?: boolean;
  isMesh?: boolean;
  isLine?: boolean;
  isPoints?: boolean;
  isSprite?: boolean;
  isBone?: boolean;
  isLight?: boolean;
  isGroup?: boolean;
  isCamera?: boolean;
  isScene?: boolean;
  isInstancedMesh?: boolean;
  isBatchedMesh?: boolean;
  isSkinnedMesh?: boolean;
  boundingSphere?: unknown;
  computeBoundingSphere?(): void;
};

/**
 * One of two worlds in which the same is done: that of plain three, or that with an index. Objects have numbers, in the
 * order in which they were made, which are the same on both sides.
 */
export class Side {
  readonly isFast: boolean;
  readonly setting: Setting;
  readonly scenes: THREE.Scene[] = [];
  /** What has an index on the other side, or may have: the scenes, and groups that were given one of their own. */
  readonly roots: THREE.Object3D[] = [];
  /** All objects ever made but the scenes, in a scene or not. */
  readonly objects: Any[] = [];
  readonly numbers = new Map<THREE.Object3D, number>();
  readonly geometries: THREE.BufferGeometry[] = [];
  readonly materials: THREE.Material[] = [];
  readonly camera = new THREE.PerspectiveCamera(40, 1, 0.5, 24);
  /** Two views in one, and one without perspective: to look through in place of the other. */
  readonly pair = new THREE.ArrayCamera([
    new THREE.PerspectiveCamera(30, 1, 0.5, 15),
    new THREE.PerspectiveCamera(30, 1, 0.5, 15),
  ]);
  readonly flat = new THREE.OrthographicCamera(-5, 5, 5, -5, 0.5, 20);
  /** One whose matrices are written: as maps do, or as those who know the view alone. */
  readonly written = Object.assign(new THREE.Camera(), { matrixWorldAutoUpdate: false, zoom: 1 });
  /** One for each root, on the side that has them; null while there is none. */
  readonly indices: (SceneIndex | null)[] = [];
  /** All bounds that the user has ever declared of a geometry. */
  readonly declared = new Map<THREE.BufferGeometry, THREE.Box3>();
  readonly history = new BoundsHistory();
  /** Roots, by number, whose index was disposed and not made again. */
  readonly ended = new Set<number>();
  /** True once something was left out of an index: then only those who draw and pick are to notice nothing. */
  isPartial = false;
  /** True once an object updates itself alone, and nothing below it, which goes its own way where either is at rest. */
  hasLoners = false;
  /** True once an object got a `raycast` of the user's. */
  hasRaycasts = false;
  /** What was said of objects: whether they, and all below them, hide others and are hidden. */
  readonly occluded = new Map<THREE.Object3D, boolean>();
  /** What was declared to be at rest. */
  readonly resting = new Set<THREE.Object3D>();

  constructor(isFast: boolean, setting: Setting) {
    this.isFast = isFast;
    this.setting = setting;
    const shapes = [
      new THREE.BoxGeometry(),
      new THREE.SphereGeometry(0.8, 5, 4),
      new THREE.TetrahedronGeometry(1),
      new THREE.PlaneGeometry(2, 2),
    ];
    this.geometries.push(...shapes);
    for (let i = 0; i < 4; i++) this.materials.push(new THREE.MeshBasicMaterial({ side: 2 }));
    this.materials[2].transparent = true;
    for (let i = 0; i < setting.scenes; i++) {
      const scene = new THREE.Scene();
      scene.name = `scene ${i}`;
      this.numbers.set(scene, -1 - i);
      this.scenes.push(scene);
      this.addRoot(scene);
    }
  }

  /** Gives an object an index of its own. */
  addRoot(root: THREE.Object3D): void {
    this.roots.push(root);
    this.indices.push(null);
    this.begin(this.roots.length - 1);
  }

  /** True once a scene within a scene got an index of its own. */
  get isNested(): boolean {
    return this.roots.length > this.scenes.length;
  }

  /** Makes the index of a root, where one belongs and is missing. */
  begin(i: number): void {
    // An index brings all matrices up to date when it is made.
    if (!this.isFast) this.refresh(i);
    if (!this.isFast || this.indices[i] !== null) return;
    const {
      structure: name,
      mode,
      capacity,
      planar,
      cullCasters,
      batch = false,
      levels,
      occlusion = false,
    } = this.setting;
    const root = this.roots[i];
    const isTree = /tree$/i.test(name);
    const structure = createIndex(name, isTree ? { capacity, planar } : {});
    this.indices[i] =
      (mode === 'accelerate' || i >= this.scenes.length) && (root as Any).isScene
        ? accelerate(root as THREE.Scene, {
            structure,
            cullCasters,
            batch: batch !== false && { atLeast: batch === true ? 4 : batch },
            occlusion,
            ...(levels && { levels: { make: levels } }),
          })
        : new SceneIndex(root, { structure });
    for (const [object, isOccluded] of this.occluded) this.#occlude(i, object, isOccluded);
  }

  /** Updates the index of a root by itself, and all matrices above and below it. */
  refresh(i: number): void {
    const { parent } = this.roots[i];
    if (this.isFast) this.indices[i]?.update();
    else {
      parent?.updateWorldMatrix(true, false);
      this.roots[i].updateMatrixWorld(parent !== null);
    }
  }

  /** Sets whether a subtree takes part in occlusion, now and in indices to come. */
  occlude(object: THREE.Object3D, isOccluded: boolean): void {
    this.occluded.set(object, isOccluded);
    for (const i of this.indices.keys()) this.#occlude(i, object, isOccluded);
  }

  #occlude(i: number, object: THREE.Object3D, isOccluded: boolean): void {
    const index = this.indices[i];
    if (index && 'occlude' in index) (index as AcceleratedScene).occlude(object, isOccluded);
  }

  end(i: number): void {
    this.indices[i]?.dispose();
    this.indices[i] = null;
  }

  dispose(): void {
    for (let i = 0; i < this.roots.length; i++) this.end(i);
  }

  /** Gives an object, and all below it that is new, a number. */
  take(object: THREE.Object3D): void {
    object.traverse((below) => {
      if (this.numbers.has(below)) return;
      this.numbers.set(below, this.objects.length);
      below.name = `${below.type} ${this.objects.length}`;
      this.objects.push(below as Any);
    });
  }

  /** An object by number, modulo how many there are; undefined while there is none. */
  object(n: number): Any | undefined {
    return this.objects[n % this.objects.length];
  }

  /** The same if it is of some kind, so that two acts may meet at one object; else one by number of those that are. */
  of(n: number, isWanted: (object: Any) => unknown): Any | undefined {
    const object = this.object(n);
    if (object && isWanted(object)) return object;
    const some = this.objects.filter(isWanted);
    return some[n % some.length];
  }

  /** The same, with the scenes among them. */
  node(n: number): Any {
    const all = n % (this.objects.length + this.scenes.length);
    return all < this.scenes.length ? (this.scenes[all] as Any) : this.objects[all - this.scenes.length];
  }

  /** A geometry by number that is made of triangles: of others three hits triangles that are none. */
  shape(n: number): THREE.BufferGeometry {
    return this.geometry(n, ({ isMesh, isSkinnedMesh, isBatchedMesh }) => isMesh && !isSkinnedMesh && !isBatchedMesh);
  }

  /** A geometry by number: of the objects of some kind, and those that were made for none. */
  geometry(n: number, isWanted: (object: Any) => unknown = ({ isSprite }) => !isSprite): THREE.BufferGeometry {
    const own = this.objects.flatMap((object) => (object.geometry && isWanted(object) ? [object.geometry] : []));
    const all = [...new Set([...this.geometries, ...own])];
    return all[n % all.length];
  }

  material(n: number): THREE.Material {
    return this.materials[n % this.materials.length];
  }

  /** To be told of all that the user does to an object: one that was declared to be at rest needs a word. */
  edited(object: THREE.Object3D): void {
    if (!this.isResting(object)) return;
    // An index within what is at rest is not updated until its root is touched.
    const roots = this.roots.slice(this.scenes.length).filter((root) => this.isWithin(object, root));
    for (const index of this.indices) for (const told of [object, ...roots]) index?.touch(told);
  }

  editedGeometry(geometry: THREE.BufferGeometry, isDeclared = false): void {
    for (const object of this.objects) {
      if (object.geometry !== geometry) continue;
      if (isDeclared) for (const index of this.indices) index?.touch(object);
      else this.edited(object);
    }
  }

  /** Within what the bounds of a geometry may be taken for declared ones; null where they cannot. */
  declaredOf(geometry: THREE.BufferGeometry): THREE.Box3 | null {
    const declared = this.declared.get(geometry);
    const suspected = this.history.suspected(geometry);
    if (!declared || !suspected) return declared ?? suspected;
    return declared.clone().union(suspected);
  }

  /** Takes note of bounds that the user has put on a geometry. */
  declare(geometry: THREE.BufferGeometry, box: THREE.Box3): void {
    this.declared.set(geometry, box.clone().union(this.declared.get(geometry) ?? new THREE.Box3()));
    this.editedGeometry(geometry, true);
  }

  /**
   * Has three compute the bounding spheres that are missing. It does so when it first looks at an object, which is later
   * where most are passed over, and from then on goes by what was: so both sides have to do it at once.
   */
  computeSpheres(): void {
    for (const object of this.objects) {
      const { geometry } = object;
      if (geometry && geometry.boundingSphere === null) geometry.computeBoundingSphere();
      if (object.boundingSphere === null) object.computeBoundingSphere?.();
    }
  }

  /** True when an object's matrix is another's as well. */
  isShared(object: Any): boolean {
    const { matrix, matrixWorld } = object;
    return this.objects.some(
      (o) => o.matrixWorld === matrix || o.matrix === matrixWorld || (o !== object && o.matrix === matrix),
    );
  }

  /** True when an object goes by more than what it has itself, so that nobody would say that it is at rest. */
  isDriven(object: THREE.Object3D): boolean {
    let isFound = false;
    object.traverse((below) => {
      // Roots have one that is ours, on one side.
      const isOwn = Object.hasOwn(below, 'updateMatrixWorld') && !this.roots.includes(below);
      const isHelper = 'plane' in below || 'bones' in below;
      isFound ||= isOwn || isHelper || this.isShared(below as Any);
    });
    return isFound;
  }

  /**
   * True while some object goes by others, or by methods of its own: what is left out of an index is updated and picked
   * behind all else, which shows then.
   */
  get isEntangled(): boolean {
    return this.scenes.some((scene) => this.isDriven(scene)) || this.hasRaycasts;
  }

  /** True for what was declared to be at rest, by the index or by three's flag, and all below it. */
  isResting(object: THREE.Object3D): boolean {
    for (let o: THREE.Object3D | null = object; o !== null; o = o.parent) {
      if (this.resting.has(o) || o.static === true) return true;
    }
    return false;
  }

  /** True when anything was declared to be at rest. */
  get hasResting(): boolean {
    return this.resting.size > 0 || this.objects.some((object) => object.static === true);
  }

  /** True when an object lies in one of the scenes. */
  isInScene(object: THREE.Object3D): boolean {
    return this.scenes.some((scene) => this.isWithin(object, scene));
  }

  /** True when an object lies below another, or is it. */
  isWithin(object: THREE.Object3D, other: THREE.Object3D): boolean {
    for (let o: THREE.Object3D | null = object; o !== null; o = o.parent) if (o === other) return true;
    return false;
  }
}
