import * as THREE from 'three';
import { expect, test } from 'vitest';
import { type Edit, eyeAt, openStudio, type Story, tellStory, type World, world } from './batching.js';

const studio = openStudio();
const camera = eyeAt(6, 5, 8);

/** Balls with these geometries in turn. */
const balls = (geometries: THREE.BufferGeometry[]): World => {
  const vertexColors = 'color' in geometries[0].attributes;
  return world([new THREE.MeshLambertMaterial({ color: 0xcc8844, vertexColors })], geometries);
};
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
  'interleaved, and not': () => [interleaved(), plainOf(ball())],
  'interleaved with padding': () => [interleaved(Float32Array, 1, 2), interleaved(Float32Array, 1, 1)],
  'bytes with padding': () => [interleaved(Int8Array, 127, 2)],
  'the least number': () => [withAttribute('normal', (v) => new THREE.Int8BufferAttribute(times(v, 128), 3, true))],
  'numbers that are no fractions': () => [
    withAttribute('position', (v) => new THREE.Int16BufferAttribute(times(v, 3), 3)),
  ],
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
  'without an index': () => [2, 0].map((padding) => interleaved(Int8Array, 127, padding).toNonIndexed()),
});

test.each(LAYOUTS)('geometries of any layout are drawn in one batch: %s', async (_label, make) => {
  expect((await tellStory(studio, camera, [() => balls(make())])).batched).toBe(1);
});

const positionOf = ({ geometries: [first] }: World) => first.attributes.position as THREE.BufferAttribute;
const normalOf = ({ geometries: [first] }: World) => first.attributes.normal as THREE.BufferAttribute;
const inTwo = (): World => balls([ball(), ball()]);
const nothing: Edit = () => {};
/** Several edits as one. */
const all =
  (...edits: Edit[]): Edit =>
  (made) => {
    for (const edit of edits) edit(made);
  };
const each =
  (values: (mesh: THREE.Mesh) => object): Edit =>
  ({ meshes }) => {
    for (const mesh of meshes) Object.assign(mesh, values(mesh));
  };
const regroup = each((mesh) => ({ renderOrder: 1 - mesh.renderOrder }));
const turnAlone = each(() => ({ onBeforeRender: () => {} }));
/** Makes the first geometry wider, in silence. */
const stretched: Edit = (made) => {
  const position = positionOf(made);
  for (let i = 0; i < position.count; i++) position.setX(i, position.getX(i) * 2);
};
/** Uploads a buffer, or ranges of it, each from a number on and so many. */
const uploads =
  (of: typeof positionOf, ...ranges: [start: number, count: number][]): Edit =>
  (made) => {
    for (const range of ranges) of(made).addUpdateRange(...range);
    of(made).needsUpdate = true;
  };
/** Makes the numbers in ranges of a buffer larger, and uploads these ranges. */
const editedIn = (...ranges: [start: number, count: number][]): Edit =>
  all(
    (made) => {
      const { array } = positionOf(made);
      for (const [start, count] of ranges) for (let i = start; i < start + count; i++) array[i] *= 1.5;
    },
    uploads(positionOf, ...ranges),
  );

const STORIES = Object.entries<Story>({
  'all is edited in silence, and one attribute is uploaded': [inTwo, all(stretched, uploads(normalOf)), nothing],
  'ranges are uploaded twice': [inTwo, editedIn([30, 60]), editedIn([75, 90]), regroup, nothing, turnAlone],
  'an upload is followed by a silent edit': [inTwo, all(stretched, uploads(positionOf)), stretched, turnAlone],
  'what is hidden is edited before it is seen first': [
    () => {
      const made = inTwo();
      for (const mesh of made.meshes) mesh.visible = mesh.geometry === made.geometries[1];
      return made;
    },
    all(
      stretched,
      each(() => ({ visible: true })),
    ),
    nothing,
    nothing,
  ],
  'a buffer is one of several geometries': [
    () => balls(halves()),
    editedIn([0, 60]),
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
  expect((await tellStory(studio, camera, story, { frames: 0 })).settled).toBeLessThan(12);
});
