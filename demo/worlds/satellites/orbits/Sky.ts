import { Vector3 } from 'three';
import { earthAngle, sunDirection } from './frame.js';

/** Where the sun is, and how far the Earth has turned: what all that is drawn follows. */
export class Sky {
  /** Unit vector to the sun. */
  readonly sun = new Vector3();
  angle = 0;

  constructor() {
    this.moveTo(0);
  }

  moveTo(seconds: number): void {
    sunDirection(seconds, this.sun);
    this.angle = earthAngle(seconds);
  }
}
