import {
  BoxGeometry,
  type BufferAttribute,
  type BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  IcosahedronGeometry,
  LatheGeometry,
  PlaneGeometry,
  SphereGeometry,
  TorusGeometry,
  TorusKnotGeometry,
  Triangle,
  Vector2,
  Vector3,
} from 'three';
import { TeapotGeometry } from 'three/addons/geometries/TeapotGeometry.js';
// @ts-expect-error three has no types of it.
import { MeshoptSimplifier } from 'three/addons/libs/meshopt_simplifier.module.js';
import { mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { levelSourceOf } from '../../../src/batching/levels/LevelQueue.js';
import { type Levels, makeLevels } from '../../../src/batching/levels/makeLevels.js';
import { random } from '../../helpers/random.js';

beforeAll(() => MeshoptSimplifier.ready);

const GEOMETRIES: readonly [name: string, make: () => BufferGeometry][] = [
  ['a knot', () => new TorusKnotGeometry(1, 0.3, 200, 24)],
  ['a ball', () => new SphereGeometry(3, 64, 48)],
  ['a ring', () => new TorusGeometry(10, 2, 32, 96)],
  ['a box of many faces', () => new BoxGeometry(1, 2, 3, 16, 16, 16)],
  ['a cylinder', () => new CylinderGeometry(1, 1, 4, 64, 24)],
  ['a cone', () => new ConeGeometry(0.01, 0.03, 96, 24)],
  ['a capsule', () => new CapsuleGeometry(500, 900, 24, 48)],
  ['a ball of welded triangles', () => mergeVertices(new IcosahedronGeometry(1, 20))],
  ['a vase', () => new LatheGeometry(vase(), 72)],
  ['hills', () => hills(48)],
  ['hills of a thousand small steps', () => hills(48, 0.05)],
  ['a teapot', () => mergeVertices(new TeapotGeometry(1, 12))],
];

describe.each(GEOMETRIES)('levels of %s', (_name, make) => {
  const geometry = make();
  let levels: Levels;
  beforeAll(() => {
    levels = run(geometry);
  });

  it('have fewer triangles each, of vertices that are there, and larger errors', () => {
    const { counts, errors, index } = levels;
    expect(counts.length).toBeGreaterThan(0);
    const all = [geometry.index?.count ?? 0, ...counts];
    for (const [i, count] of counts.entries()) expect(count).toBeLessThanOrEqual(0.75 * all[i]);
    expect([...errors].sort((a, b) => a - b)).toEqual(errors);
    expect(errors[0]).toBeGreaterThan(0);
    expect(index.length).toBe(counts.reduce((a, b) => a + b));
    expect(Math.max(...index)).toBeLessThan(geometry.attributes.position.count);
  });

  it('lie as near to it, and it to them, as they declare: all vertices and points of both', () => {
    const whole = new Surface(geometry, geometry.index?.array as Uint32Array);
    let start = 0;
    for (const [i, count] of levels.counts.entries()) {
      const level = new Surface(geometry, levels.index.subarray(start, start + count));
      start += count;
      const distance = Math.max(level.farthestOf(whole.points(3000)), whole.farthestOf(level.points(3000)));
      expect(distance, `level ${i} of ${count / 3} triangles`).toBeLessThanOrEqual(levels.errors[i]);
    }
  });
});

it('has no level of few triangles', () => {
  expect(run(new BoxGeometry()).counts).toEqual([]);
});

it('leaves open borders where they are, so that tiles meet', () => {
  const geometry = hills(32);
  const { index, counts } = run(geometry);
  const last = new Set(index.subarray(index.length - (counts.at(-1) as number)));
  const { position } = geometry.attributes;
  const isBorder = (v: number): boolean => Math.abs(position.getX(v)) === 0.5 || Math.abs(position.getY(v)) === 0.5;
  const border = Array.from({ length: position.count }, (_, v) => v).filter(isBorder);
  expect(border.filter((v) => !last.has(v))).toEqual([]);
});

function run(geometry: BufferGeometry): Levels {
  const steps = makeLevels(levelSourceOf(geometry), MeshoptSimplifier);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

function vase(): Vector2[] {
  return Array.from({ length: 40 }, (_, i) => new Vector2(2 + Math.sin(i / 6) + Math.sin(i / 2) / 8, i / 8));
}

function hills(segments: number, step = 0): BufferGeometry {
  const geometry = new PlaneGeometry(1, 1, segments, segments);
  const position = geometry.attributes.position as BufferAttribute;
  for (let v = 0; v < position.count; v++) {
    const z = 0.1 * Math.sin(9 * position.getX(v)) * Math.cos(7 * position.getY(v));
    position.setZ(v, step === 0 ? z : step * Math.round(z / step));
  }
  geometry.computeVertexNormals();
  return geometry;
}

/** Triangles, with distances to them by three's own `Triangle`. */
class Surface {
  readonly #triangles: Triangle[] = [];
  readonly #centers: Vector3[] = [];
  readonly #radii: number[] = [];

  constructor({ attributes: { position } }: BufferGeometry, index: ArrayLike<number>) {
    for (let i = 0; i < index.length; i += 3) {
      const triangle = new Triangle();
      triangle.setFromAttributeAndIndices(position, index[i], index[i + 1], index[i + 2]);
      const center = triangle.getMidpoint(new Vector3());
      this.#triangles.push(triangle);
      this.#centers.push(center);
      this.#radii.push(Math.max(...[triangle.a, triangle.b, triangle.c].map((corner) => corner.distanceTo(center))));
    }
  }

  /** All corners, and as many points within, the same each time. */
  points(count: number): Vector3[] {
    const next = random(7);
    const points = this.#triangles.flatMap(({ a, b, c }) => [a, b, c]);
    for (let i = 0; i < count; i++) {
      const { a, b, c } = this.#triangles[Math.floor(next() * this.#triangles.length)];
      const [v, w] = [next(), next()].sort();
      points.push(
        new Vector3()
          .addScaledVector(a, v)
          .addScaledVector(b, w - v)
          .addScaledVector(c, 1 - w),
      );
    }
    return [...new Set(points)];
  }

  farthestOf(points: readonly Vector3[]): number {
    let most = 0;
    for (const point of points) most = Math.max(most, this.#distanceTo(point, most));
    return most;
  }

  /** Of a point that is nearer than `enough` any number up to that. */
  #distanceTo(point: Vector3, enough: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#triangles.length && least > enough; i++) {
      if (point.distanceTo(this.#centers[i]) - this.#radii[i] >= least) continue;
      least = Math.min(least, this.#triangles[i].closestPointToPoint(point, new Vector3()).distanceTo(point));
    }
    return least;
  }
}
