import type { Material } from 'three';
import { memoized } from '../../core/arrays.js';
import { MaterialTraits } from '../../three/MaterialTraits.js';
import { materialBitsOf, nodeBits } from '../../three/materials.js';
import { isLookedAt, look, takeStamp } from './looks.js';

/** The facts of a material, compared with the material once in a look. */
export class MaterialFacts {
  readonly material: Material;
  /** A bit for each fact that holds for the material, see three/materialBits.ts. */
  bits = 0;
  /** Stamp of the last change: a new version, or a value that changes pixels, but not the colour of {@link traits}. */
  stamp = 0;
  /** Null for a material of a kind that is never merged with other materials. */
  traits: MaterialTraits | null = null;
  #lookedIn = 0;
  #version = -1;
  /** The last version of the material in which no node was found. */
  #withoutNodes = -1;

  constructor(material: Material) {
    this.material = material;
  }

  /** Compares the material with its known facts, unless it was compared in the present look. */
  look(): this {
    if (isLookedAt(this.#lookedIn)) return this;
    const { material, traits } = this;
    const isSame = traits?.fits(material) === true;
    // A new version may bring nodes, which no trait shows.
    if (!isSame || material.version !== this.#version) this.#find(isSame);
    // Set last, as a getter may throw.
    this.#lookedIn = look;
    return this;
  }

  #find(isSame: boolean): void {
    const { material } = this;
    const hasNewVersion = material.version !== this.#version;
    const traits = isSame ? this.traits : MaterialTraits.of(material);
    const bits = materialBitsOf(material) | this.#nodeBits();
    this.#version = material.version;
    if (!hasNewVersion && traits === this.traits && bits === this.bits) return;
    this.traits = traits;
    this.bits = bits;
    this.stamp = takeStamp();
  }

  /** WebGPURenderer uses nodes of any material. Without nodes, a version is searched once, but a node material anew. */
  #nodeBits(): number {
    const { material } = this;
    if (material.version === this.#withoutNodes) return 0;
    const bits = nodeBits(material);
    if (bits === 0 && !(material as { isNodeMaterial?: boolean }).isNodeMaterial) this.#withoutNodes = material.version;
    return bits;
  }
}

const factsOf = /* @__PURE__ */ memoized((material: Material) => new MaterialFacts(material));

/** The facts of a material, as of the first comparison in the present look; as of now without a look. */
export function materialFacts(material: Material): MaterialFacts {
  return factsOf(material).look();
}
