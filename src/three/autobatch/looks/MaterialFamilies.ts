import {
  Color,
  type Material,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshMatcapMaterial,
  MeshPhongMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  MeshToonMaterial,
} from 'three';
import { copyMaterial } from './copyMaterial.js';
import { MaterialTraits } from './MaterialTraits.js';

/** What materials that are equal in all but their colour have in common. */
export interface Family {
  readonly key: string;
  readonly members: Set<Relative>;
  /** What all of them are drawn with, in white; null for a material that is alone. */
  copy: Colored | null;
  /** The sum of the versions of the materials of which the copy's shader is. */
  versions: number;
}

/** A material with what a family needs to know of it. */
export interface Relative {
  readonly material: Material;
  family: Family | null;
  traits: MaterialTraits | null;
  /** Called when it is to be drawn with another material. */
  onFamily(): void;
}

type Colored = Material & { color: Color };

/** The kinds whose shaders multiply their colour by that of a draw, and nothing else by the colour. */
const MERGED: ReadonlySet<object> = new Set(
  [
    MeshBasicMaterial,
    MeshLambertMaterial,
    MeshPhongMaterial,
    MeshToonMaterial,
    MeshMatcapMaterial,
    MeshStandardMaterial,
    MeshPhysicalMaterial,
  ].map(({ prototype }) => prototype),
);

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
    const isMerged = MERGED.has(Object.getPrototypeOf(material)) && (material as Colored).color instanceof Color;
    const traits = isMerged ? new MaterialTraits(material) : null;
    if (relative.family !== null && relative.family.key === traits?.key) {
      relative.traits = traits;
      return;
    }
    this.remove(relative);
    relative.traits = traits;
    if (traits === null) return;
    let family = this.#byKey.get(traits.key);
    // Nobody has looked at one that is alone: it is drawn itself, as it is.
    if (family?.copy === null)
      for (const other of family.members) if (other.traits?.isSame === false) this.place(other);
    family = this.#byKey.get(traits.key);
    if (family === undefined) {
      family = { key: traits.key, members: new Set(), copy: null, versions: 0 };
      this.#byKey.set(traits.key, family);
    }
    family.members.add(relative);
    relative.family = family;
    if (family.members.size > 1 && family.copy === null) {
      // The first in the order in which renderers draw.
      const [first] = [...family.members].sort((a, b) => a.material.id - b.material.id);
      family.copy = copyMaterial(first.material);
      syncVersion(family);
      for (const member of family.members) member.onFamily();
    } else if (family.copy !== null) relative.onFamily();
  }

  /** Takes a material out of its family. */
  remove(relative: Relative): void {
    const { family } = relative;
    if (family === null) return;
    family.members.delete(relative);
    relative.family = null;
    if (family.copy !== null) relative.onFamily();
    if (family.members.size > 0) return;
    this.#byKey.delete(family.key);
    family.copy?.dispose();
  }
}
