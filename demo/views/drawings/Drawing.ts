import type { Object3D } from 'three';
import type { FrameResult } from '../../measure/FrameResult.js';
import type { Palette } from '../stage/palette.js';

/** How one view draws a world: told before each frame what is in view. */
export interface Drawing {
  readonly object: Object3D;
  show(result: FrameResult): void;
  /** Colours, and the distance where the picture has faded into the sky (Infinity: never). */
  paint(palette: Palette, far: number): void;
  dispose(): void;
}
