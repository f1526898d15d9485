import { Matrix4, WebGLCoordinateSystem, WebGPUCoordinateSystem } from 'three';
import type { OcclusionSettings } from '../../../src/occlusion/OcclusionView.js';

const NEAR = 0.1;
const FAR = 500;

/** A random pass: any camera, any depth, pictures of several sizes, sometimes with clipping planes. */
export interface RandomPass {
  settings: OcclusionSettings & { depth: 'gl' | 'gpu' | 'reversed'; sections: number[] };
  /** From view to world coordinates. */
  camera: Matrix4;
  /** Whether the projection does all, and the view nothing, as maps have it. */
  isMap: boolean;
  /** Pixels of the picture for each of the buffer, along each axis. */
  scale: number;
}

export function randomPass(random: () => number, width: number, height: number, isMap = false): RandomPass {
  const spread = (size: number): number => (random() - 0.5) * 2 * size;
  const depth = (['gl', 'gpu', 'reversed'] as const)[Math.floor(random() * 3)];
  const isOrthographic = random() < 0.25;
  const system = depth === 'gpu' ? WebGPUCoordinateSystem : WebGLCoordinateSystem;
  const projection = new Matrix4();
  // Off the middle, as of tiles of a picture and of eyes.
  const [dx, dy] = random() < 0.2 ? [spread(0.8), spread(0.8)] : [0, 0];
  const aspect = width / height;
  const make = isOrthographic ? projection.makeOrthographic : projection.makePerspective;
  const size = isOrthographic ? 5 : 0.577 * NEAR;
  make.call(
    projection,
    size * aspect * (dx - 1),
    size * aspect * (dx + 1),
    size * (dy + 1),
    size * (dy - 1),
    NEAR,
    isOrthographic ? 30 : FAR,
    system,
    depth === 'reversed',
  );
  const isOblique = depth === 'gl' && !isOrthographic && random() < 0.2;
  if (isOblique) makeOblique(projection, [spread(0.5), spread(0.5), -1, -0.3 - random()]);
  const camera = new Matrix4();
  if (random() < 0.5) {
    const far = 10 ** (6 * random());
    camera
      .makeRotationX(spread(3))
      .multiply(new Matrix4().makeRotationY(spread(3)))
      .setPosition(spread(far), spread(far), spread(far));
  }
  const scale = [1, 2, 3, 6][Math.floor(random() * 4)];
  const sections: number[] = [];
  while (random() < 0.25 && sections.length < 8) {
    const n = [spread(1), spread(1), spread(1)];
    const length = Math.hypot(...n);
    // Through a point in view.
    const z = -2 - 8 * random();
    const p = [spread(-z / 2), spread(-z / 2), z];
    sections.push(...n.map((x) => x / length), -n.reduce((sum, x, k) => sum + (x / length) * p[k], 0));
  }
  const isLogarithmic = !isMap && !isOrthographic && !isOblique && random() < 0.25;
  const kind = random();
  const view = camera.clone().invert();
  return {
    settings: {
      projection: (isMap ? projection.multiply(view) : projection).elements,
      view: (isMap ? new Matrix4() : view).elements,
      depth,
      viewportWidth: width * scale,
      viewportHeight: height * scale,
      logarithmic: isLogarithmic ? { near: NEAR, far: FAR } : null,
      inWorldSpace: kind < 0.3,
      // In batches, which are in world space.
      fromOrigin: kind < 0.15 ? 4 + 130 * kind : 0,
      // Those are in view coordinates.
      sections: isMap ? [] : sections,
    },
    camera,
    isMap,
    scale,
  };
}

/** Moves the near plane of a projection, as mirrors do: Lengyel, Oblique View Frustum Depth Projection, 2004. */
function makeOblique({ elements: m }: Matrix4, plane: number[]): void {
  const q = [(Math.sign(plane[0]) + m[8]) / m[0], (Math.sign(plane[1]) + m[9]) / m[5], -1, (1 + m[10]) / m[14]];
  const share = 2 / plane.reduce((sum, x, k) => sum + x * q[k], 0);
  for (let k = 0; k < 4; k++) m[4 * k + 2] = plane[k] * share + (k === 2 ? 1 : 0);
}
