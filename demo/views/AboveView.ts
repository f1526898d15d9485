import { DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { FrameResult } from '../measure/FrameResult.js';
import type { World } from '../worlds/contract/World.js';
import type { Drawing } from './drawings/Drawing.js';
import { PlayerShape } from './PlayerShape.js';
import type { Palette } from './stage/palette.js';

/** The same world from above: classes in colour, and the player's frustum. */
export class AboveView {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(40, 1, 0.5, 2000);
  readonly controls: OrbitControls;
  readonly #player = new PlayerShape();
  readonly #last = new Vector3();
  #follows = false;
  #drawing: Drawing | null = null;

  constructor(pane: HTMLElement) {
    const sun = new DirectionalLight('#ffffff', 2.2);
    sun.position.set(0.4, 1, 0.55);
    this.scene.add(sun, new HemisphereLight('#ffffff', '#8090a0', 1.5), this.#player.object);
    this.controls = new OrbitControls(this.camera, pane);
    this.controls.enableDamping = true;
    this.controls.maxPolarAngle = 0.49 * Math.PI;
    this.controls.zoomToCursor = true;
    this.controls.listenToKeyEvents(pane);
    this.controls.keyPanSpeed = 24;
  }

  /** Shows a world. On a narrow pane the camera steps back. */
  open(world: World, eye: Vector3, aspect: number): void {
    this.#drawing?.object.removeFromParent();
    this.#drawing = world.above;
    this.#follows = world.follow;
    this.#last.copy(eye);
    const { controls } = this;
    const size = world.bounds.getSize(new Vector3()).length();
    controls.minDistance = 0.01 * size;
    controls.maxDistance = 4 * size;
    this.camera.far = 6 * size;
    const { eye: from, target } = world.overview;
    controls.target.copy(target);
    this.camera.position
      .copy(from)
      .sub(target)
      .multiplyScalar(Math.max(1, 1 / aspect))
      .add(target);
    if (world.follow) this.#shift(new Vector3(eye.x, 0, eye.z));
    this.camera.updateProjectionMatrix();
    controls.update();
  }

  get pose(): number[] {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()];
  }

  set pose([x, y, z, u, v, w]: number[]) {
    this.camera.position.set(x!, y!, z!);
    this.controls.target.set(u!, v!, w!);
    this.controls.update();
  }

  paint(palette: Palette): void {
    this.scene.background = palette.backdrop;
    this.#player.paint(palette);
  }

  follow(eye: Vector3): void {
    const travelled = new Vector3(eye.x - this.#last.x, 0, eye.z - this.#last.z);
    this.#last.copy(eye);
    if (this.#follows) this.#shift(travelled);
    this.controls.update();
  }

  show(result: FrameResult, player: PerspectiveCamera): void {
    this.#drawing?.show(result);
    if (this.#drawing) this.scene.add(this.#drawing.object);
    this.#player.show(player, this.camera);
  }

  #shift(by: Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
  }
}
