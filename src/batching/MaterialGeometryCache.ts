import { type BufferGeometry, Color, type Material } from 'three';
import { type Family, MaterialFamilies, type Relative } from './ColorMergeable.js';
import { KnownBuffer, type VertexSource } from './KnownBuffer.js';
import { KnownGeometry } from './KnownGeometry.js';
import { lookAtShaders } from './shaderTexts.js';
import { isDrawnTwice, whyMaterialAlone } from './whyNotBatched.js';

/** Looks at a material that is like no other until it is compared once more with what it was. */
const PATIENCE = 16;

/** What is known of a material: how meshes with it are drawn. Looked at once a frame, however many meshes have it. */
export class KnownMaterial implements Relative {
  readonly material: Material;
  /** Why meshes with it are drawn by themselves; null when they need not be. */
  reason: string | null = null;
  /** Grows with each change of what meshes with it may be drawn with. */
  version = 0;
  isTransparent = false;
  /** It is transparent, and three draws the back of each mesh before its front. */
  isDrawnTwice = false;
  /** Grows with each change of its colour, while that is written beside each draw. */
  tint = 0;
  /** The frame in which it was looked at last. */
  frame = -1;
  family: Family | null = null;
  #looks = 0;
  readonly #families: MaterialFamilies | null;
  #users = 0;
  /** As it was looked at last. */
  readonly #color = new Color();

  /** @param families Null when each material is to be drawn as it is. */
  constructor(material: Material, families: MaterialFamilies | null) {
    this.material = material;
    this.#families = families;
  }

  /** What meshes with it are drawn with: itself, or what it has in common with others. */
  get drawn(): Material {
    return this.family?.copy ?? this.material;
  }

  /** The colour that is to be written beside each draw; null for none. */
  get color(): Color | null {
    return this.family?.copy ? (this.material as unknown as { color: Color }).color : null;
  }

  /** One more mesh has it. */
  retain(): void {
    if (this.#users++ === 0 && this.reason === null) this.#families?.place(this);
  }

  /** One mesh less has it. */
  release(): void {
    if (--this.#users === 0) this.#families?.remove(this);
  }

  onFamily(): void {
    this.version++;
    this.#noteColor();
  }

  /** Looks at the material, if it was not in this frame. */
  look(frame: number): this {
    if (this.frame === frame) return this;
    this.frame = frame;
    const reason = whyMaterialAlone(this.material);
    const { transparent } = this.material;
    const isTwice = isDrawnTwice(this.material);
    if (reason !== this.reason || transparent !== this.isTransparent || isTwice !== this.isDrawnTwice) {
      this.isTransparent = transparent;
      this.isDrawnTwice = isTwice;
      this.reason = reason;
      this.version++;
      if (reason !== null) this.#families?.remove(this);
      else if (this.#users > 0) this.#families?.place(this);
    }
    const { family } = this;
    if (family === null) return this;
    // One that is alone is drawn itself, as it is: it may wait until it is found to be like others.
    if (family.copy === null && ++this.#looks % PATIENCE > 0) return this;
    if (!family.traits.fits(this.material)) this.#families?.place(this);
    this.#noteColor();
    return this;
  }

  #noteColor(): void {
    const { color } = this;
    if (color === null || this.#color.equals(color)) return;
    this.#color.copy(color);
    this.tint++;
  }
}

/** What is known of materials and geometries, each looked at once a frame. */
export class Looks {
  /** Number of the frame. */
  frame = 0;
  readonly #families: MaterialFamilies | null;
  readonly #materials = new WeakMap<Material, KnownMaterial>();
  readonly #geometries = new WeakMap<BufferGeometry, KnownGeometry>();
  readonly #buffers = new WeakMap<VertexSource, KnownBuffer>();

  /** @param mergeColors Whether materials that are equal in all but their colour are drawn as one. */
  constructor(mergeColors: boolean) {
    this.#families = mergeColors ? new MaterialFamilies() : null;
  }

  /** To be called before anything is looked at anew. */
  nextFrame(): void {
    this.frame++;
    lookAtShaders();
  }

  material(material: Material): KnownMaterial {
    let known = this.#materials.get(material);
    if (known === undefined) {
      known = new KnownMaterial(material, this.#families);
      this.#materials.set(material, known);
    }
    return known.look(this.frame);
  }

  geometry(geometry: BufferGeometry): KnownGeometry {
    let known = this.#geometries.get(geometry);
    if (known === undefined) {
      known = new KnownGeometry(geometry, this.#bufferOf);
      this.#geometries.set(geometry, known);
    }
    return known.look(this.frame);
  }

  readonly #bufferOf = (source: VertexSource): KnownBuffer => {
    let known = this.#buffers.get(source);
    if (known === undefined) {
      known = new KnownBuffer(source);
      this.#buffers.set(source, known);
    }
    return known;
  };
}
