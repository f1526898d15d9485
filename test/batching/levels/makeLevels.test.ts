import {
  BoxGeometry,
  type BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  IcosahedronGeometry,
  LatheGeometry,
  PlaneGeometry,
  SphereGeometry,
  TorusGeometry,
  TorusKnotGeometry,
  Vector2,
  Vector3,
} from 'three';
import { TeapotGeometry } from 'three/addons/geometries/TeapotGeometry.js';
// @ts-expect-error three has no types of it.
import { MeshoptSimplifier } from 'three/addons/libs/meshopt_simplifier.module.js';
import { mergeGeometries, mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';
import { MeshBVH } from 'three-mesh-bvh';
import { beforeAll, describe, expect, it } from 'vitest';
import { levelSourceOf } from '../../../src/batching/levels/LevelQueue.js';
import { type Levels, makeLevels } from '../../../src/batching/levels/makeLevels.js';
import { random } from '../../helpers/random.js';
import { atWidth } from '../../helpers/width.js';

beforeAll(() => MeshoptSimplifier.ready);

const POINTS = atWidth(3000, 500);

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
      const distance = Math.max(level.farthestOf(whole.points(POINTS)), whole.farthestOf(level.points(POINTS)));
      expect(distance, `level ${i} of ${count / 3} triangles`).toBeLessThanOrEqual(levels.errors[i]);
    }
  });
});

it('has no level of few triangles', () => {
  expect(run(new BoxGeometry()).counts).toEqual([]);
});

it('does not count vertices of others that it shares its attributes with', () => {
  const alone = new TorusKnotGeometry(1, 0.3, 80, 16);
  const shared = mergeGeometries([alone, new BoxGeometry(90, 90, 90, 8, 8, 8)]).setIndex(alone.index);
  expect(run(shared)).toEqual(run(alone));
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

/** Triangles, to which three-mesh-bvh finds distances. */
class Surface {
  readonly #bvh: MeshBVH;
  readonly #geometry: BufferGeometry;

  constructor({ attributes: { position } }: BufferGeometry, index: ArrayLike<number>) {
    this.#geometry = new BufferGeometry().setAttribute('position', position).setIndex(Array.from(index));
    this.#bvh = new MeshBVH(this.#geometry.clone());
  }

  /** All corners, and as many points within, the same each time. */
  points(count: number): Vector3[] {
    const next = random(7);
    const { index, attributes } = this.#geometry;
    const position = attributes.position as BufferAttribute;
    const corner = (i: number): Vector3 => new Vector3().fromBufferAttribute(position, index?.getX(i) ?? i);
    const numbers = index?.count ?? 0;
    const points = [...new Set(index?.array)].map((v) => new Vector3().fromBufferAttribute(position, v));
    for (let i = 0; i < count; i++) {
      const t = 3 * Math.floor((next() * numbers) / 3);
      const [v, w] = [next(), next()].sort();
      const point = corner(t).multiplyScalar(v);
      points.push(point.addScaledVector(corner(t + 1), w - v).addScaledVector(corner(t + 2), 1 - w));
    }
    return points;
  }

  farthestOf(points: readonly Vector3[]): number {
    const hit = { point: new Vector3(), distance: 0, faceIndex: 0 };
    return Math.max(...points.map((point) => this.#bvh.closestPointToPoint(point, hit)?.distance ?? Number.NaN));
  }
}
