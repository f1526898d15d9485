// Functions about shadow passes for lazily loaded code.

/** Index of a list of draws. A render has two: its camera's, and that of the shadow pass in progress. */
export function listOf(nesting: number, isShadow: boolean): number {
  return 2 * nesting + (isShadow ? 1 : 0);
}

/** True for the material that replaces all others while `WebGPURenderer` draws a shadow map. */
export function isShadowMaterial(material: object | null): boolean {
  return (material as { isShadowPassMaterial?: boolean } | null)?.isShadowPassMaterial === true;
}
