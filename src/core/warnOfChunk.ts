/** Says that a chunk of code could not be loaded, as the error tells. All works without it. */
export function warnOfChunk(error: unknown): void {
  console.warn('three-scene-index runs slower without', error);
}
