import { Group, Mesh, MeshBasicMaterial, MeshLambertMaterial, PlaneGeometry } from 'three';
import type { Drawing } from '../../views/drawings/Drawing.js';
import type { Palette } from '../../views/stage/palette.js';
import type { Ground } from './Ground.js';
import { HALF, SEA } from './land.js';

/** The island from above, in the colour of a map: the classes of the trees are what one is to see. */
export class GroundMap implements Drawing {
  readonly object = new Group();
  readonly #land = new MeshLambertMaterial();
  readonly #water = new MeshBasicMaterial();

  constructor({ island }: Ground) {
    for (const { geometry } of island.children as Mesh[]) this.object.add(new Mesh(geometry, this.#land));
    const sea = new Mesh(new PlaneGeometry(2.2 * HALF, 2.2 * HALF).rotateX(-Math.PI / 2), this.#water);
    sea.position.y = SEA;
    this.object.add(sea);
  }

  show(): void {}

  paint({ plainDay, plain }: Palette): void {
    this.#land.color.copy(plainDay).lerp(plain, 0.5);
    this.#water.color.copy(plain);
  }

  dispose(): void {
    (this.object.children.at(-1) as Mesh).geometry.dispose();
    this.#land.dispose();
    this.#water.dispose();
  }
}
