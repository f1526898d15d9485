import { isKnownText, shaderChunks } from '../objects/shaderChunks.js';

/** The chunks of three's shaders that say where in shadow maps a surface looks, as they were when this was loaded. */
const CHUNKS = Object.entries(shaderChunks).filter(([name]) => /shadowm|ts_fragment_b/.test(name));

/** Whether they were three's own then. */
let wereOwn: boolean | undefined;

/**
 * True while shaders are made that filter shadows as three does. Other filters, which are patched into the chunks, may look
 * farther around in the maps. To be asked in each picture.
 */
export function isFilterThreesOwn(): boolean {
  wereOwn ??= isKnownText(CHUNKS.join(), { 186: 30871, 187: 21974 });
  return wereOwn && CHUNKS.every(([name, text]) => shaderChunks[name] === text);
}
