import { Camera, Vector3 } from 'three';
import type { PlayerPose, Route, World } from '../worlds/contract/World.js';
import { Autopilot } from './Autopilot.js';
import { FlyControls } from './FlyControls.js';

/** Lowest height of a camera on the boom. */
const LOWEST = 0.5;

/**
 * The player: moved by keys, pointer or autopilot. `body` is what moves; the camera sits in it or, when walking, behind
 * and above it on a boom.
 */
export class Player implements PlayerPose {
  readonly body = new Camera();
  readonly ahead = new Vector3();
  readonly #controls: FlyControls;
  #pilot: Autopilot | null = null;
  #route: Route | null = null;
  #boom: World['boom'];

  constructor(pane: HTMLElement, onTakeOver: () => void) {
    this.#controls = new FlyControls(this.body, pane, onTakeOver);
  }

  get position(): Vector3 {
    return this.body.position;
  }

  /** Enters a world at the point of its route that is reached after so many seconds. */
  open(world: World, seconds: number): void {
    this.#boom = world.boom;
    this.#controls.speed = world.speed;
    this.#controls.walks = world.boom !== undefined;
    const floor = world.ground + (world.boom ? 0 : 2 * world.near);
    this.#controls.confine = (position) => {
      if (world.confine) world.confine(position);
      else position.y = Math.max(floor, position.y);
    };
    this.#route = null;
    this.goTo(world.route, seconds);
  }

  /** Enters another route, where it is after so many seconds. Stays on the one it has. */
  goTo(route: Route, seconds = 0): void {
    if (route === this.#route) return;
    this.#route = route;
    this.#pilot = new Autopilot(route);
    this.#pilot.jump(this.body, seconds);
  }

  /** The autopilot takes over from here. */
  resume(): void {
    this.#pilot?.resume(this.body);
  }

  lookFrom([x, y, z, u, v, w]: number[]): void {
    this.body.position.set(x!, y!, z!);
    this.body.lookAt(u!, v!, w!);
  }

  /** Where it is and a point ahead: what `lookFrom` takes. */
  get pose(): number[] {
    const { position, ahead } = this;
    return [...position.toArray(), ...ahead.clone().multiplyScalar(10).add(position).toArray()];
  }

  /** Moves the player. `held`: seconds that held keys count; `flown`: seconds of the autopilot. */
  move(byPilot: boolean, held: number, flown: number): void {
    if (!byPilot) this.#controls.fly(held);
    else if (flown > 0) this.#pilot?.fly(this.body, flown);
    this.body.updateMatrixWorld();
    this.body.getWorldDirection(this.ahead);
  }

  /** Puts a camera where the eye is. */
  placeCamera(camera: Camera): void {
    camera.position.copy(this.body.position);
    camera.quaternion.copy(this.body.quaternion);
    if (this.#boom) {
      camera.position.addScaledVector(this.ahead, -this.#boom.back);
      camera.position.y = Math.max(LOWEST, camera.position.y + this.#boom.up);
    }
    camera.updateMatrixWorld();
  }
}
