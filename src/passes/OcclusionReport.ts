import type { Camera, Object3D, Scene } from 'three';

/** What is known of which objects of an accelerated scene are hidden behind others. */
export interface OcclusionReport {
  /** True when an object was left out of the last picture of a camera, as it is behind others. */
  isHidden(object: Object3D, camera: Camera): boolean;
  /** Why an object is never hidden; null for one that may be. */
  whyNeverHidden(object: Object3D): string | null;
  /** Why nothing was looked for behind others in the last picture of a camera; null where it was, or there is no picture. */
  whyNothing(camera: Camera): string | null;
  /** The buffer as it was for the last picture of a camera; null where there is none. */
  bufferOf(camera: Camera): OcclusionPicture | null;
}

/** By accelerated scene, once the code has loaded. */
export const occlusionReports: WeakMap<Scene, OcclusionReport> = new WeakMap();

/** What was drawn into the buffer: an object, or an instance of it. */
interface DrawnOccluder {
  readonly object: Object3D;
  /** Sixteen numbers. */
  readonly world: ArrayLike<number>;
}

/** What was found for a picture; valid until the next one. */
export interface OcclusionPicture {
  readonly width: number;
  readonly height: number;
  /** How near what is drawn there is at least: 1 on the near plane, 0 on the far plane; from the lowest row up. */
  readonly near: Float32Array;
  readonly occluders: readonly DrawnOccluder[];
  /** What was left out of it, and has not gone since. */
  readonly hidden: Object3D[];
}
