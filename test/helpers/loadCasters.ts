import { Scene } from 'three';
import { accelerateNow } from './indexed.js';

/** Loads what leaves casters out of shadow passes; until then all of them are drawn. */
export async function loadCasters(): Promise<void> {
  accelerateNow(new Scene(), { cullCasters: true }).dispose();
  await import('../../src/render/CasterCulling.js');
  await new Promise((done) => setTimeout(done));
}
