import type { Material } from 'three';
import { memoized } from '../../core/arrays.js';
import { MaterialTraits } from '../../three/MaterialTraits.js';
import { bitsOf, nodeBits } from '../../three/materials.js';
import { isLookedAt, look, takeStamp } from './looks.js';

/** The facts of a material, which are compared with it once in a look. */
export class MaterialFacts {
  readonly material: Material;
  /** The bits of its facts. */
  bits = 0;
  /** The stamp of its last new version, or change of what it draws, but for the colour of {@link traits}. */
  stamp = 0;
  /** Null for a material of a kind that is drawn as one with no others. */
  traits: MaterialTraits | null = null;
  #lookedIn = 0;
  #version = -1;
  /** The version in which no node was found. */
  #withoutNodes = -1;

  constructor(material: Material) {
    this.material = material;
  }

  /** Compares the material with what is known of it, unless that was done in this look. */
  look(): this {
    if (isLookedAt(this.#lookedIn)) return this;
    const { material, traits } = this;
    const isSame = traits?.fits(material) === true;
    // A new version may bring nodes, which no trait tells of.
    if (!isSame || material.version !== this.#version) this.#find(isSame);
    // Last, as a getter may throw.
    this.#lookedIn = look;
    return this;
  }

  #find(isSame: boolean): void {
    const { material } = this;
    const hasNewVersion = material.version !== this.#version;
    const traits = isSame ? this.traits : MaterialTraits.of(material);
    const bits = bitsOf(material) | this.#nodeBits();
    this.#version = material.version;
    if (!hasNewVersion && traits === this.traits && bits === this.bits) return;
    this.traits = traits;
    this.bits = bits;
    this.stamp = takeStamp();
  }

  /** WebGPURenderer takes nodes of all materials; where none are expected they are searched for once in each version. */
  #nodeBits(): number {
    const { material } = this;
    if (material.version === this.#withoutNodes) return 0;
    const bits = nodeBits(material);
    if (bits === 0 && !(material as { isNodeMaterial?: boolean }).isNodeMaterial) this.#withoutNodes = material.version;
    return bits;
  }
}

const factsOf = /* @__PURE__ */ memoized((material: Material) => new MaterialFacts(material));

/** The facts of a material as it is now, or in a look as it was in that. */
export function materialFacts(material: Material): MaterialFacts {
  return factsOf(material).look();
}
