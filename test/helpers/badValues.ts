import * as THREE from 'three';
import { OBB } from 'three/addons/math/OBB.js';
import { createIndex, SceneIndex } from '../../src/index.js';
import * as core from '../../src/standalone.js';
import { Hits, IdList, IdPairs } from '../../src/standalone.js';
import { boxMesh } from './scene.js';

/** What getters and traps of the values throw. */
export const MINE = 'mine';

/** A value that somebody may hand over in place of a good one; made anew for each use. */
export interface BadValue {
  label: string;
  make: () => unknown;
  /** True for what only the runtime finds fault with: its message need not name us. */
  isUnspeakable?: boolean;
}

const fail = (): never => {
  throw new Error(MINE);
};
/** Stands where words are asked for: messages are to do without. */
const mute = (): never => {
  throw new Error('asked for words');
};
const WORDY: PropertyKey[] = ['toString', 'valueOf', 'name', Symbol.toPrimitive, Symbol.toStringTag];
/** Of what is so long no message may tell all. */
const LONG = 10_000;
const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
const nan3 = (): THREE.Vector3 => new THREE.Vector3(nan, 0, 0);

/** Six numbers of which one is a getter. */
function withGetter(place: number, get: () => unknown): number[] {
  return Object.defineProperty([0, 0, 0, 1, 1, 1], place, { get, set: () => {}, configurable: true });
}

function cyclic(): object {
  const value: { [name: string]: unknown } = { length: 6 };
  for (const name of [0, 1, 2, 'origin', 'center', 'min', 'planes']) value[name] = value;
  return value;
}

function cyclicArray(): unknown[] {
  const value: unknown[] = [0, 0, 0, 1, 1];
  value.push(value);
  return value;
}

