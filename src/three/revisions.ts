import { BatchedMesh, Mesh, REVISION } from 'three';

/** Since r187 batches keep the matrices of the last frame, for motion vectors, and make their lists when asked. */
export const IS_R187: boolean = '_updateDrawParameters' in BatchedMesh.prototype;

/** Since r187 `WebGPURenderer` asks each object for its instances. */
export const ASKS_EACH_OBJECT: boolean = Number.parseInt(REVISION, 10) >= 187;

/** Since r186 renderers ask each object whether it meets a frustum, which lists are made by. */
export function checkRevision(where: string): void {
  if (Mesh.prototype.intersectsFrustum !== undefined) return;
  throw new Error(`${where}: needs three r186 or newer, this is r${REVISION}; SceneIndex alone works with r168`);
}
