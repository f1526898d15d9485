import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  DataUtils,
  Float16BufferAttribute,
  IcosahedronGeometry,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  LatheGeometry,
  Matrix3,
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
import { levelSourceOf, namedVertices } from '../../../src/batching/levels/LevelQueue.js';
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

const TEXTURED: readonly [name: string, make: () => BufferGeometry][] = [
  ['a ball', () => new SphereGeometry(1, 64, 48)],
  ['a knot', () => new TorusKnotGeometry(0.7, 0.25, 140, 24)],
  ['a vase, bent', () => bent(new LatheGeometry(vase(), 72), 0.06)],
  ['a ring, bent', () => bent(new TorusGeometry(10, 3, 32, 96), 0.05)],
  ['a sheet, bent', () => bent(new PlaneGeometry(2, 2, 48, 48), 0.05)],
];

describe.each(TEXTURED)('a texture on %s', (_name, make) => {
  it('slides by less than levels declare at 99 of 100 points, and by twice as much at all', () => {
    const geometry = make();
    const levels = run(geometry, 1);
    const points = new Surface(geometry, geometry.index?.array as Uint32Array).texturedPoints(POINTS / 5);
    let start = 0;
    for (const [i, count] of levels.counts.entries()) {
      const level = new Surface(geometry, levels.index.subarray(start, start + count));
      start += count;
      const slides = points.map((point) => level.distanceOfTexture(...point) / levels.errors[i]);
      expect(slides.filter((slide) => slide > 1).length, `level ${i}`).toBeLessThanOrEqual(points.length / 100);
      expect(Math.max(...slides), `level ${i}`).toBeLessThanOrEqual(2);
    }
    expect(levels.counts.length).toBeGreaterThan(2);
  });
});

it('depends neither on the repeat of a texture nor on the units of its coordinates', () => {
  const scaled = (x: number, y: number): BufferGeometry => {
    const geometry = bent(new TorusGeometry(10, 3, 32, 96), 0.05);
    (geometry.attributes.uv as BufferAttribute).applyMatrix3(new Matrix3().makeScale(x, y));
    return geometry;
  };
  expect(run(scaled(2 ** 9, 2 ** -6), 1)).toEqual(run(scaled(1, 1), 1));
});

/** Hills with a texture at these coordinates. */
function ramp(at: (x: number, y: number, z: number) => [number, number]): BufferGeometry {
  const geometry = hills(48);
  const { position, uv } = geometry.attributes;
  for (let i = 0; i < uv.count; i++) uv.setXY(i, ...at(position.getX(i), position.getY(i), position.getZ(i)));
  return geometry;
}

it.each<[string, (x: number, y: number, z: number) => [number, number]]>([
  ['by height, all in one column', (_x, _y, z) => [0.5, z]],
  ['by height, all in one row', (_x, _y, z) => [z, 0.5]],
  ['along one side', (x) => [x, 0]],
  ['along the diagonal', (x, y) => [x + y, x + y]],
  ['the same all over', () => [0.25, 0.75]],
  ['as it is, far from 0', (x, y) => [x + 5000, y - 3000]],
])('a texture %s leaves about as many levels as one that lies flat', (_name, at) => {
  const [flat, found] = [
    run(
      ramp((x, y) => [x, y]),
      1,
    ),
    run(ramp(at), 1),
  ];
  expect(found.counts.length).toBeGreaterThanOrEqual(flat.counts.length - 1);
  expect(found.errors[0] / flat.errors[0]).toBeLessThan(4);
});

it('a texture along one line is bounded as well', () => {
  const along = (to: (x: number) => number): Levels =>
    run(
      ramp((x) => [to(x), to(x)]),
      1,
    );
  const bentLine = along((x) => x + 0.05 * Math.sin(30 * x));
  expect(bentLine.errors[1] / along((x) => x).errors[1]).toBeGreaterThan(1.5);
});

