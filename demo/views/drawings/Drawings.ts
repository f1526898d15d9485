import { Group } from 'three';
import type { Sight } from '../../measure/Sight.js';
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

  show(sight: Sight): void {
    for (const part of this.parts) part.show(sight);
  }

  paint(palette: Palette, far: number): void {
    for (const part of this.parts) part.paint(palette, far);
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
  }
}
