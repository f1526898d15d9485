import type { Object3D } from 'three';

/** What a frame shows. The arrays are reused from frame to frame: drawings read them and keep no reference. */
export interface FrameResult {
  /** What the player's view draws. */
  visible: Object3D[];
  inside: Object3D[];
  intersecting: Object3D[];
  /** Of the two before, what lies behind others; empty in worlds that do not ask. */
  hidden: Object3D[];
  hovered: Object3D | null;
  picked: Object3D | null;
}
