import { BatchedMesh, BoxGeometry, MeshBasicMaterial, Scene } from 'three';
import { accelerate } from '../../src/index.js';

/** True for a batch whose draw lists are made by an index of ours. */
export function isDrawnByIndex(mesh: BatchedMesh): boolean {
  return Object.hasOwn(mesh, '_updateDrawParameters' in mesh ? '_updateDrawParameters' : 'onBeforeRender');
}

/** Waits until the code that draws batches is loaded, as it is with the first batch of a page. */
export async function loadBatchCode(): Promise<void> {
  const mesh = new BatchedMesh(1, 50, 50, new MeshBasicMaterial());
  mesh.addInstance(mesh.addGeometry(new BoxGeometry()));
  const scene = new Scene().add(mesh);
  const index = accelerate(scene);
  while (!isDrawnByIndex(mesh)) {
    await new Promise((resolve) => setTimeout(resolve));
    scene.updateMatrixWorld();
  }
  index.dispose();
}
