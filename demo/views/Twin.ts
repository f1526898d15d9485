import type { Camera, Object3D } from 'three';
import type { World } from '../worlds/contract/World.js';
import { PlayerView } from './PlayerView.js';

/** A copy of a world with lights of its own, which plain three draws beside the accelerated one. */
export class Twin {
  readonly view = new PlayerView();
  #world: World | null = null;
  #copy: Object3D | null = null;
  /** Objects that move, each with its copy. */
  #pairs: [Object3D, Object3D][] = [];
  #size = -1;

  constructor() {
    this.view.scene.matrixWorldAutoUpdate = true;
  }

  open(world: World): void {
    this.#copy?.removeFromParent();
    this.#copy = null;
    this.#world = world;
  }

  /** Takes over what has moved; all of it anew when objects came or went. @param size How many are drawn. */
  follow(camera: Camera, size: number): void {
    if (this.#copy === null || size !== this.#size) this.#renew();
    this.#size = size;
    for (const [from, to] of this.#pairs) {
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
      if (moves?.(from)) this.#pairs.push([from, to]);
      for (const [i, child] of from.children.entries()) pair(child, to.children[i]!);
    };
    pair(root, copy);
    if (copies) copy.add(copies.clone());
    this.view.scene.add(copy);
  }
}
