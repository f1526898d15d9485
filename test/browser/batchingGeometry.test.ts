import * as THREE from 'three';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accelerate, explain, type SceneIndex } from '../../src/index.js';
import { otherPixels, readPicture } from '../helpers/pictures.js';
import { eyeAt, loadBatching } from './batching.js';

const SIZE = 128;
const COUNT = 12;
/** Pictures until all that can be drawn in a batch is. */
const SETTLED = 4;
let renderer: THREE.WebGLRenderer;
beforeEach(() => {
  renderer = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
  renderer.setSize(SIZE, SIZE);
});
afterEach(() => renderer.dispose());

const camera = eyeAt(6, 5, 8);

interface World {
  readonly scene: THREE.Scene;
  readonly meshes: THREE.Mesh[];
  readonly geometries: THREE.BufferGeometry[];
}

/** Meshes with these geometries in turn. */
function world(geometries: THREE.BufferGeometry[]): World {
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x223344);
  const sun = new THREE.DirectionalLight(0xffffff, 3);
  sun.position.set(3, 8, 5);
  scene.add(sun);
  const material = new THREE.MeshLambertMaterial({
    color: 0xcc8844,
    vertexColors: 'color' in geometries[0].attributes,
  });
  const meshes = Array.from({ length: COUNT }, (_, i) => {
    const mesh = new THREE.Mesh(geometries[i % geometries.length], material);
    mesh.position.set((i % 4) * 1.6 - 2.4, (i % 3) - 1, Math.floor(i / 4) * 1.6 - 2);
    return mesh;
  });
  scene.add(...meshes);
  return { scene, meshes, geometries };
}

/** A world in plain three, and its twin in batches. */
class Pair {
  readonly #plain: World;
  readonly #batched: World;
  readonly index: SceneIndex;
  calls = 0;

  constructor(make: () => World) {
    this.#plain = make();
    this.#batched = make();
    this.index = accelerate(this.#batched.scene, { batch: true });
  }

  /** Does the same to both, and fails unless they look the same afterwards. */
  frame(label: string, edit: (world: World) => void = () => {}): void {
    const [expected, seen] = [this.#plain, this.#batched].map((one) => {
      edit(one);
      renderer.render(one.scene, camera);
      this.calls = renderer.info.render.calls;
      return readPicture(renderer);
    });
    expect(otherPixels(seen, expected), label).toBe(0);
  }

  async settle(): Promise<void> {
    await loadBatching();
    for (let i = 0; i < SETTLED; i++) this.frame(`settling, frame ${i}`);
  }

