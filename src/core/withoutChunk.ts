/**
 * What is done about code that could not be loaded: it is said, and all goes on without it.
 * @param consequence What is so from now on, in words.
 */
export function withoutChunk(consequence: string): (error: unknown) => void {
  return (error) => console.warn(`three-scene-index: a part of its code could not be loaded; ${consequence}`, error);
}
