import type { Object3D } from 'three';

/** What one frame found out. The arrays are shared: a drawing reads them and keeps none. */
export interface FrameResult {
  /** What the player's view draws. */
  visible: Object3D[];
  inside: Object3D[];
  intersecting: Object3D[];
  hovered: Object3D | null;
  picked: Object3D | null;
}
