import {
  type Box3,
  BufferGeometry,
  type Color,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  type Ray,
  Vector3,
} from 'three';
import type { RayTest } from '../measure/NodeTree.js';
import type { Palette } from './stage/palette.js';

/** A ray that was cast, as far as it went, and the nodes that it was tested against. */
export interface CastRay extends RayTest {
  readonly ray: Ray;
  readonly length: number;
}

/** Twelve edges of a box by the bits of its corners: 1 for the greatest x, 2 for y, 4 for z. */
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];

const end = new Vector3();

/** Draws a ray, the boxes of the nodes that it entered, and, more faintly, of those that it missed. */
export class RayTrace {
  readonly object = new Group();
  readonly #ray: Lines;
  readonly #entered: Lines;
  readonly #missed: Lines;

  /** @param strength Of all lines: 1, or less where they must not hide a picture. */
  constructor(strength: number) {
    this.#ray = lines(strength);
    this.#entered = lines(0.8 * strength);
    this.#missed = lines(0.3 * strength);
    this.object.add(this.#missed, this.#entered, this.#ray);
    this.show(null);
  }

  show(cast: CastRay | null): void {
    this.object.visible = cast !== null;
    const { ray, length, entered, missed } = cast ?? { ray: null, length: 0, entered: [], missed: [] };
    setLines(this.#ray, ray ? [...ray.origin, ...ray.at(length, end)] : []);
    for (const [drawn, nodes] of [[this.#entered, entered] as const, [this.#missed, missed] as const]) {
      setLines(
        drawn,
        nodes.flatMap(({ box }) => edgesOf(box)),
      );
    }
  }

  paint({ picked, culled }: Palette): void {
    const colours: [Lines, Color][] = [
      [this.#ray, picked],
      [this.#entered, picked],
      [this.#missed, culled],
    ];
    for (const [{ material }, colour] of colours) material.color.copy(colour);
  }
}

type Lines = LineSegments<BufferGeometry, LineBasicMaterial>;

function lines(opacity: number): Lines {
  const made = new LineSegments(
    new BufferGeometry(),
    new LineBasicMaterial({ transparent: true, opacity, depthTest: false, fog: false }),
  );
  made.frustumCulled = false;
  made.renderOrder = 8;
  return made;
}

function setLines({ geometry }: Lines, points: number[]): void {
  geometry.dispose();
  geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
}

function edgesOf({ min, max }: Box3): number[] {
  return EDGES.flatMap((corner) => [
    corner & 1 ? max.x : min.x,
    corner & 2 ? max.y : min.y,
    corner & 4 ? max.z : min.z,
  ]);
}
