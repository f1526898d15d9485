import { Camera, Vector3 } from 'three';
import type { PlayerPose, World } from '../worlds/contract/World.js';
import { Autopilot } from './Autopilot.js';
import { FlyControls } from './FlyControls.js';

/** The boom ends above the ground, however far one looks up. */
const LOWEST = 0.5;

/**
 * Who goes through the world, by keys and fingers or by the autopilot. The body is what moves; the eye sits in it, or, of
 * one who walks, at the end of a boom.
 */
export class Player implements PlayerPose {
  readonly body = new Camera();
  readonly ahead = new Vector3();
  readonly #controls: FlyControls;
  #pilot: Autopilot | null = null;
  #boom: World['boom'];

  constructor(pane: HTMLElement, onTakeOver: () => void) {
    this.#controls = new FlyControls(this.body, pane, onTakeOver);
  }

  get position(): Vector3 {
    return this.body.position;
  }

  /** Enters a world, at the place on its route after so many seconds. */
  open(world: World, seconds: number): void {
    this.#boom = world.boom;
    this.#controls.speed = world.speed;
    this.#controls.walks = world.boom !== undefined;
    const floor = world.ground + (world.boom ? 0 : 2 * world.near);
    this.#controls.confine = (position) => {
      if (world.confine) world.confine(position);
      else position.y = Math.max(floor, position.y);
    };
    this.#pilot = new Autopilot(world.route);
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

  /** Moves on. `held`: seconds for which keys were held; `flown`: seconds for the autopilot. */
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
