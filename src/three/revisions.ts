import { BatchedMesh, REVISION } from 'three';

/** Since r187 batches keep the matrices of the last frame, for motion vectors, and make their draw lists on demand. */
export const IS_R187: boolean = '_updateDrawParameters' in BatchedMesh.prototype;

/** Since r187 `WebGPURenderer` asks each object for its instances. */
export const ASKS_EACH_OBJECT: boolean = Number.parseInt(REVISION, 10) >= 187;