it('finds the vertices that an index names, wherever they lie', () => {
  const next = random(11);
  for (const span of [3, 40, 1000, 100_000]) {
    const index = Uint32Array.from({ length: 300 }, () => 7 + Math.floor(span * next()));
    const named = namedVertices(new BufferGeometry().setIndex(new BufferAttribute(index, 1)));
    expect([...named.vertices]).toEqual([...new Set(index)].sort((a, b) => a - b));
    expect(named.index.map((place) => named.vertices[place])).toEqual(index);
  }
});

it('weighs the sets of texture coordinates that are asked for, and no others', () => {
  const sheet = (name: string): BufferGeometry => {
    const geometry = new PlaneGeometry(2, 2, 48, 48);
    return geometry.setAttribute(name, bent(new PlaneGeometry(2, 2, 48, 48), 0.05).attributes.uv);
  };
  const flat = run(new PlaneGeometry(2, 2, 48, 48));
  for (const [set, name] of ['uv', 'uv1', 'uv2', 'uv3'].entries()) {
    const geometry = sheet(name);
    expect(run(geometry, 1 << set)).toEqual(run(sheet('uv'), 1));
    expect(run(geometry, 0)).toEqual(flat);
    // Unbent, what lies in the first set holds nothing back.
    if (set > 0) expect(run(geometry, 1).counts).toEqual(flat.counts);
  }
});

it('has no level of few triangles', () => {
  expect(run(new BoxGeometry()).counts).toEqual([]);
});

it('takes no vertices of others that it shares its attributes with', () => {
  const alone = new TorusKnotGeometry(1, 0.3, 80, 16);
  const shared = mergeGeometries([new BoxGeometry(90, 90, 90, 8, 8, 8), alone, new BoxGeometry()]);
  const first = shared.attributes.position.count - 24 - alone.attributes.position.count;
  shared.setIndex([...(alone.index?.array ?? [])].map((vertex) => vertex + first));
  const levels = run(alone);
  expect(run(shared)).toEqual({ ...levels, index: levels.index.map((vertex) => vertex + first) });
  expect(levelSourceOf(shared, 1).positions.length).toBe(3 * alone.attributes.position.count);
});

const KINDS: readonly [
  name: string,
  make: (attribute: BufferAttribute) => BufferAttribute | InterleavedBufferAttribute,
][] = [
  ['half floats', half],
  ['interleaved half floats', (attribute) => interleaved(half(attribute))],
  ['interleaved floats', interleaved],
  ['normalised shorts', (attribute) => short(attribute)],
];

