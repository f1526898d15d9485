import type { Camera, Matrix4 } from 'three';
import { viewAt, viewCount } from '../../scene/ask/cameraPlanes.js';
import { SPHERE } from '../table/InstanceTable.js';
import { type PixelRenderer, pixelHeight } from './pixelHeight.js';

/** Height of pictures, in pixels, while no renderer has told. */
const HEIGHT = 1080;

interface View {
  x: number;
  y: number;
  z: number;
  /** By what the radius of a ball is multiplied for its diameter in pixels, at a distance of 1 if distances count. */
  perRadius: number;
  isPerspective: boolean;
}

/**
 * How large balls in the frame of a mesh are on the screen: their diameters in pixels, seen from where they are. It
 * depends on the distance from the camera and not on the direction in which it looks, so that a turn changes nothing. Of
 * several views, those of an `ArrayCamera`, that with the largest counts.
 */
export class ScreenSizes {
  #views: View[] = [];
  /** Where the frame lies in the world. */
  #e: readonly number[] = [];
  #scale = 1;

  /** Takes over a camera, by its present matrices. */
  look(camera: Camera, renderer: PixelRenderer | null): void {
    this.#views = [];
    for (let i = 0; i < viewCount(camera); i++) {
      const view = viewAt(camera, i);
      const { elements: p } = view.projectionMatrix;
      const { elements: m } = view.matrixWorld;
      const isPerspective = p[11] !== 0;
      const height = pixelHeight(renderer, view) || HEIGHT;
      this.#views.push({ x: m[12], y: m[13], z: m[14], perRadius: Math.abs(p[5]) * height, isPerspective });
    }
  }

  /** Takes over where the mesh is. */
  place(matrixWorld: Matrix4): void {
    this.#e = matrixWorld.elements;
    this.#scale = matrixWorld.getMaxScaleOnAxis();
  }

  /** @param s Place of a ball in a list of centres and radii. */
  of(spheres: Float64Array, s: number): number {
    const e = this.#e;
    const x = spheres[s];
    const y = spheres[s + 1];
    const z = spheres[s + 2];
    const wx = e[0] * x + e[4] * y + e[8] * z + e[12];
    const wy = e[1] * x + e[5] * y + e[9] * z + e[13];
    const wz = e[2] * x + e[6] * y + e[10] * z + e[14];
    const radius = this.#scale * spheres[s + SPHERE - 1];
    // Where nobody has looked yet, everything counts as near.
    let largest = this.#views.length === 0 ? Number.POSITIVE_INFINITY : 0;
    for (let i = 0; i < this.#views.length; i++) {
      const view = this.#views[i];
      let size = radius * view.perRadius;
      if (view.isPerspective) {
        const dx = wx - view.x;
        const dy = wy - view.y;
        const dz = wz - view.z;
        size /= Math.sqrt(dx * dx + dy * dy + dz * dz);
      }
      if (size > largest) largest = size;
    }
    return largest;
  }
}
