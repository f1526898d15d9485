import { warnOfChunk } from '../../core/warnOfChunk.js';

type Code = typeof import('./mergeRuns.js');

let code: Code | null = null;
let isRequested = false;

/** The code that draws transparent meshes in batches, a chunk of its own: loaded when asked for; null until it is there. */
export function transparentCode(): Code | null {
  if (!isRequested) {
    isRequested = true;
    import('./mergeRuns.js').then((loaded) => {
      code = loaded;
    }, warnOfChunk);
  }
  return code;
}
