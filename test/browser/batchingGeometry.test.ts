import * as THREE from 'three';
import { describe, expect, test } from 'vitest';
import { explain } from '../../src/index.js';
import { BatchTwin, eyeAt, openStudio, type Story, sunlit, tellStory } from './batching.js';

const COUNT = 12;
const studio = openStudio();
const camera = eyeAt(6, 5, 8);

interface World {
  readonly scene: THREE.Scene;
  readonly meshes: THREE.Mesh[];
  readonly geometries: THREE.BufferGeometry[];
}

/** Meshes with these geometries in turn. */
function world(geometries: THREE.BufferGeometry[]): World {
  const material = new THREE.MeshLambertMaterial({
    color: 0xcc8844,
    vertexColors: 'color' in geometries[0].attributes,
  });
  const meshes = Array.from({ length: COUNT }, (_, i) => {
    const mesh = new THREE.Mesh(geometries[i % geometries.length], material);
    mesh.position.set((i % 4) * 1.6 - 2.4, (i % 3) - 1, Math.floor(i / 4) * 1.6 - 2);
    return mesh;
  });
  return { scene: sunlit().add(...meshes), meshes, geometries };
}

const reasonOf = ({ index, batched }: BatchTwin<World>): string => explain(index, batched.meshes[0], camera).join();

const ball = (): THREE.BufferGeometry => new THREE.SphereGeometry(0.7, 12, 8);
type Arrays = new (values: ArrayLike<number>) => THREE.TypedArray;

/** The positions and normals of a ball, as whole numbers or as they are, one after the other in each vertex. */
function interleaved(Numbers: Arrays = Float32Array, scale = 1, padding = 0): THREE.BufferGeometry {
  const geometry = ball();
  const { position, normal } = geometry.attributes as Record<string, THREE.BufferAttribute>;
  const stride = 6 + padding;
  const values = new Float64Array(position.count * stride).fill(scale);
  for (let i = 0; i < position.count; i++) {
    for (const [at, attribute] of [position, normal].entries()) {
      for (let axis = 0; axis < 3; axis++) {
        values[i * stride + 3 * at + axis] = Math.round(attribute.getComponent(i, axis) * scale * 1e6) / 1e6;
      }
    }
  }
  const buffer = new THREE.InterleavedBuffer(new Numbers(values), stride);
  geometry.deleteAttribute('uv');
  geometry.setAttribute('position', new THREE.InterleavedBufferAttribute(buffer, 3, 0, scale > 1));
  return geometry.setAttribute('normal', new THREE.InterleavedBufferAttribute(buffer, 3, 3, scale > 1));
}

/** A ball with an attribute of another kind. */
function withAttribute(name: string, make: (values: Float32Array) => THREE.BufferAttribute): THREE.BufferGeometry {
  const geometry = ball();
  return geometry.setAttribute(
    name,
    make((geometry.attributes[name] ?? geometry.attributes.normal).array as Float32Array),
  );
}

const times = (values: Float32Array, scale: number): Float32Array => values.map((value) => value * scale);

function withIndex(Numbers: Arrays): THREE.BufferGeometry {
  const geometry = ball();
  const index = geometry.index as THREE.BufferAttribute;
  index.array = new Numbers(index.array);
  return geometry;
}

/** Halves of one ball, which have their vertices in common. */
function halves(): THREE.BufferGeometry[] {
  const whole = ball();
  const { array } = whole.index as THREE.BufferAttribute;
  return [array.slice(0, array.length / 2), array.slice(array.length / 2)].map((half) => {
    const geometry = new THREE.BufferGeometry().setIndex([...half]);
    Object.assign(geometry.attributes, whole.attributes);
    return geometry;
  });
}

/** The same without coordinates of textures. */
const plainOf = (geometry: THREE.BufferGeometry): THREE.BufferGeometry => geometry.deleteAttribute('uv');

function half(values: Float32Array): THREE.Float16BufferAttribute {
  const made = new THREE.Float16BufferAttribute(new Uint16Array(values.length), 3);
  for (let i = 0; i < made.count; i++) made.setXYZ(i, values[3 * i], values[3 * i + 1], values[3 * i + 2]);
  return made;
}

