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
import type { Drawing } from './Drawing.js';
import type { Palette } from './palette.js';

/** Sea and land alike: a plane with a line every 10 degrees, every 2 where the player flies low. */
export class MapGround implements Drawing {
  readonly object = new Group();
  readonly #plane: Mesh<PlaneGeometry, MeshBasicMaterial>;
  readonly #lines: LineSegments<BufferGeometry, LineBasicMaterial>;

  constructor(kind: 'ground' | 'map') {
    this.#plane = new Mesh(new PlaneGeometry(360, 180).rotateX(-Math.PI / 2), new MeshBasicMaterial());
    this.#lines = new LineSegments(graticule(kind === 'map' ? 10 : 2), new LineBasicMaterial());
    // Before all else and without depth: nothing lies below, and towers begin exactly here.
    this.#plane.renderOrder = -2;
    this.#lines.renderOrder = -1;
    for (const part of [this.#plane, this.#lines]) {
      part.material.depthWrite = false;
      part.frustumCulled = false;
      this.object.add(part);
    }
  }

  show(): void {}

  paint({ plain, grid }: Palette): void {
    this.#plane.material.color.copy(plain);
    this.#lines.material.color.copy(grid);
  }

  dispose(): void {
    for (const { geometry, material } of [this.#plane, this.#lines]) {
      geometry.dispose();
      material.dispose();
    }
  }
}

function graticule(step: number): BufferGeometry {
  const points: number[] = [];
  for (let x = -180; x <= 180; x += step) points.push(x, 0, -90, x, 0, 90);
  for (let z = -90; z <= 90; z += step) points.push(-180, 0, z, 180, 0, z);
  return new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3));
}