  reasonOf(i: number): string {
    return explain(this.index, this.#batched.meshes[i], camera).join();
  }
}

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

describe('geometries of any layout are drawn in one batch:', () => {
  const half = (values: Float32Array): THREE.Float16BufferAttribute => {
    const made = new THREE.Float16BufferAttribute(new Uint16Array(values.length), 3);
    for (let i = 0; i < made.count; i++) made.setXYZ(i, values[3 * i], values[3 * i + 1], values[3 * i + 2]);
    return made;
  };

  test.each<[string, () => THREE.BufferGeometry[], number?]>([
    ['interleaved', () => [interleaved()]],
    ['interleaved, and not', () => [interleaved(), plainOf(ball())]],
    ['interleaved with padding', () => [interleaved(Float32Array, 1, 2), interleaved(Float32Array, 1, 1)]],
    ['bytes with padding', () => [interleaved(Int8Array, 127, 2)]],
    ['short numbers', () => [interleaved(Int16Array, 32767)]],
    ['the least number', () => [withAttribute('normal', (v) => new THREE.Int8BufferAttribute(times(v, 128), 3, true))]],
    [
      'numbers that are no fractions',
      () => [withAttribute('position', (v) => new THREE.Int16BufferAttribute(times(v, 3), 3))],
    ],
    ['positive numbers', () => [withAttribute('color', (v) => new THREE.Uint8BufferAttribute(times(v, 255), 3, true))]],
    [
      'colours with four parts',
      () => [
        withAttribute('color', ({ length }) => {
          const parts = Uint16Array.from({ length: (length / 3) * 4 }, (_, i) => (i * 9973) % 65536);
          return new THREE.Uint16BufferAttribute(parts, 4, true);
        }),
      ],
    ],
    [
      'clamped numbers',
      () => [
        withAttribute('color', (v) => new THREE.Uint8ClampedBufferAttribute(times(v, 255).map(Math.abs), 3, true)),
        withAttribute('color', (v) => new THREE.Uint8BufferAttribute(times(v, 255).map(Math.abs), 3, true)),
      ],
    ],
    ['half floats', () => [withAttribute('position', half), withAttribute('position', half)]],
    ['indices of bytes and words', () => [withIndex(Uint8Array), withIndex(Uint32Array), withIndex(Uint16Array)]],
    [
      'an attribute that is too long',
      () => [withAttribute('uv', () => new THREE.Float16BufferAttribute(new Uint16Array(999), 2))],
    ],
    ['vertices in common', halves],
    [
      'without an index',
      () => [interleaved(Int8Array, 127, 2).toNonIndexed(), interleaved(Int8Array, 127).toNonIndexed()],
    ],
  ])('%s', async (_label, make) => {
    const pair = new Pair(() => world(make()));
    await pair.settle();
    expect(pair.calls).toBe(1);
    pair.index.dispose();
  });
});

/** The same without coordinates of textures. */
function plainOf(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  return geometry.deleteAttribute('uv');
}

/** Makes vertices of a geometry larger, from one to another. */
function stretch(
  { attributes: { position } }: THREE.BufferGeometry,
  factor: number,
  from = 0,
  to = position.count,
): void {
  for (let i = from; i < to; i++) position.setX(i, position.getX(i) * factor);
}

const bufferOf = ({ attributes: { position } }: THREE.BufferGeometry): THREE.InterleavedBuffer =>
  (position as THREE.InterleavedBufferAttribute).data;

const inTwo = (): World => world([ball(), ball()]);
const inOne = (): World => world([interleaved()]);
const regroup: Edit = ({ meshes }) => {
  for (const mesh of meshes) mesh.renderOrder = 1 - mesh.renderOrder;
};
const turnAlone: Edit = ({ meshes }) => {
  for (const mesh of meshes) mesh.onBeforeRender = () => {};
};
const nothing: Edit = () => {};
type Edit = (world: World) => void;

/** Stretches the first geometry without a word, or has that uploaded. */
const silent =
  (factor: number): Edit =>
  ({ geometries: [first] }) =>
    stretch(first, factor);
const upload =
  (factor: number): Edit =>
  ({ geometries: [first] }) => {
    stretch(first, factor);
    first.attributes.position.needsUpdate = true;
  };

/** A world, and what is done to it from frame to frame. */
const STORIES: Readonly<Record<string, [make: () => World, ...edits: Edit[]]>> = {
  'positions are edited': [inTwo, upload(2)],
  'an interleaved buffer is edited': [
    inOne,
    upload(2),
    ({ geometries: [first] }) => {
      stretch(first, 0.7);
      bufferOf(first).needsUpdate = true;
    },
  ],
  'positions are edited in silence': [inTwo, silent(2), regroup, nothing, turnAlone],
  'all is edited in silence, and one attribute is uploaded': [
    inTwo,
    ({ geometries: [first] }) => {
      stretch(first, 2);
      first.attributes.normal.needsUpdate = true;
    },
    regroup,
    nothing,
  ],
  'ranges are uploaded': [
    inTwo,
    ({ geometries: [first] }) => {
      const position = first.attributes.position as THREE.BufferAttribute;
      stretch(first, 2);
      position.addUpdateRange(30, 60);
      position.addUpdateRange(150, 45);
      position.needsUpdate = true;
    },
    nothing,
    regroup,
    nothing,
    turnAlone,
  ],
  'ranges of an interleaved buffer are uploaded': [
    inOne,
    ({ geometries: [first] }) => {
      stretch(first, 2);
      bufferOf(first).addUpdateRange(31, 100);
      bufferOf(first).needsUpdate = true;
    },
    regroup,
    nothing,
  ],
  'ranges of an index are uploaded': [
    inTwo,
    ({ geometries: [first] }) => {
      const index = first.index as THREE.BufferAttribute;
      index.array.reverse();
      index.addUpdateRange(12, 90);
      index.needsUpdate = true;
    },
    regroup,
    nothing,
  ],
  'an upload is followed by a silent edit': [inTwo, upload(1.5), silent(0.5), turnAlone],
  'what is hidden is edited before it is seen first': [
    () => {
      const made = inTwo();
      for (const mesh of made.meshes) mesh.visible = mesh.geometry === made.geometries[1];
      return made;
    },
    ({ geometries: [first], meshes }) => {
      stretch(first, 2);
      for (const mesh of meshes) mesh.visible = true;
    },
    nothing,
    nothing,
  ],
  'meshes wait for others': [
    () => {
      const made = inTwo();
      for (const mesh of made.meshes.slice(2)) mesh.visible = false;
      return made;
    },
    silent(2),
    ({ meshes }) => {
      for (const mesh of meshes) mesh.visible = true;
    },
    nothing,
    nothing,
  ],
  'a buffer is one of several geometries': [
    () => world(halves()),
    ({ geometries: [first] }) => {
      const position = first.attributes.position as THREE.BufferAttribute;
      stretch(first, 2);
      position.addUpdateRange(0, 60);
      position.needsUpdate = true;
    },
    ({ meshes: [mesh] }) => {
      mesh.geometry = mesh.geometry.clone();
    },
    regroup,
    nothing,
  ],
  'an array is put in the place of another': [
    inTwo,
    ({ geometries: [first] }) => {
      const position = first.attributes.position as THREE.BufferAttribute;
      position.array = times(position.array as Float32Array, 2);
    },
    regroup,
    nothing,
    ({ geometries: [first] }) => {
      first.attributes.position.needsUpdate = true;
    },
    nothing,
  ],
  'an index goes beyond its vertices': [
    () =>
      world(
        [ball(), ball()].map((geometry, i) => {
          if (i > 0) (geometry.index as THREE.BufferAttribute).setX(3, 60000);
          return geometry;
        }),
      ),
    nothing,
  ],
};

describe('a batch shows what renderers have been given, when', () => {
  test.each(Object.entries(STORIES))('%s', async (_label, [make, ...edits]) => {
    const pair = new Pair(make);
    await pair.settle();
    expect(pair.calls).toBeLessThan(COUNT);
    for (const [i, edit] of edits.entries()) pair.frame(`edit ${i}`, edit);
    pair.index.dispose();
    pair.frame('without batches');
  });
});

const edit = upload(1.01);

test('a geometry that is edited in each frame is drawn by itself until it rests', async () => {
  const pair = new Pair(() => world(Array.from({ length: COUNT }, ball)));
  await pair.settle();
  for (let frame = 0; frame < 8; frame++) pair.frame(`edit ${frame}`, edit);
  expect(pair.reasonOf(0)).toContain('its attribute "position" changes in most frames');
  expect(pair.calls).toBe(2);
  for (let frame = 0; frame < 80; frame++) pair.frame(`rest ${frame}`);
  expect(pair.calls).toBe(1);
  // Now and then is no reason to leave.
  for (let frame = 0; frame < 40; frame++) pair.frame(`now and then ${frame}`, frame % 10 ? nothing : edit);
  expect(pair.calls).toBe(1);
  pair.index.dispose();
});

test('a small geometry that many meshes have stays in its batch though it is edited in each frame', async () => {
  const pair = new Pair(() => world([ball()]));
  await pair.settle();
  for (let frame = 0; frame < 40; frame++) pair.frame(`edit ${frame}`, edit);
  // One is drawn by itself, so that three uploads the geometry for whatever else has it.
  expect(pair.calls).toBe(2);
  pair.frame('no edit');
  expect(pair.calls).toBe(1);
  pair.index.dispose();
});

test('a mesh is drawn in a batch again once all of its geometry was uploaded', async () => {
  const pair = new Pair(inTwo);
  await pair.settle();
  pair.frame('in silence', silent(2));
  pair.frame('in another order', regroup);
  for (let frame = 0; frame < 2; frame++) pair.frame('waits');
  expect(pair.calls).toBe(COUNT / 2 + 1);
  expect(pair.reasonOf(0)).toContain('its attribute "position" may have been edited without needsUpdate');
  pair.frame('uploaded', ({ geometries: [first] }) => {
    first.attributes.position.needsUpdate = true;
  });
  for (let frame = 0; frame < 2; frame++) pair.frame('joins');
  expect(pair.calls).toBe(1);
  pair.index.dispose();
});
