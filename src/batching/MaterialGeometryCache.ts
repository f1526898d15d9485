import type { BufferGeometry, Material } from 'three';
import { getOrMake } from '../core/arrays.js';
import { type MaterialFacts, materialFacts } from '../scene/facts/MaterialFacts.js';
import * as FACTS from '../three/materialBits.js';
import type { SceneRenderer } from '../three/renderer.js';
import { type ColorMergeable, MaterialFamilies, type MaterialFamily, type NamedTextures } from './ColorMergeable.js';
import { KnownGeometry } from './KnownGeometry.js';
import { type AloneReason, batchShaders, whyMaterialAlone } from './whyNotBatched.js';

/** The last known state of materials and geometries, refreshed once a frame, however many meshes use them. */
export class MaterialGeometryCache {
  frame = 0;
  /** Grows with each change of the way in which any material may be drawn, except for changes of its facts. */
  changes = 0;
  /** The families of materials; null when each material is drawn as it is. */
  readonly families: MaterialFamilies | null;
  readonly #materials = new WeakMap<Material, BatchMaterial>();
  readonly #geometries = new WeakMap<BufferGeometry, KnownGeometry>();
  /** The `changes` of three's shaders. */
  #shaders = -1;

  readonly #isLeveled: boolean;

  /** @param onEqual Called between pictures, when textures have turned out to be equal. */
  constructor(mergeColors: boolean, onEqual: () => void, isLeveled = false) {
    this.#isLeveled = isLeveled;
    this.families = mergeColors ? new MaterialFamilies(onEqual) : null;
  }

  /** To be called as a frame begins, before anything is refreshed. */
  nextFrame(renderer: Pick<SceneRenderer, 'isWebGLRenderer'>): void {
    this.frame++;
    this.families?.takeTextureChanges();
    batchShaders.refresh(renderer);
    if (batchShaders.changes !== this.#shaders) this.changes++;
    this.#shaders = batchShaders.changes;
  }

  material(material: Material): BatchMaterial {
    return getOrMake(this.#materials, material, () => new BatchMaterial(material, this)).refresh(this.frame);
  }

  geometry(geometry: BufferGeometry): KnownGeometry {
    return getOrMake(this.#geometries, geometry, () => new KnownGeometry(geometry, this.#isLeveled)).refresh(
      this.frame,
    );
  }
}

/** A material that no batch draws with is compared every so many frames: a prime, as changes may alternate. */
const FRAMES_BETWEEN = 7;

export class BatchMaterial implements ColorMergeable {
  readonly facts: MaterialFacts;
  readonly material: Material;
  reason: AloneReason | null = null;
  /** Grows with each change of the way in which meshes with the material may be drawn. */
  version = 0;
  isTransparent = false;
  /** Whether the material is transparent, and three draws the back of each mesh before its front. */
  isDrawnTwice = false;
  /** The number of draws in batches with the material. */
  draws = 0;
  frame = -1;
  family: MaterialFamily | null = null;
  textures: NamedTextures = [];
  /** The stamp of the facts for which the reason holds, with the versions of the material and of three's shaders. */
  #seen = 0;
  #version = 0;
  #shaders = -1;
  #users = 0;
  #skipped = 0;
  readonly #cache: MaterialGeometryCache;

  constructor(material: Material, cache: MaterialGeometryCache) {
    this.facts = materialFacts(material);
    this.material = material;
    this.#cache = cache;
  }

  /** The material that meshes are drawn with: itself, or the copy of its family. */
  get drawn(): Material {
    return this.family?.copy ?? this.material;
  }

  retain(): void {
    if (this.#users++ === 0 && this.reason === null) this.#cache.families?.add(this);
  }

  release(): void {
    if (--this.#users === 0) this.#cache.families?.remove(this);
  }

  onFamily(): void {
    this.version++;
    this.#cache.changes++;
  }

  /** Compares the material with its last known state, if that may matter and was not done in this frame. */
  refresh(frame: number): this {
    if (this.frame === frame) return this;
    const isNew = this.frame < 0;
    this.frame = frame;
    // A material that no batch draws with can be compared in a later frame, as its meshes may join later.
    const isDue = isNew || this.draws > 0 || this.material.version !== this.#version;
    if (isDue || ++this.#skipped % FRAMES_BETWEEN === 0) this.compare();
    return this;
  }

  /** Compares the whole material: before a mesh is given a slot in a batch. */
  compare(): void {
    const { facts, material, family } = this;
    const { stamp, traits } = facts.look();
    if (material.version !== this.#version && family !== null) family.isStale = true;
    this.#version = material.version;
    // Facts of materials of other kinds do not include `defines`.
    if (stamp === this.#seen && batchShaders.changes === this.#shaders && traits !== null) return;
    this.#seen = stamp;
    this.#shaders = batchShaders.changes;
    this.#findReason();
    if (this.reason === null && this.#users > 0) this.#cache.families?.add(this);
  }

  #findReason(): void {
    const { transparent } = this.material;
    const reason = whyMaterialAlone(this.material);
    const isTwice = (this.facts.bits & FACTS.drawnTwice) !== 0;
    if (reason === this.reason && transparent === this.isTransparent && isTwice === this.isDrawnTwice) return;
    this.isTransparent = transparent;
    this.isDrawnTwice = isTwice;
    this.reason = reason;
    this.version++;
    this.#cache.changes++;
    if (reason !== null) this.#cache.families?.remove(this);
  }
}
