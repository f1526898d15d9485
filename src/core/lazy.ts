/**
 * Code in a chunk of its own, for what a page can start without. The first call starts to load it; calls return null until
 * it is there. If it cannot be loaded, a warning says so and the result stays null, so callers must work without.
 *
 *     const batches = lazy(() => import('./SceneBatches.js'));
 *     const code = batches();
 *     if (code === null) return;
 *
 * @param load May return null for code that turns out not to suit the page.
 */
export function lazy<T>(load: () => Promise<T | null>): () => T | null {
  let code: T | null = null;
  let isRequested = false;
  return () => {
    if (isRequested) return code;
    isRequested = true;
    load().then(
      (loaded) => {
        code = loaded;
      },
      (error) => console.warn('three-scene-index runs slower without', error),
    );
    return null;
  };
}
