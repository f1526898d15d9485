import { ConeGeometry, Group, Mesh, MeshLambertMaterial, SphereGeometry } from 'three';
import type { Drawing } from '../../views/drawings/Drawing.js';
import type { Palette } from '../../views/stage/palette.js';
import type { Surroundings } from './Surroundings.js';

/** The player as others see it: a cloak and a head, larger than anyone else. */
export class Avatar implements Drawing {
  readonly object = new Group();
  readonly #around: Surroundings;
  readonly #material = new MeshLambertMaterial({ flatShading: true });
  readonly #parts = [
    new Mesh(new ConeGeometry(0.9, 2.4, 9).translate(0, 1.2, 0), this.#material),
    new Mesh(new SphereGeometry(0.48, 12, 8).translate(0, 2.5, 0), this.#material),
  ];

  constructor(around: Surroundings) {
    this.#around = around;
    this.object.add(...this.#parts);
  }

  show(): void {
    this.object.position.copy(this.#around.position);
    this.object.rotation.y = this.#around.heading;
    this.object.updateMatrixWorld(true);
  }

  paint({ hovered }: Palette): void {
    this.#material.color.copy(hovered);
  }

  dispose(): void {
    for (const { geometry } of this.#parts) geometry.dispose();
    this.#material.dispose();
  }
}