it.each(KINDS)('reads %s as shaders do', (_name, make) => {
  const geometry = new TorusKnotGeometry(0.3, 0.1, 64, 12);
  const others = geometry.clone();
  for (const name of ['position', 'normal', 'uv']) others.setAttribute(name, make(geometry.attributes[name] as never));
  const [read, expected] = [others, geometry].map((from) => levelSourceOf(from, 1));
  for (const [i, { numbers }] of [{ numbers: read.positions }, ...read.attributes].entries()) {
    const exact = [{ numbers: expected.positions }, ...expected.attributes][i].numbers;
    expect(Math.max(...numbers.map((x, j) => Math.abs(x - exact[j])))).toBeLessThan(1e-3);
  }
  expect(run(others).counts.length).toBeGreaterThan(2);
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

function run(geometry: BufferGeometry, sets = 0): Levels {
  const named = namedVertices(geometry);
  const steps = makeLevels(levelSourceOf(geometry, sets, named), MeshoptSimplifier);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const { index, ...levels } = step.value;
  return { ...levels, index: index.map((vertex) => named.vertices[vertex]) };
}

/** A geometry on which a texture lies bent, smoothly and without folds. */
function bent(geometry: BufferGeometry, by: number): BufferGeometry {
  const { uv } = geometry.attributes;
  for (let i = 0; i < uv.count; i++) {
    const [u, v] = [uv.getX(i), uv.getY(i)];
    uv.setXY(i, u + by * Math.sin(9 * v), v + by * Math.sin(4 * Math.PI * u));
  }
  return geometry;
}

function half({ array, itemSize }: BufferAttribute): BufferAttribute {
  return new Float16BufferAttribute(Array.from(array, DataUtils.toHalfFloat), itemSize);
}

/** One of numbers from -1 to 1. */
function short({ array, itemSize }: BufferAttribute): BufferAttribute {
  return new BufferAttribute(
    Int16Array.from(array, (x) => Math.round(32767 * x)),
    itemSize,
    true,
  );
}

/** The same numbers, each item behind two of something else. */
function interleaved(attribute: BufferAttribute): InterleavedBufferAttribute {
  const { array, itemSize, count } = attribute;
  const stride = itemSize + 2;
  const Kind = array.constructor as new (length: number) => Float32Array;
  const buffer = new InterleavedBuffer(new Kind(stride * count).fill(7), stride);
  for (let i = 0; i < array.length; i++) {
    buffer.array[stride * Math.floor(i / itemSize) + 2 + (i % itemSize)] = array[i];
  }
  const { isFloat16BufferAttribute } = attribute as { isFloat16BufferAttribute?: boolean };
  return new InterleavedBufferAttribute(Object.assign(buffer, { isFloat16BufferAttribute }), itemSize, 2);
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
  readonly #corners: readonly [Vector3, Vector2][];

  constructor({ attributes: { position, uv } }: BufferGeometry, index: ArrayLike<number>) {
    this.#geometry = new BufferGeometry().setAttribute('position', position).setIndex(Array.from(index));
    if (uv) this.#geometry.setAttribute('uv', uv);
    this.#corners = Array.from({ length: position.count }, (_, vertex) => this.#at([vertex], [1]));
    this.#bvh = new MeshBVH(this.#geometry.clone());
  }

  /** All corners, and as many points within, the same each time. */
  points(count: number): Vector3[] {
    return this.texturedPoints(count).map(([point]) => point);
  }

  /** Points with what lies on them of a texture. */
  texturedPoints(count: number): [point: Vector3, uv: Vector2][] {
    const next = random(7);
    const { index } = this.#geometry;
    const numbers = index?.array ?? [];
    const corners = [...new Set(numbers)].map((v) => this.#at([v], [1]));
    const within = Array.from({ length: count }, () => {
      const t = 3 * Math.floor((next() * numbers.length) / 3);
      const [v, w] = [next(), next()].sort();
      return this.#at([numbers[t], numbers[t + 1], numbers[t + 2]], [v, w - v, 1 - w]);
    });
    return [...corners, ...within];
  }

  #at(vertices: readonly number[], shares: readonly number[]): [Vector3, Vector2] {
    const { position, uv } = this.#geometry.attributes;
    const [point, coordinates] = [new Vector3(), new Vector2()];
    for (const [i, vertex] of vertices.entries()) {
      point.addScaledVector(new Vector3().fromBufferAttribute(position as BufferAttribute, vertex), shares[i]);
      if (uv) coordinates.addScaledVector(new Vector2().fromBufferAttribute(uv as BufferAttribute, vertex), shares[i]);
    }
    return [point, coordinates];
  }

  /** How far a point is from the nearest with the same of a texture: 0 if none has, as at a border. */
  distanceOfTexture(point: Vector3, uv: Vector2): number {
    const { array = [] } = this.#geometry.index ?? {};
    let least = Number.POSITIVE_INFINITY;
    for (let t = 0; t < array.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => this.#corners[array[t + k]]);
      const [p, q, r] = [b[1].clone().sub(a[1]), c[1].clone().sub(a[1]), uv.clone().sub(a[1])];
      const area = p.cross(q);
      const [v, w] = [r.cross(q) / area, p.cross(r) / area];
      if (!(v > -0.02 && w > -0.02 && v + w < 1.02)) continue;
      const there = a[0].clone().multiplyScalar(1 - v - w);
      least = Math.min(least, there.addScaledVector(b[0], v).addScaledVector(c[0], w).distanceTo(point));
    }
    return least === Number.POSITIVE_INFINITY ? 0 : least;
  }

  farthestOf(points: readonly Vector3[]): number {
    const hit = { point: new Vector3(), distance: 0, faceIndex: 0 };
    return Math.max(...points.map((point) => this.#bvh.closestPointToPoint(point, hit)?.distance ?? Number.NaN));
  }
}
