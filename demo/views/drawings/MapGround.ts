import {
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
} from 'three';
import type { Palette } from '../stage/palette.js';
import { OwnDrawing } from './Drawing.js';

/** How long it is along x and along z, and how far its lines are apart. */
interface GroundSize {
  width: number;
  depth: number;
  step: number;
}

/** Flat ground around the origin, with lines on it. */
export class MapGround extends OwnDrawing {
  override readonly object = new Group();
  readonly #plane: Mesh<PlaneGeometry, MeshBasicMaterial>;
  readonly #lines: LineSegments<BufferGeometry, LineBasicMaterial>;

  constructor(size: GroundSize) {
    super();
    const { width, depth } = size;
    this.#plane = new Mesh(new PlaneGeometry(width, depth).rotateX(-Math.PI / 2), new MeshBasicMaterial());
    this.#lines = new LineSegments(graticule(size), new LineBasicMaterial());
    // Drawn first and without depth: nothing lies below, and towers stand exactly at this height.
    this.#plane.renderOrder = -2;
    this.#lines.renderOrder = -1;
    for (const part of [this.#plane, this.#lines]) {
      part.material.depthWrite = false;
      part.frustumCulled = false;
      this.object.add(part);
    }
  }

  override paint({ plain, grid }: Palette): void {
    this.#plane.material.color.copy(plain);
    this.#lines.material.color.copy(grid);
  }
}

/** In pieces: software renderers drop a whole line when it passes the camera. */
function graticule({ width, depth, step }: GroundSize): BufferGeometry {
  const points: number[] = [];
  const [right, front] = [width / 2, depth / 2];
  const piece = 2 * step;
  for (let x = -right; x <= right; x += step) {
    for (let z = -front; z < front; z += piece) points.push(x, 0, z, x, 0, Math.min(front, z + piece));
  }
  for (let z = -front; z <= front; z += step) {
    for (let x = -right; x < right; x += piece) points.push(x, 0, z, Math.min(right, x + piece), 0, z);
  }
  return new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3));
}
