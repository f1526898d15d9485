import { Scene } from 'three';
import { accelerate } from '../../../src/index.js';
import { loadCasters } from '../../helpers/loadCasters.js';
import { loadOcclusion } from '../../helpers/occlusion.js';

/** Loads what batches of meshes need, and what leaves out casters and what is hidden; until then every mesh is drawn by itself. */
export async function loadBatches(): Promise<void> {
  const loading = import('../../../src/batching/SceneBatches.js');
  accelerate(new Scene(), { batch: true }).dispose();
  await loading;
  await loadCasters();
  await loadOcclusion();
  await new Promise((done) => setTimeout(done));
}
