import { ConeGeometry, Group, Mesh, MeshLambertMaterial, SphereGeometry } from 'three';
import { OwnDrawing } from '../../views/drawings/Drawing.js';
import type { Palette } from '../../views/stage/palette.js';
import type { Surroundings } from './Surroundings.js';

/** The player as others see it: a cloak and a head, larger than anyone else. */
export class Avatar extends OwnDrawing {
  override readonly object = new Group();
  readonly #around: Surroundings;
  readonly #material = new MeshLambertMaterial({ flatShading: true });

  constructor(around: Surroundings) {
    super();
    this.#around = around;
    for (const shape of [
      new ConeGeometry(0.9, 2.4, 9).translate(0, 1.2, 0),
      new SphereGeometry(0.48, 12, 8).translate(0, 2.5, 0),
    ]) {
      this.object.add(new Mesh(shape, this.#material));
    }
  }

  override show(): void {
    this.object.position.copy(this.#around.position);
    this.object.rotation.y = this.#around.heading;
    this.object.updateMatrixWorld(true);
  }

  override paint({ hovered }: Palette): void {
    this.#material.color.copy(hovered);
  }
}
