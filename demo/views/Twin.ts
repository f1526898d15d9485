import type { Camera, Object3D } from 'three';
import type { World } from '../worlds/contract/World.js';
import { PlayerView } from './PlayerView.js';

/** A copy of a world with lights of its own, which plain three draws beside the accelerated one. */
export class Twin {
  readonly view = new PlayerView();
  #world: World | null = null;
  #copy: Object3D | null = null;
  /** All objects, each with its copy; and those that move. */
  #pairs: [Object3D, Object3D][] = [];
  #moving: [Object3D, Object3D][] = [];
  #size = -1;

  constructor() {
    this.view.scene.matrixWorldAutoUpdate = true;
  }

  open(world: World): void {
    this.#copy?.removeFromParent();
    this.#copy = null;
    this.#pairs = this.#moving = [];
    this.#world = world;
  }

  /** Takes over what has moved, was hidden or shown; all of it anew when objects came or went. @param size How many there are. */
  follow(camera: Camera, size: number): void {
    if (this.#copy === null || size !== this.#size) this.#renew();
    this.#size = size;
    for (const [from, to] of this.#pairs) to.visible = from.visible;
    for (const [from, to] of this.#moving) {
      to.position.copy(from.position);
      to.quaternion.copy(from.quaternion);
    }
    this.view.camera.position.copy(camera.position);
    this.view.show(null);
  }

  #renew(): void {
    const { root, moves, copies } = this.#world as World;
    this.#copy?.removeFromParent();
    const copy = root.clone();
    this.#copy = copy;
    this.#pairs = [];
    const pair = (from: Object3D, to: Object3D): void => {
      this.#pairs.push([from, to]);
      for (const [i, child] of from.children.entries()) pair(child, to.children[i]!);
    };
    pair(root, copy);
    this.#moving = this.#pairs.filter(([from]) => moves?.(from));
    if (copies) copy.add(copies.clone());
    this.view.scene.add(copy);
  }
}
