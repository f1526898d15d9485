import { BatchedMesh } from 'three';
import { NumberedMesh } from '../../views/drawings/NumberedMesh.js';
import type { Galaxy } from './Galaxy.js';

/** Stands for an instance where an object is asked for: its number, its place and its shape. It is not in the scene. */
export class PickedBox extends NumberedMesh {
  override readonly type = 'Instance';
  readonly galaxy: Galaxy;

  constructor(galaxy: Galaxy, number: number) {
    super(galaxy.box, galaxy.material, number);
    this.galaxy = galaxy;
    this.name = `Box ${number.toLocaleString('en')}`;
    galaxy.mesh.getMatrixAt(number, this.matrix);
    this.matrix.decompose(this.position, this.quaternion, this.scale);
    this.matrixWorld.copy(this.matrix);
    this.matrixAutoUpdate = false;
  }

  set isShown(isShown: boolean) {
    if (this.galaxy.mesh instanceof BatchedMesh) this.galaxy.mesh.setVisibleAt(this.number, isShown);
  }
}
