import { type BufferGeometry, Color, type Material } from 'three';
import { getOrMake } from '../core/arrays.js';
import type { SceneRenderer } from '../passes/Pass.js';
import * as FACTS from '../scene/objects/facts.js';
import { materialFacts } from '../scene/objects/materialFacts.js';
import { type ColorMergeable, MaterialFamilies, type MaterialFamily } from './ColorMergeable.js';
import { KnownGeometry } from './KnownGeometry.js';
import { type AloneReason, batchShaders, whyMaterialAlone } from './whyNotBatched.js';

/** What is known of materials and geometries, each refreshed once a frame, however many meshes have it. */
export class MaterialGeometryCache {
  frame = 0;
  /** Null where each material is drawn as it is. */
  readonly families: MaterialFamilies | null;
  readonly #materials = new WeakMap<Material, KnownMaterial>();
  readonly #geometries = new WeakMap<BufferGeometry, KnownGeometry>();

  constructor(mergeColors: boolean) {
    this.families = mergeColors ? new MaterialFamilies() : null;
  }

  /** Call before anything is refreshed again. */
  nextFrame(renderer: Pick<SceneRenderer, 'isWebGLRenderer'>): void {
    this.frame++;
    batchShaders.compare(renderer);
  }

  material(material: Material): KnownMaterial {
    return getOrMake(this.#materials, material, () => new KnownMaterial(material, this.families)).refresh(this.frame);
  }

  geometry(geometry: BufferGeometry): KnownGeometry {
    return getOrMake(this.#geometries, geometry, () => new KnownGeometry(geometry)).refresh(this.frame);
  }
}

/** One in so many frames compares a material that no batch draws with: a prime, as changes may alternate. */
const INTERVAL = 7;

export class KnownMaterial implements ColorMergeable {
  readonly material: Material;
  reason: AloneReason | null = null;
  /** Grows with each change of what its meshes may be drawn with. */
  version = 0;
  isTransparent = false;
  /** It is transparent, and three draws the back of each mesh before its front. */
  isDrawnTwice = false;
  /** Grows with each change of its colour, while that is written beside each draw. */
  tint = 0;
  /** Draws in batches with it. */
  draws = 0;
  frame = -1;
  family: MaterialFamily | null = null;
  readonly #families: MaterialFamilies | null;
  #users = 0;
  #skipped = 0;
  /** The frame in which it was compared last, and its version then. */
  #compared = -1;
  #materialVersion = 0;
  /** The `changes` of three's shaders then. */
  #shaders = -1;
  readonly #color = new Color();

  /** @param families Null when each material is to be drawn as it is. */
  constructor(material: Material, families: MaterialFamilies | null) {
    this.material = material;
    this.#families = families;
  }

  /** What its meshes are drawn with: itself, or the copy of its family. */
  get drawn(): Material {
    return this.family?.copy ?? this.material;
  }

  /** The colour to write beside each draw; null for none. */
  get color(): Color | null {
    return this.family?.copy ? (this.material as unknown as { color: Color }).color : null;
  }

  retain(): void {
    if (this.#users++ === 0 && this.reason === null) this.#families?.add(this);
  }

  release(): void {
    if (--this.#users === 0) this.#families?.remove(this);
  }

  onFamily(): void {
    this.version++;
    this.#compareColor();
  }

  /** Compares it with what is known of it, if that was not done in this frame and may matter. */
  refresh(frame: number): this {
    if (this.frame === frame) return this;
    const isNew = this.frame < 0;
    this.frame = frame;
    // Drawn alone, it is drawn as it is: that its meshes could join can wait.
    const isDue = isNew || this.draws > 0 || this.material.version !== this.#materialVersion;
    if (isDue || ++this.#skipped % INTERVAL === 0) this.compare();
    return this;
  }

  /** Compares all of it, if that was not done in this frame: before a mesh is given a place in a batch. */
  compare(): void {
    if (this.#compared === this.frame) return;
    this.#compared = this.frame;
    const { material, family } = this;
    const isSame = family?.traits.fits(material) === true;
    // Reasons follow from what traits hold, from nodes, which a new version may bring, and from three's shaders.
    const isKnown = material.version === this.#materialVersion && batchShaders.changes === this.#shaders;
    if (!isSame || !isKnown) this.#findReason();
    if (!isSame && this.family === family && family !== null) this.#families?.add(this);
    this.#compareColor();
  }

  #findReason(): void {
    const { transparent, version } = this.material;
    this.#materialVersion = version;
    this.#shaders = batchShaders.changes;
    const reason = whyMaterialAlone(this.material);
    const isTwice = (materialFacts(this.material) & FACTS.drawnTwice) !== 0;
    if (reason === this.reason && transparent === this.isTransparent && isTwice === this.isDrawnTwice) return;
    this.isTransparent = transparent;
    this.isDrawnTwice = isTwice;
    this.reason = reason;
    this.version++;
    if (reason !== null) this.#families?.remove(this);
    else if (this.#users > 0) this.#families?.add(this);
  }

  #compareColor(): void {
    const { color } = this;
    if (color === null || this.#color.equals(color)) return;
    this.#color.copy(color);
    this.tint++;
  }
}
