import { runOcclusion } from '../model/occlusion/runOcclusion.js';

/** What is called from outside of the page. */
Object.assign(globalThis, { runOcclusion });
