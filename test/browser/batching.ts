import { PerspectiveCamera } from 'three';

/** Waits for the code that draws meshes in batches, which loads when it is wanted first. */
export async function loadBatching(): Promise<void> {
  await import('../../src/three/autobatch/SceneBatches.js');
  await new Promise((done) => setTimeout(done));
}

/** A camera that looks at the origin. */
export function eyeAt(x: number, y: number, z: number): PerspectiveCamera {
  const camera = new PerspectiveCamera(50, 1, 0.5, 120);
  camera.position.set(x, y, z);
  camera.lookAt(0, 0, 0);
  return camera;
}
