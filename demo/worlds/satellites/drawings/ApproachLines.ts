import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicMaterial, LineSegments } from 'three';
import { OwnDrawing } from '../../../views/drawings/Drawing.js';
import type { Palette } from '../../../views/stage/palette.js';
import type { Approach } from '../orbits/CloseApproaches.js';

/** Lines drawn at most; the nearest come first. */
const MOST = 2000;

/** A line between the two of each close pair. */
export class ApproachLines extends OwnDrawing {
  override readonly object: LineSegments<BufferGeometry, LineBasicMaterial>;
  readonly #approaches: readonly Approach[];
  readonly #places: Float64Array;
  readonly #ends = new BufferAttribute(new Float32Array(6 * MOST), 3).setUsage(DynamicDrawUsage);

  constructor(approaches: readonly Approach[], places: Float64Array) {
    super();
    this.#approaches = approaches;
    this.#places = places;
    const geometry = new BufferGeometry().setAttribute('position', this.#ends);
    this.object = new LineSegments(geometry, new LineBasicMaterial({ fog: false }));
    this.object.frustumCulled = false;
  }

  override show(): void {
    const ends = this.#ends.array as Float32Array;
    const places = this.#places;
    const count = Math.min(MOST, this.#approaches.length);
    for (let i = 0; i < count; i++) {
      const { a, b } = this.#approaches[i]!;
      for (let c = 0; c < 3; c++) {
        ends[6 * i + c] = places[3 * a + c]!;
        ends[6 * i + 3 + c] = places[3 * b + c]!;
      }
    }
    this.object.geometry.setDrawRange(0, 2 * count);
    this.#ends.needsUpdate = true;
  }

  override paint({ near }: Palette): void {
    this.object.material.color.copy(near);
  }
}
