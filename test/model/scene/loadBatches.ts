import { Scene } from 'three';
import { accelerate } from '../../../src/index.js';

/** Loads what batches of meshes need; until then every mesh is drawn by itself. */
export async function loadBatches(): Promise<void> {
  const loading = import('../../../src/three/autobatch/SceneBatches.js');
  accelerate(new Scene(), { batch: true }).dispose();
  await loading;
  await new Promise((done) => setTimeout(done));
}
