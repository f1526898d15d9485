import type { BufferGeometry, Material } from 'three';
import { KnownBuffer } from './KnownBuffer.js';
import { KnownGeometry } from './KnownGeometry.js';
import { KnownMaterial } from './KnownMaterial.js';
import { MaterialFamilies } from './MaterialFamilies.js';
import { lookAtShaders } from './shaderTexts.js';
import type { VertexSource } from './vertexData.js';

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
