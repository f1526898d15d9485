import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial } from 'three';
import type { FrameResult } from '../../../measure/FrameResult.js';
import { OwnDrawing } from '../../../views/drawings/Drawing.js';
import { NumberedMesh } from '../../../views/drawings/NumberedMesh.js';
import type { Palette } from '../../../views/stage/palette.js';
import type { Ephemeris } from '../orbits/Ephemeris.js';

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
