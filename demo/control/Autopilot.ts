import { type Camera, CatmullRomCurve3, Quaternion, Vector3 } from 'three';
import type { Route } from '../worlds/contract/World.js';

const SEARCH = 200;
/** Seconds to glide back onto the route. */
const BLEND = 2;

const target = new Vector3();
const eye = new Vector3();
const from = new Quaternion();

/** Flies the player along the closed route of a world. */
export class Autopilot {
  readonly #route: Route;
  readonly #curve: CatmullRomCurve3;
  #share = 0;
  #blend = 0;

  constructor(route: Route) {
    this.#route = route;
    this.#curve = new CatmullRomCurve3(route.eyes, true, 'centripetal');
    this.#curve.arcLengthDivisions = 400;
  }

  /** Puts the player where it is after so many seconds. */
  jump(body: Camera, seconds: number): void {
    this.#share = (seconds / this.#route.seconds) % 1;
    this.#blend = 0;
    this.#look(body);
  }

  /** Continues from the nearest point of the route. */
  resume(body: Camera): void {
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < SEARCH; i++) {
      const distance = this.#curve.getPointAt(i / SEARCH, eye).distanceTo(body.position);
      if (distance < best) {
        best = distance;
        this.#share = i / SEARCH;
      }
    }
    this.#blend = BLEND;
  }

  fly(body: Camera, seconds: number): void {
    this.#share = (this.#share + seconds / this.#route.seconds) % 1;
    if (this.#blend <= 0) {
      this.#look(body);
      return;
    }
    const pull = Math.min(1, (2.5 * seconds) / this.#blend);
    this.#blend -= seconds;
    eye.copy(body.position);
    from.copy(body.quaternion);
    this.#look(body);
    body.position.lerpVectors(eye, body.position, pull);
    body.quaternion.slerpQuaternions(from, body.quaternion, pull);
  }

  #look(body: Camera): void {
    const { lookAt, ahead = 0, dip = 0 } = this.#route;
    this.#curve.getPointAt(this.#share, body.position);
    if (lookAt) target.copy(lookAt);
    else this.#curve.getPointAt((this.#share + ahead) % 1, target).setY(body.position.y - dip);
    body.lookAt(target);
  }
}
