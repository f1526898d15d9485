/**
 * Loads code that a page can start without, from a chunk of its own. The first call starts loading; calls return null
 * until it is there. If loading fails, one warning is logged and calls keep returning null.
 *
 *     const batches = lazy(() => import('./SceneBatches.js'));
 *     const code = batches();
 *     if (code === null) return;
 *
 * @param load Null stands for code that does not suit the page.
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
      (error) => console.warn('three-scene-index runs slower:', error),
    );
    return null;
  };
}
