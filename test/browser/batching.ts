import { PerspectiveCamera } from 'three';

/** Waits for the code that draws meshes in batches, which loads when it is wanted first. */
export async function loadBatching(): Promise<void> {
  await import('../../src/batching/SceneBatches.js');
  await new Promise((done) => setTimeout(done));
}

/** A camera that looks at the origin. */
export function eyeAt(x: number, y: number, z: number): PerspectiveCamera {
  const camera = new PerspectiveCamera(50, 1, 0.5, 120);
  camera.position.set(x, y, z);
  camera.lookAt(0, 0, 0);
  return camera;
}

/** Waits for the code that draws transparent meshes in batches, which loads when a picture shows one that may be. */
export async function loadTransparent(show: () => void): Promise<void> {
  await loadBatching();
  for (let frame = 0; frame < 3; frame++) show();
  await import('../../src/batching/transparentRuns.js');
  await new Promise((done) => setTimeout(done));
}
