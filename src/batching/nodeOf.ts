import type { Material } from 'three';

/** By material without nodes the version in which none was found. */
const plain = new WeakMap<Material, number>();

/**
 * The name of the first node that a material was given; null where it has none. WebGPURenderer takes nodes of materials of all
 * kinds; where they are not expected they are looked for once in each version.
 */
export function nodeOf(material: Material & { isNodeMaterial?: boolean }): string | null {
  if (plain.get(material) === material.version) return null;
  for (const name in material) if (name.endsWith('Node') && material[name as never]) return name;
  if (!material.isNodeMaterial) plain.set(material, material.version);
  return null;
}