const positive = (values: Float32Array): Float32Array => times(values, 255).map(Math.abs);
const fourParts = ({ length }: Float32Array): Uint16Array =>
  Uint16Array.from({ length: (length / 3) * 4 }, (_, i) => (i * 9973) % 65536);

const LAYOUTS = Object.entries<() => THREE.BufferGeometry[]>({
  interleaved: () => [interleaved()],
  'interleaved, and not': () => [interleaved(), plainOf(ball())],
  'interleaved with padding': () => [interleaved(Float32Array, 1, 2), interleaved(Float32Array, 1, 1)],
  'bytes with padding': () => [interleaved(Int8Array, 127, 2)],
  'short numbers': () => [interleaved(Int16Array, 32767)],
  'the least number': () => [withAttribute('normal', (v) => new THREE.Int8BufferAttribute(times(v, 128), 3, true))],
  'numbers that are no fractions': () => [
    withAttribute('position', (v) => new THREE.Int16BufferAttribute(times(v, 3), 3)),
  ],
  'positive numbers': () => [withAttribute('color', (v) => new THREE.Uint8BufferAttribute(times(v, 255), 3, true))],
  'colours with four parts': () => [
    withAttribute('color', (v) => new THREE.Uint16BufferAttribute(fourParts(v), 4, true)),
  ],
  'clamped numbers': () => [
    withAttribute('color', (v) => new THREE.Uint8ClampedBufferAttribute(positive(v), 3, true)),
    withAttribute('color', (v) => new THREE.Uint8BufferAttribute(positive(v), 3, true)),
  ],
  'half floats': () => [withAttribute('position', half), withAttribute('position', half)],
  'indices of bytes and words': () => [Uint8Array, Uint32Array, Uint16Array].map(withIndex),
  'an attribute that is too long': () => [
    withAttribute('uv', () => new THREE.Float16BufferAttribute(new Uint16Array(999), 2)),
  ],
  'vertices in common': halves,
  'without an index': () => [2, 0].map((padding) => interleaved(Int8Array, 127, padding).toNonIndexed()),
});

test.each(LAYOUTS)('geometries of any layout are drawn in one batch: %s', async (_label, make) => {
  expect((await tellStory(studio, camera, [() => world(make())])).batched).toBe(1);
});

type Edit = (world: World) => void;
const positionOf = ({ geometries: [first] }: World): THREE.BufferAttribute =>
  first.attributes.position as THREE.BufferAttribute;
const bufferOf = (made: World): THREE.InterleavedBuffer =>
  (positionOf(made) as unknown as THREE.InterleavedBufferAttribute).data;

/** Makes the first geometry wider, in silence. */
const stretched =
  (factor: number): Edit =>
  (made) => {
    const position = positionOf(made);
    for (let i = 0; i < position.count; i++) position.setX(i, position.getX(i) * factor);
  };
/** Several edits as one. */
const all =
  (...edits: Edit[]): Edit =>
  (made) => {
    for (const edit of edits) edit(made);
  };
type Buffer = THREE.BufferAttribute | THREE.InterleavedBuffer;
/** Uploads a buffer, or ranges of it, each from a number on and so many. */
const uploads =
  (of: (made: World) => Buffer, ...ranges: [start: number, count: number][]): Edit =>
  (made) => {
    for (const range of ranges) of(made).addUpdateRange(...range);
    of(made).needsUpdate = true;
  };
/** Makes the numbers in ranges of a buffer larger, and uploads these ranges. */
const editedIn =
  (of: (made: World) => Buffer, ...ranges: [start: number, count: number][]): Edit =>
  (made) => {
    const { array } = of(made);
    for (const [start, count] of ranges) for (let i = start; i < start + count; i++) array[i] *= 1.5;
    uploads(of, ...ranges)(made);
  };
/** Makes the first geometry wider, and says so. */
const edited = (factor: number): Edit => all(stretched(factor), uploads(positionOf));
const indexOf = ({ geometries: [first] }: World) => first.index as THREE.BufferAttribute;
const normalOf = ({ geometries: [first] }: World) => first.attributes.normal as THREE.BufferAttribute;
const inTwo = (): World => world([ball(), ball()]);
const inOne = (): World => world([interleaved()]);
const each =
  (values: (mesh: THREE.Mesh) => object): Edit =>
  ({ meshes }) => {
    for (const mesh of meshes) Object.assign(mesh, values(mesh));
  };
