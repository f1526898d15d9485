import { type BufferGeometry, type Material, Mesh } from 'three';

/** A place on the map as an object of the scene. It is indexed, culled and picked; others draw it as an instance. */
export class Tower extends Mesh {
  /** Its number in the list of places. */
  readonly place: number;

  constructor(geometry: BufferGeometry, material: Material, place: number) {
    super(geometry, material);
    this.place = place;
    this.matrixAutoUpdate = false;
    this.matrixWorldAutoUpdate = false;
  }

  /** Stands on (x, 0, z), once and for all. */
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