/** Throws whatever is asked of it. */
function trap(): object {
  return new Proxy(() => {}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail, apply: fail });
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function detached<T extends Float64Array | Int32Array>(array: T): T {
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

/** An object whose every property of these names throws. */
function thorny(...names: string[]): object {
  const value = {};
  for (const name of names) Object.defineProperty(value, name, { enumerable: true, get: fail });
  return value;
}

/** An object that does not tell what kind it is. */
function tagged(name: PropertyKey): object {
  return Object.defineProperty({}, name, { get: mute });
}

/** A camera of matrices that are no numbers. */
function brokenCamera(): THREE.PerspectiveCamera {
  const camera = new THREE.PerspectiveCamera();
  camera.projectionMatrix.elements.fill(nan);
  return camera;
}

function disposedSceneIndex(): SceneIndex {
  const index = new SceneIndex(new THREE.Scene());
  index.dispose();
  return index;
}

const plain = (make: () => unknown, label = String(make()), rest: Partial<BadValue> = {}): BadValue => ({
  label,
  make,
  ...rest,
});

/** More than a hundred kinds of values, most of them wrong anywhere, some of them right somewhere. */
export const BAD_VALUES: BadValue[] = [
  // Primitives.
  plain(() => undefined),
  plain(() => null),
  plain(() => true),
  plain(() => false),
  plain(() => '', 'an empty string'),
  plain(() => 'abc'),
  plain(() => '0', 'a digit'),
  plain(() => '123456', 'six digits'),
  plain(() => Symbol('s')),
  plain(() => Symbol.iterator),
  plain(() => 0n, '0n'),
  plain(() => 2n ** 64n, '2n ** 64n'),
  // Numbers.
  plain(() => nan),
  plain(() => inf),
  plain(() => -inf),
  plain(() => -0, '-0'),
  plain(() => 0),
  plain(() => 2),
  plain(() => 0.5),
  plain(() => -1),
  plain(() => -2),
  plain(() => 999),
  plain(() => 2 ** 31),
  plain(() => 2 ** 32),
  plain(() => 2 ** 32 + 1),
  plain(() => Number.MAX_SAFE_INTEGER),
  plain(() => Number.MAX_VALUE),
  plain(() => -Number.MAX_VALUE),
  plain(() => Number.MIN_VALUE),
  plain(() => Number.EPSILON),
  // Objects of the language.
  plain(() => ({}), 'an empty object'),
  plain(() => Object.create(null), 'an object without prototype'),
  plain(() => core, 'a module'),
  plain(() => Object.freeze({}), 'a frozen object'),
  plain(() => Object.freeze([0, 0, 0, 1, 1, 1]), 'a frozen box'),
  plain(() => Object(6), 'a Number object'),
  plain(() => Object('123456'), 'a String object'),
  plain(() => new Date(nan), 'a Date'),
  plain(() => /x/, 'a regular expression'),
  plain(() => new Error('x'), 'an Error'),
  plain(() => Promise.resolve(), 'a promise'),
  plain(() => new Map([[0, 0]]), 'a Map'),
  plain(() => new Set([0, 0, 0, 1, 1, 1]), 'a Set'),
  plain(() => new WeakMap(), 'a WeakMap'),
  plain(() => [0, 0, 0, 1, 1, 1].values(), 'an iterator'),
  plain(() => () => {}, 'a function'),
  plain(() => fail, 'a function that throws'),
  plain(() => cyclic(), 'a cyclic object'),
  plain(() => ({ toString: mute }), 'an object without words'),
  plain(() => Object.assign([0, 0, 0, 1, 1], { toString: mute }), 'an array without words'),
  plain(() => ({ [Symbol.toPrimitive]: mute }), 'an object that is no primitive'),
  plain(() => ({ toString: () => Symbol('s') }), 'an object with a symbol for words'),
  plain(() => tagged(Symbol.toStringTag), 'an object without a tag'),
  plain(() => tagged('constructor'), 'an object without a constructor'),
  plain(() => Object.assign(() => {}, { toString: mute }), 'a function without words'),
  plain(
    () => new Proxy(() => {}, { get: (_, key) => (WORDY.includes(key) ? mute() : undefined) }),
    'a function that is mute',
  ),
  plain(() => Object.defineProperty(class {}, 'name', { get: mute }), 'a class without a name', {
    isUnspeakable: true,
  }),
  plain(() => Symbol('s'.repeat(LONG)), 'a long symbol'),
  plain(() => 's'.repeat(LONG), 'a long string'),
  plain(() => 1n << BigInt(LONG), 'a long bigint'),
  plain(() => ({ toString: () => 's'.repeat(LONG) }), 'an object of many words'),
  plain(() => new Array(LONG).fill(null), 'a long array of null'),
  plain(() => ({ ['s'.repeat(LONG)]: 1 }), 'an object with a long name'),
  plain(() => ({ valueOf: fail }), 'an object without value'),
  plain(() => trap(), 'a proxy that throws'),
  plain(() => revoked(), 'a revoked proxy', { isUnspeakable: true }),
  plain(() => new Proxy([0, 0, 0, 1, 1, 1], {}), 'a proxy of a box'),
  plain(() => new Proxy(new Float64Array(6), {}), 'a proxy of doubles', { isUnspeakable: true }),
  plain(
    () => thorny('length', 'origin', 'center', 'min', 'planes', 'ray', 'layers', 'cameras', 'structure', 'capacity'),
    'getters that throw',
  ),
  plain(
    () => thorny('isBox3', 'isSphere', 'isVector3', 'isVector2', 'isCamera', 'isObject3D', 'center', 'start'),
    'flags that throw',
  ),
  // Arrays, and what has a length.
  plain(() => [], 'an empty array'),
  plain(() => [0], 'one number'),
  plain(() => [0, 0], 'two numbers'),
  plain(() => [0, 0, 0], 'three zeros'),
  plain(() => [1, 2, 3, 4], 'four numbers'),
  plain(() => [0, 0, 0, 1, 1], 'five numbers'),
  plain(() => [0, 0, 0, 1, 1, 1], 'a box'),
  plain(() => [3, 0, 0, 1, 1, 1], 'an inverted box'),
  plain(() => [-inf, -inf, -inf, inf, inf, inf], 'a box of everything'),
  plain(() => [inf, inf, inf, -inf, -inf, -inf], 'a box of nothing'),
  plain(() => [0, 0, 0, 1, 1, 1, 1], 'seven numbers'),
  plain(() => new Array(9).fill(0), 'nine zeros'),
  plain(() => new Array(124).fill(0), '124 zeros'),
  plain(() => new Array(6), 'six holes'),
  plain(() => new Array(2 ** 32 - 1), 'the longest array', { isUnspeakable: true }),
  plain(() => Object.assign([0, 0, 0], { 5: 1 }), 'a box with holes'),
  plain(() => [0, 0, 0, 1, nan, 1], 'NaN among numbers'),
  plain(() => [0, '0', 0, 1, '1', 1], 'strings among numbers'),
  plain(() => [0, null, 0, 1, undefined, 1], 'null among numbers'),
  plain(() => [0n, 0n, 0n, 1n, 1n, 1n], 'six bigints'),
  plain(() => [[0], [0], [0], [1], [1], [1]], 'six arrays'),
  plain(() => [Symbol('s'), 0, 0, 1, 1, 1], 'a symbol among numbers'),
  plain(() => [Object.create(null), 0, 0, 1, 1, 1], 'an object without prototype among numbers'),
  plain(() => cyclicArray(), 'a cyclic array'),
  plain(() => withGetter(0, fail), 'a first number that throws', { isUnspeakable: true }),
  plain(() => withGetter(5, fail), 'a last number that throws', { isUnspeakable: true }),
  plain(() => {
    let reads = 0;
    return withGetter(0, () => (reads++ === 0 ? 0 : nan));
  }, 'a number that is another when read again'),
  plain(() => ({ length: nan }), 'a length of NaN'),
  plain(() => ({ length: -6 }), 'a length of -6'),
  plain(() => ({ length: '6' }), 'a length that is a string'),
  plain(() => ({ length: 6 * 2 ** 40 }), 'a length beyond memory', { isUnspeakable: true }),
  plain(() => ({ length: 6, 0: 0, 1: 0, 2: 0, 3: 1, 4: 1, 5: 1 }), 'an object like a box'),
  plain(() => new Float64Array(6), 'six doubles'),
  plain(() => new Float64Array([0, 0, 0, 1, nan, 1]), 'NaN among doubles'),
  plain(() => new Float32Array([nan, 0, 0, 1, 1, 1]), 'NaN among floats'),
  plain(() => new Int32Array([2, 99, -1]), 'integers that are no ids'),
  plain(() => new BigInt64Array(6), 'six big integers'),
  plain(() => new Uint8ClampedArray(6), 'six clamped bytes'),
  plain(() => new ArrayBuffer(48), 'a buffer'),
  plain(() => new DataView(new ArrayBuffer(48)), 'a view of a buffer'),
  plain(() => detached(new Float64Array(6)), 'doubles without their buffer', { isUnspeakable: true }),
  plain(() => detached(new Int32Array(6)), 'integers without their buffer', { isUnspeakable: true }),
  // What looks like the right thing.
  plain(() => ({ isBox3: true }), 'the flag of a Box3', { isUnspeakable: true }),
  plain(() => ({ isSphere: true }), 'the flag of a Sphere', { isUnspeakable: true }),
  plain(() => ({ isVector3: true }), 'the flag of a Vector3', { isUnspeakable: true }),
  plain(() => ({ isVector2: true }), 'the flag of a Vector2', { isUnspeakable: true }),
  plain(() => ({ isCamera: true }), 'the flag of a Camera', { isUnspeakable: true }),
  plain(() => ({ origin: [0, 0, 0], direction: [0, 0, 0] }), 'a ray without direction'),
  plain(() => ({ origin: [0, 0, 0], direction: [1, 0, 0], far: nan }), 'a ray to NaN'),
  plain(() => ({ center: [0, 0], direction: [1, 0], radius: -1, angle: 1 }), 'a sector of negative radius'),
  plain(() => ({ planes: new Array(6).fill(null) }), 'six planes that are null'),
  // Objects of three.
  plain(() => new THREE.Box3(), 'an empty Box3'),
  plain(() => new THREE.Box3(new THREE.Vector3(), new THREE.Vector3(1, 1, 1)), 'a Box3'),
  plain(() => new THREE.Box3(nan3(), nan3()), 'a Box3 of NaN'),
  plain(() => new THREE.Sphere(new THREE.Vector3(), 1), 'a Sphere'),
  plain(() => new THREE.Sphere(nan3(), nan), 'a Sphere of NaN'),
  plain(() => new THREE.Vector3(1, 0, 0), 'a Vector3'),
  plain(() => nan3(), 'a Vector3 of NaN'),
  plain(() => new THREE.Vector3(inf, 0, 0), 'an infinite Vector3'),
  plain(() => Object.assign(new THREE.Vector3(), { x: '1' }), 'a Vector3 of strings'),
  plain(() => new THREE.Vector2(), 'a Vector2'),
  plain(() => new THREE.Vector2(nan, inf), 'a Vector2 of NaN'),
  plain(() => new THREE.Plane(nan3(), nan), 'a Plane of NaN'),
  plain(() => [new THREE.Plane()], 'a Plane in an array'),
  plain(() => new THREE.Frustum(), 'a Frustum'),
  plain(() => new THREE.Line3(nan3(), nan3()), 'a Line3 of NaN'),
  plain(() => new OBB(nan3(), nan3()), 'an OBB of NaN'),
  plain(() => new THREE.Matrix4(), 'a Matrix4'),
  plain(() => new THREE.Ray(), 'a Ray'),
  plain(() => new THREE.Raycaster(new THREE.Vector3(), nan3()), 'a Raycaster of NaN'),
  plain(() => new THREE.Layers(), 'Layers'),
  plain(() => new THREE.BufferGeometry(), 'a geometry'),
  plain(() => new THREE.MeshBasicMaterial(), 'a material'),
  plain(() => new THREE.Object3D(), 'an Object3D'),
  plain(() => boxMesh(), 'a Mesh'),
  plain(() => new THREE.OrthographicCamera(), 'a camera'),
  plain(() => brokenCamera(), 'a camera of NaN'),
  plain(() => new THREE.ArrayCamera([]), 'an ArrayCamera of none'),
  plain(() => new THREE.ArrayCamera([null as never]), 'an ArrayCamera of null'),
  // Our own.
  plain(() => new IdList(), 'an IdList'),
  plain(() => Object.freeze(new IdList()), 'a frozen IdList', { isUnspeakable: true }),
  plain(() => new Hits(), 'Hits'),
  plain(() => new IdPairs(), 'IdPairs'),
  plain(() => createIndex('octree'), 'an index of the core'),
  plain(() => new SceneIndex(new THREE.Scene()), 'an index'),
  plain(() => disposedSceneIndex(), 'an index that was disposed'),
];