const regroup = each((mesh) => ({ renderOrder: 1 - mesh.renderOrder }));
const turnAlone = each(() => ({ onBeforeRender: () => {} }));
const show = each(() => ({ visible: true }));
const nothing: Edit = () => {};
const hiding =
  (isHidden: (mesh: THREE.Mesh, i: number, made: World) => boolean): (() => World) =>
  () => {
    const made = inTwo();
    made.meshes.forEach((mesh, i) => {
      mesh.visible = !isHidden(mesh, i, made);
    });
    return made;
  };

const STORIES = Object.entries<Story<World>>({
  'positions are edited': [inTwo, edited(2)],
  'an interleaved buffer is edited': [inOne, edited(2), all(stretched(0.7), uploads(bufferOf))],
  'positions are edited in silence': [inTwo, stretched(2), nothing, turnAlone],
  'all is edited in silence, and one attribute is uploaded': [inTwo, all(stretched(2), uploads(normalOf)), nothing],
  'ranges are uploaded': [inTwo, editedIn(positionOf, [30, 60], [150, 45]), nothing, regroup, nothing, turnAlone],
  'ranges are uploaded twice': [inTwo, editedIn(positionOf, [30, 60]), editedIn(positionOf, [75, 90]), regroup],
  'ranges of an interleaved buffer are uploaded': [inOne, editedIn(bufferOf, [31, 100]), regroup, nothing],
  'ranges of an index are uploaded': [
    inTwo,
    all((made) => indexOf(made).array.subarray(12, 102).reverse(), uploads(indexOf, [12, 90])),
    regroup,
    nothing,
  ],
  'an upload is followed by a silent edit': [inTwo, edited(1.5), stretched(0.5), turnAlone],
  'what is hidden is edited before it is seen first': [
    hiding((mesh, _i, made) => mesh.geometry !== made.geometries[1]),
    all(stretched(2), show),
    nothing,
    nothing,
  ],
  'meshes wait for others': [hiding((_mesh, i) => i >= 2), edited(2), show, nothing, nothing],
  'a buffer is one of several geometries': [
    () => world(halves()),
    editedIn(positionOf, [0, 60]),
    ({ meshes: [mesh] }) => Object.assign(mesh, { geometry: mesh.geometry.clone() }),
    regroup,
    nothing,
  ],
  'an array is put in the place of another': [
    inTwo,
    (made) => {
      const position = positionOf(made);
      position.array = times(position.array as Float32Array, 2);
    },
    nothing,
    uploads(positionOf),
    regroup,
    nothing,
  ],
  'an index goes beyond its vertices': [
    () => {
      const made = inTwo();
      (made.geometries[1].index as THREE.BufferAttribute).setX(3, 60000);
      return made;
    },
    nothing,
  ],
});

test.each(STORIES)('a batch shows what renderers have been given, when %s', async (_label, story) => {
  expect((await tellStory(studio, camera, story, { frames: 0 })).settled).toBeLessThan(COUNT);
});

describe('a geometry that is edited in each frame', () => {
  const edit = edited(1.01);

  test('is drawn by itself until it rests', async () => {
    const twin = new BatchTwin(studio, () => world(Array.from({ length: COUNT }, ball)));
    await twin.settle(camera);
    for (let frame = 0; frame < 8; frame++) twin.frame(`edit ${frame}`, camera, edit);
    expect(reasonOf(twin)).toContain('its geometry or material changes in most frames');
    expect(twin.calls.batched).toBe(2);
    twin.frames(80, 'rest', camera);
    expect(twin.calls.batched).toBe(1);
    // Now and then is no reason to leave.
    for (let frame = 0; frame < 40; frame++) twin.frame(`now and then ${frame}`, camera, frame % 10 ? nothing : edit);
    expect(twin.calls.batched).toBe(1);
    twin.index.dispose();
  });
});
