import { REVISION } from 'three';
import { isKnownText, shaderChunks } from '../scene/objects/shaderChunks.js';

/** Digests of the chunks of three's shaders that say where in shadow maps a surface looks. */
const DIGESTS: Readonly<Record<string, number>> = { 186: 30871, 187: 21974 };

let seen = chunks();
const loaded = seen.join();
let isOwn = isKnownText(loaded, DIGESTS);

/**
 * True while shaders are made that filter shadows as three does. Other filters, which are patched into the chunks, may look
 * farther around in the maps. Of a revision that is not known those that were there first are three's. To be asked in each
 * picture.
 */
export function isFilterThreesOwn(): boolean {
  if (seen.some(([name, text]) => shaderChunks[name] !== text)) {
    seen = chunks();
    const text = seen.join();
    isOwn = REVISION in DIGESTS ? isKnownText(text, DIGESTS) : text === loaded;
  }
  return isOwn;
}

function chunks(): [name: string, text: string][] {
  return Object.entries(shaderChunks).filter(([name]) => /shadowm|ts_fragment_b/.test(name));
}
