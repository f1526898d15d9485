import * as THREE from 'three';
import { describe } from 'vitest';
import { InstanceIndex, Octree } from '../../../src/index.js';
import { Bvh, IdList } from '../../../src/standalone.js';
import { eye } from '../../helpers/cameras.js';
import * as kinds from '../../helpers/kinds.js';
import { at, call, optional, type Signature, testPlaces, within } from '../../helpers/kinds.js';
import { random } from '../../helpers/random.js';
import { type Any, refusalsOf } from '../../helpers/refusals.js';
import { box, camera, list, point, sphere } from '../../helpers/sceneKinds.js';
import { validate } from '../../helpers/validate.js';
import { batchedCrowd, instancedCrowd } from './crowds.js';

type Call = Signature<InstanceIndex>;

const ONE = new THREE.Vector3(1, 1, 1);
const ALL = new THREE.Box3(ONE.clone().multiplyScalar(-99), ONE.clone().multiplyScalar(99));
const count = kinds.number((v) => v >= 1 && (Number.isInteger(v) || v === Number.POSITIVE_INFINITY));
const IDS = at(optional(kinds.a(IdList)));
const OUT = at(optional(list));
const method = (name: string, ...places: Call['places']): Call =>
  call(`InstanceIndex.${name}`, (index: Any, ...values) => index[name](...values), ...places);

const SIGNATURES: Call[] = [
  method('cull', at(camera, eye), IDS),
  method('queryBox', at(box, ALL), IDS),
  method('querySphere', at(sphere, new THREE.Sphere(ONE, 1)), IDS),
  method('queryPoint', at(point, ONE), IDS),
  method('nearest', at(point, ONE), at(optional(count), 9), at(optional(within(0)), 9), OUT),
  method(
    'raycast',
    at(kinds.a(THREE.Raycaster), () => new THREE.Raycaster(ONE, ONE)),
    OUT,
  ),
  method('setLevels', at(kinds.whatever)),
  call('InstanceIndex.minPixels', (index, value) => Object.assign(index, { minPixels: value }), at(kinds.whatever)),
  call('InstanceIndex.mesh', (_, value) => new InstanceIndex(value), at(kinds.a(THREE.InstancedMesh))),
  call('InstanceIndex', ({ mesh }, value) => new InstanceIndex(mesh, value), at(kinds.options)),
  call(
    'InstanceIndex.structure',
    ({ mesh }, structure) => new InstanceIndex(mesh, { structure }),
    at(optional(kinds.a(Octree))),
  ),
];
const TOGETHER = refusalsOf<InstanceIndex>('InstanceIndex', ({ mesh }, value) => new InstanceIndex(mesh, value), [
  [RangeError, 'unknown option "levels"', { levels: [] }],
]);

describe.each([
  ['an InstancedMesh', instancedCrowd],
  ['a BatchedMesh', batchedCrowd],
])('whatever is given to the index of %s, in', (_label, make) => {
  const structures = new WeakMap<InstanceIndex, Bvh>();
  testPlaces(
    SIGNATURES,
    TOGETHER,
    /setLevels|minPixels/,
    () => {
      const structure = new Bvh();
      const index = new InstanceIndex(make(random(3), 40, 10), { structure });
      structures.set(index, structure);
      return index;
    },
    (index) => [index.size, ...index.queryBox(ALL), ...index.cull(eye()).toArray()].join(),
    (index) => validate(structures.get(index) as Bvh),
  );
});
