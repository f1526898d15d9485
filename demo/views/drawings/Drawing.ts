import type { Object3D } from 'three';
import type { FrameResult } from '../../measure/FrameResult.js';
import type { Palette } from '../stage/palette.js';

/** How a view draws a world. `show` is called before each frame. */
export interface Drawing {
  readonly object: Object3D;
  show(result: FrameResult): void;
  /** Colours, and the distance where the picture has faded into the sky (Infinity: never). */
  paint(palette: Palette, far: number): void;
  dispose(): void;
}
