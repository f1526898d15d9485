import {
  type BatchedMesh,
  BufferAttribute,
  BufferGeometry,
  type Camera,
  Frustum,
  Group,
  Matrix4,
  Points,
  PointsMaterial,
} from 'three';
import { OwnDrawing } from '../../views/drawings/Drawing.js';
import type { Palette } from '../../views/stage/palette.js';

/** Dots at most: more would lie on each other. */
export const MOST = 100_000;

/** A galaxy from above, a dot for each box or for one of so many; those in view once more, clipped by the player's frustum. */
export class GalaxyDots extends OwnDrawing {
  override readonly object = new Group();
  readonly #dots = new BufferGeometry();
  readonly #matrix = new Matrix4();
  readonly #frustum = new Frustum();
  readonly #culled = new PointsMaterial({ size: 1, sizeAttenuation: false });
  readonly #seen = new PointsMaterial({ size: 1.5, sizeAttenuation: false, depthTest: false });

  constructor() {
    super();
    this.#seen.clippingPlanes = this.#frustum.planes;
    this.object.add(new Points(this.#dots, this.#culled), new Points(this.#dots, this.#seen));
    for (const points of this.object.children) points.frustumCulled = false;
  }

  take(galaxy: BatchedMesh, count: number): void {
    const step = Math.ceil(count / MOST);
    const centres = new BufferAttribute(new Float32Array(3 * Math.floor(count / step)), 3);
    for (let i = 0; i < centres.count; i++) {
      galaxy.getMatrixAt(i * step, this.#matrix);
      centres.setXYZ(i, this.#matrix.elements[12], this.#matrix.elements[13], this.#matrix.elements[14]);
    }
    this.#dots.dispose();
    this.#dots.setAttribute('position', centres);
  }

  /** Takes the frustum of the player's camera. */
  aim({ projectionMatrix, matrixWorldInverse, coordinateSystem }: Camera): void {
    this.#matrix.multiplyMatrices(projectionMatrix, matrixWorldInverse);
    this.#frustum.setFromProjectionMatrix(this.#matrix, coordinateSystem);
  }

  override paint({ culled, inside }: Palette): void {
    this.#culled.color.copy(culled);
    this.#seen.color.copy(inside);
  }
}
