import { runPictures } from '../model/pictures/runPictures.js';

/** What is called from outside of the page. */
Object.assign(globalThis, { runPictures });
