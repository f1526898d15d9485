import { Scene } from 'three';
import { accelerate, loadOcclusion } from '../../../src/index.js';
import { eye } from '../../helpers/cameras.js';
import { accelerateNow } from '../../helpers/indexed.js';
import { loadCasters } from '../../helpers/loadCasters.js';
import { mainPass } from '../../helpers/passes.js';

/** Loads what says when scenes that stand by wake. */
export async function loadProspects(): Promise<void> {
  const scene = new Scene();
  const index = accelerate(scene);
  mainPass(scene, eye());
  await import('../../../src/render/Prospects.js');
  await new Promise((done) => setTimeout(done));
  index.dispose();
}

/** Loads what batches of meshes need, and what leaves out casters and what is hidden; until then every mesh is drawn by itself. */
export async function loadBatches(): Promise<void> {
  const loading = import('../../../src/batching/SceneBatches.js');
  accelerateNow(new Scene(), { batch: true }).dispose();
  await loading;
  await loadCasters();
  await loadOcclusion();
  await loadProspects();
  await new Promise((done) => setTimeout(done));
}
