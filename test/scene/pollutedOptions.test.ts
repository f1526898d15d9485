import { BoxGeometry, InstancedMesh, Mesh, MeshBasicMaterial, Scene } from 'three';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { accelerate, createIndex, InstanceIndex, Octree, SceneIndex } from '../../src/index.js';
import { Interest } from '../../src/interest.js';
import { accelerated } from '../helpers/indexed.js';

/** What careless code leaves on all objects: a name that is no option, and names that are. */
const POLLUTION = {
  anything: 1,
  ...{
    index: 5,
    structure: 7,
    cullCasters: 'yes',
    batch: 7,
    minPixels: -1,
    mergeColors: 0,
    maxBytes: 'all',
    capacity: -1,
  },
  ...{ radius: 1, halfSize: 'wide', hysteresis: -1, mask: 0.5, margin: 8, item: 99 },
};

beforeEach(() => void Object.assign(Object.prototype, POLLUTION));

afterEach(() => {
  for (const name of Object.keys(POLLUTION)) Reflect.deleteProperty(Object.prototype, name);
});

it('what lies on Object.prototype is neither taken for an option nor complained about', () => {
  const scene = new Scene().add(new Mesh(new BoxGeometry(), new MeshBasicMaterial()));
  new SceneIndex(scene).dispose();
  new SceneIndex(scene, {}).dispose();
  accelerate(scene).dispose();
  accelerate(scene, { batch: {} }).dispose();
  new InstanceIndex(new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 3)).dispose();
  expect(createIndex('octree').size).toBe(0);
  const interest = new Interest(createIndex('packed'));
  expect(interest.observe({ halfSize: [1, 1, 1] }).x).toBe(0);
});

it('own options count, and own names that are none are refused', () => {
  const scene = new Scene();
  expect(() => accelerate(scene, { cullCasters: 1 } as never)).toThrow('accelerate.cullCasters');
  expect(() => accelerate(scene, { anything: 1 } as never)).toThrow('accelerate: unknown option "anything"');
  expect(() => new SceneIndex(scene, { __proto__: null, batch: 1 } as never)).toThrow(
    'SceneIndex: unknown option "batch"',
  );
  expect(() => new Interest(createIndex('packed')).observe({ radius: 1, anything: 1 } as never)).toThrow('anything');
});

it('options that are inherited are no options, and own ones are read once', () => {
  const inherited = Object.create({ structure: new Octree(), capacity: 0, cullCasters: true, minPixels: 'no' });
  expect(new SceneIndex(new Scene(), inherited).structure).toBe('packed');
  expect(accelerated(new Scene(), inherited).structure).toBe('packed');
  let reads = 0;
  const options = {
    get minPixels() {
      return reads++ === 0 ? 1 : ('5' as never);
    },
  };
  accelerated(new Scene(), options);
  expect(reads).toBe(1);
});
