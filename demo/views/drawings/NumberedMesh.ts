import { type BufferGeometry, type Material, Mesh } from 'three';

/** One of many similar objects. It is indexed, culled and picked; a drawing draws all of them at once, by number. */
export class NumberedMesh extends Mesh {
  readonly number: number;

  constructor(geometry: BufferGeometry, material: Material, number: number) {
    super(geometry, material);
    this.number = number;
  }
}
