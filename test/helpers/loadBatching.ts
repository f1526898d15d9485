import { Scene } from 'three';
import { batchReports } from '../../src/batching/MeshBatching.js';
import { accelerate } from '../../src/index.js';

/** Waits until the code is there that draws meshes in batches, as it is some frames after the first scene wanted it. */
export async function loadBatching(): Promise<void> {
  const scene = new Scene();
  const index = accelerate(scene, { batch: true });
  while (batchReports.get(scene)?.made === null) await new Promise((resolve) => setTimeout(resolve));
  index.dispose();
}
