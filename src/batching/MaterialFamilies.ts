import type { Material } from 'three';
import { copyMaterial } from './copyMaterial.js';
import { type Colored, drawnProperties } from './drawnProperties.js';
import { MaterialTraits } from './MaterialTraits.js';

/** What materials that are equal in all but their colour have in common. */
export interface Family {
  readonly traits: MaterialTraits;
  readonly members: Set<Relative>;
  /** What all of them are drawn with, in white; null for a material that is alone. */
  copy: Colored | null;
  /** The sum of the versions of the materials of which the copy's shader is. */
  versions: number;
  /** The lowest id of its materials: where renderers would draw the first of them. Negative when others have come or gone. */
  firstId: number;
}

/** A material with what a family needs to know of it. */
export interface Relative {
  readonly material: Material;
  family: Family | null;
  /** Called when it is to be drawn with another material. */
  onFamily(): void;
}

/** Has the shader of a family's copy made anew if that of one of its materials was asked for. */
export function syncVersion(family: Family): void {
  let versions = 0;
  for (const { material } of family.members) versions += material.version;
  if (versions === family.versions || family.copy === null) return;
  family.versions = versions;
  family.copy.needsUpdate = true;
}

/** Finds materials that are equal in all but their colour. */
export class MaterialFamilies {
  readonly #byKey = new Map<string, Family>();

  /** Puts a material in the family that it belongs to now, if it is of a kind that has any. */
  place(relative: Relative): void {
    const { material } = relative;
    const names = drawnProperties(material);
    const traits = names && new MaterialTraits(material, names);
    if (relative.family !== null && relative.family.traits.key === traits?.key) return;
    this.remove(relative);
    if (traits === null) return;
    const family = this.#familyOf(traits);
    family.members.add(relative);
    family.firstId = -1;
    relative.family = family;
    if (family.members.size < 2) return;
    const changed = family.copy === null ? family.members : [relative];
    family.copy ??= copyMaterial(material as Colored, () => firstIdOf(family));
    for (const one of changed) one.onFamily();
  }

  /** Takes a material out of its family. */
  remove(relative: Relative): void {
    const { family, material } = relative;
    if (family === null) return;
    family.members.delete(relative);
    relative.family = null;
    if (family.copy !== null) relative.onFamily();
    if (material.id === family.firstId) family.firstId = -1;
    if (family.members.size > 0) return;
    this.#byKey.delete(family.traits.key);
    family.copy?.dispose();
  }

  #familyOf(traits: MaterialTraits): Family {
    const found = this.#byKey.get(traits.key);
    // Nobody has looked at one that is alone: it is drawn itself, as it is.
    if (found?.copy === null) for (const other of found.members) if (!traits.fits(other.material)) this.place(other);
    let family = this.#byKey.get(traits.key);
    if (family === undefined) {
      family = { traits, members: new Set(), copy: null, versions: 0, firstId: -1 };
      this.#byKey.set(traits.key, family);
    }
    return family;
  }
}

/** Asked while renderers sort, so that many may come and go before they are gone through. */
function firstIdOf(family: Family): number {
  if (family.firstId >= 0 || family.members.size === 0) return family.firstId;
  family.firstId = Number.POSITIVE_INFINITY;
  for (const { material } of family.members) family.firstId = Math.min(family.firstId, material.id);
  return family.firstId;
}
