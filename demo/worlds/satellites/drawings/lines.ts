import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Line, LineBasicMaterial, LineSegments } from 'three';
import type { FrameResult } from '../../../measure/FrameResult.js';
import { OwnDrawing } from '../../../views/drawings/Drawing.js';
import { NumberedMesh } from '../../../views/drawings/NumberedMesh.js';
import type { Palette } from '../../../views/stage/palette.js';
import type { Approach } from '../orbits/CloseApproaches.js';
import type { Ephemeris } from '../orbits/Ephemeris.js';

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

const POINTS = 241;
/** Orbits turn slowly: after so many seconds the line is drawn anew. */
const LASTS = 600;

/** One revolution of the picked satellite. */
export class OrbitLine extends OwnDrawing {
  override readonly object: Line<BufferGeometry, LineBasicMaterial>;
  readonly #ephemeris: Ephemeris;
  readonly #points = new BufferAttribute(new Float32Array(3 * POINTS), 3);
  #satellite = -1;
  #seconds = 0;

  constructor(ephemeris: Ephemeris) {
    super();
    this.#ephemeris = ephemeris;
    const geometry = new BufferGeometry().setAttribute('position', this.#points);
    this.object = new Line(geometry, new LineBasicMaterial({ fog: false }));
    this.object.frustumCulled = false;
  }

  override show({ picked }: FrameResult): void {
    const satellite = picked instanceof NumberedMesh ? picked.number : -1;
    this.object.visible = satellite >= 0;
    const { seconds } = this.#ephemeris;
    if (satellite < 0 || (satellite === this.#satellite && Math.abs(seconds - this.#seconds) < LASTS)) return;
    this.#satellite = satellite;
    this.#seconds = seconds;
    const count = this.#ephemeris.trace(satellite, this.#points.array as Float32Array);
    this.object.geometry.setDrawRange(0, count);
    this.#points.needsUpdate = true;
  }

  override paint({ picked }: Palette): void {
    this.object.material.color.copy(picked);
  }
}
