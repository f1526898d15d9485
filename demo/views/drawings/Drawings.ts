import { Group } from 'three';
import type { FrameResult } from '../../measure/FrameResult.js';
import type { Palette } from '../stage/palette.js';
import type { Drawing } from './Drawing.js';

/** Several drawings as one. */
export class Drawings implements Drawing {
  readonly object = new Group();
  readonly parts: readonly Drawing[];

  constructor(parts: readonly Drawing[]) {
    this.parts = parts;
    for (const part of parts) this.object.add(part.object);
  }

  show(result: FrameResult): void {
    for (const part of this.parts) part.show(result);
  }

  paint(palette: Palette, far: number): void {
    for (const part of this.parts) part.paint(palette, far);
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
  }
}
