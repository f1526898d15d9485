import type { Material } from 'three';

/** The name of the first node that a material was given; null where it has none. */
export function nodeOf(material: Material): string | null {
  const properties = material as unknown as Record<string, unknown>;
  for (const name in properties) {
    if (name.endsWith('Node') && properties[name] !== null && properties[name] !== undefined) return name;
  }
  return null;
}
