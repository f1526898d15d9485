import { type BufferGeometry, type Material, Mesh } from 'three';

/** One of a crowd. It is indexed, culled and picked; others draw all of them at once, each by its number. */
export class NumberedMesh extends Mesh {
  readonly number: number;

  constructor(geometry: BufferGeometry, material: Material, number: number) {
    super(geometry, material);
    this.number = number;
  }
}
