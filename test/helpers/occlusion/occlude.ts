import { Frustum, Matrix4, type PerspectiveCamera, Vector3 } from 'three';
import type { OcclusionBuffer } from '../../../src/occlusion/OcclusionBuffer.js';
import type { World } from './worlds.js';

/** Most meshes and triangles that are drawn as occluders. */
export interface Budget {
  meshes: number;
  triangles: number;
}

export const BUDGET: Budget = { meshes: 64, triangles: 4096 };
export const PICTURE: { viewportWidth: number; viewportHeight: number } = { viewportWidth: 1920, viewportHeight: 1080 };

/** Pixels of the buffer that an occluder covers at least. */
const LEAST_PIXELS = 24;
/** Candidates for each that may be drawn: some turn out to be hidden themselves. */
const SPARE = 4;

/** A plain choice of occluders: the largest on the screen, nearest first. */
export class Occluders {
  readonly #world: World;
  readonly #budget: Budget;
  /** The largest face of the box of each that is not small for its world; 0 for all others. */
  readonly #faces: Float64Array;
  readonly #large: number[];

  constructor(world: World, budget: Budget = BUDGET) {
    this.#world = world;
    this.#budget = budget;
    const { boxes, geometryOf, geometries, size } = world;
    this.#faces = Float64Array.from({ length: size }, (_, id) => {
      const [a, b] = [0, 1, 2].map((k) => boxes[6 * id + 3 + k] - boxes[6 * id + k]).sort((x, y) => y - x);
      return (a * b) / (1 + geometries[geometryOf[id]].mesh.triangleCount / 256);
    });
    const least = Float64Array.from(this.#faces).sort()[Math.floor(0.99 * size)] / 256;
    this.#large = [...this.#faces.keys()].filter((id) => this.#faces[id] >= least);
  }

  /** Those that may be drawn for a camera, of those in view, nearest first. */
  choose(camera: PerspectiveCamera, inView: Uint8Array, height: number): number[] {
    const { boxes } = this.#world;
    const eye = new Vector3().setFromMatrixPosition(camera.matrixWorld).toArray();
    const pixels = ((height / 2) * camera.projectionMatrix.elements[5]) ** 2;
    const candidates = this.#large.flatMap((id) => {
      if (inView[id] === 0) return [];
      const square = [0, 1, 2].reduce(
        (sum, k) => sum + Math.max(boxes[6 * id + k] - eye[k], 0, eye[k] - boxes[6 * id + 3 + k]) ** 2,
        1e-6,
      );
      const score = this.#faces[id] / square;
      return score * pixels < LEAST_PIXELS ? [] : [{ id, square, score }];
    });
    candidates.sort((a, b) => b.score - a.score);
    candidates.length = Math.min(candidates.length, SPARE * this.#budget.meshes);
    return candidates.sort((a, b) => a.square - b.square).map(({ id }) => id);
  }

  /** Fills a buffer, up to the budget. */
  draw(buffer: OcclusionBuffer, camera: PerspectiveCamera, order: number[]): void {
    const { geometries, geometryOf, matrices, boxes } = this.#world;
    buffer.beginPass({
      projection: camera.projectionMatrix.elements,
      view: camera.matrixWorldInverse.elements,
      ...PICTURE,
    });
    for (const id of order) {
      if (buffer.occluders >= this.#budget.meshes || buffer.triangles >= this.#budget.triangles) break;
      // What is hidden hides nothing more.
      if (!buffer.isHidden(boxes, 6 * id)) buffer.draw(geometries[geometryOf[id]].mesh, matrices, 16 * id);
    }
    buffer.end();
  }
}

/** The six planes of a camera, as three makes them. */
export function planesOf(camera: PerspectiveCamera): Float64Array {
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const { planes } = new Frustum().setFromProjectionMatrix(matrix);
  return Float64Array.from(planes.flatMap(({ normal, constant }) => [...normal.toArray(), constant]));
}
