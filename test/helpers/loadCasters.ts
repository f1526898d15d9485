import { Scene } from 'three';
import { accelerate } from '../../src/index.js';

/** Loads what leaves casters out of shadow passes; until then all of them are drawn. */
export async function loadCasters(): Promise<void> {
  accelerate(new Scene(), { cullCasters: true }).dispose();
  await import('../../src/render/CasterCulling.js');
  await new Promise((done) => setTimeout(done));
}
