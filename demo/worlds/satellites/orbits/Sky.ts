import { Vector3 } from 'three';
import { earthAngle, sunDirection } from './frame.js';

/** Position of the sun and rotation of the Earth, for all drawings. */
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
