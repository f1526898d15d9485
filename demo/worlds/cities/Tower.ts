import type { BufferGeometry, Material } from 'three';
import { NumberedMesh } from '../../views/drawings/NumberedMesh.js';

/** A place on the map; its number is that in the list of places. */
export class Tower extends NumberedMesh {
  constructor(geometry: BufferGeometry, material: Material, number: number) {
    super(geometry, material, number);
    this.matrixAutoUpdate = false;
    this.matrixWorldAutoUpdate = false;
  }

  /** Places it on (x, 0, z). It never moves again. */
  stand(x: number, z: number, width: number, height: number): void {
    this.position.set(x, 0, z);
    this.scale.set(width, height, width);
    const { elements } = this.matrix;
    elements[0] = elements[10] = width;
    elements[5] = height;
    elements[12] = x;
    elements[14] = z;
    this.matrixWorld.copy(this.matrix);
  }
}
