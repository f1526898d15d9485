import type { Object3D } from 'three';
import type { Palette } from './palette.js';

/** What one frame found out. The arrays are shared: a drawing reads them and keeps none. */
export interface Sight {
  /** What the player's view draws. */
  visible: Object3D[];
  inside: Object3D[];
  intersecting: Object3D[];
  hovered: Object3D | null;
  picked: Object3D | null;
}

/** How one view draws a world: told before each frame what is in sight. */
export interface Drawing {
  readonly object: Object3D;
  show(sight: Sight): void;
  /** Colours, and the distance where the picture has faded into the sky (Infinity: never). */
  paint(palette: Palette, far: number): void;
  dispose(): void;
}
