import * as THREE from 'three';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type AcceleratedScene,
  type AccelerateOptions,
  accelerate,
  type BatchOptions,
  explain,
  report,
} from '../../src/index.js';
import { drawnTriangles, plainTriangles } from '../helpers/drawnTriangles.js';
import { mainPass } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { cameraAt, loadAllBatching } from './Stage.js';

const plane = new THREE.PlaneGeometry();
const box = new THREE.BoxGeometry();
const camera = cameraAt(20);

interface Likes {
  readonly materials?: readonly THREE.Material[];
  readonly depth?: number;
  readonly geometries?: readonly THREE.BufferGeometry[];
}

/** A crowd of similar meshes, whose pictures are compared with plain three's. */
class Crowd {
  readonly scene = new THREE.Scene();
  readonly meshes: THREE.Mesh[] = [];
  readonly index: AcceleratedScene;
  readonly paint = new THREE.MeshLambertMaterial();
  /** How many of them move from picture to picture. */
  moving = 0;
  #pictures = 0;

  constructor(count: number, likes: Likes = {}, options: AccelerateOptions = { batch: true }) {
    this.add(count, likes);
    this.index = accelerate(this.scene, options);
  }

  add(count: number, { materials = [this.paint], depth = 1, geometries = [plane] }: Likes = {}): void {
    for (let i = 0; i < count; i++) {
      const mesh = new THREE.Mesh(geometries[i % geometries.length], materials[i % materials.length]);
      mesh.position.set((i % 40) / 4 - 5, Math.floor(i / 40) / 4 - 5, 0);
      const above = i % depth === 0 ? this.scene : this.meshes[this.meshes.length - 1];
      if (above !== this.scene) mesh.position.set(0.1, 0.1, 0);
      above.add(mesh);
      this.meshes.push(mesh);
    }
  }

  /** The draw calls of each of so many pictures. */
  calls(pictures: number, before: (picture: number) => void = () => {}): number[] {
    return Array.from({ length: pictures }, (_, i) => {
      before(i);
      return this.draw();
    });
  }

  draw(by?: object): number {
    const { scene, meshes, moving } = this;
    this.#pictures++;
    for (let i = 0; i < moving; i++) meshes[i].position.z = (this.#pictures % 7) / 10;
    scene.updateMatrixWorld();
    const plain = plainTriangles(scene, camera, camera);
    const drawn = drawnTriangles(scene, camera, camera, undefined, by);
    if (by === undefined) expect(drawn.main, `picture ${this.#pictures}`).toEqual(plain.main);
    return drawn.calls;
  }
}

beforeAll(loadAllBatching);
afterEach(() => vi.restoreAllMocks());

describe('8 similar meshes become one draw call by the third picture', () => {
  it.each([8, 20, 100, 300, 733])('%d at rest, in motion, or with a material each', (count) => {
    const materials = Array.from({ length: count }, (_, color) => new THREE.MeshLambertMaterial({ color }));
    const inMotion = Object.assign(new Crowd(count), { moving: count });
    for (const crowd of [new Crowd(count), inMotion, new Crowd(count, { materials })]) {
      expect(crowd.calls(5).slice(2)).toEqual([1, 1, 1]);
    }
  });

  it.each([1, 2, 5, 40])('200 in trees %d deep, children with their parents', (depth) => {
    expect(new Crowd(200, { depth }).calls(4).slice(2)).toEqual([1, 1]);
  });

  it.each([false, true])('those that are added, moving %s, while the others are drawn', (areMoving) => {
    const crowd = new Crowd(40);
    crowd.calls(3);
    crowd.add(40);
    if (areMoving) crowd.moving = 80;
    expect(crowd.calls(3).at(-1)).toBe(1);
  });

  it('200 of 733 that are highlighted by a material of another colour, and again as they were', () => {
    const crowd = new Crowd(733);
    crowd.calls(3);
    const highlight = new THREE.MeshLambertMaterial({ color: 'orange' });
    for (const mesh of crowd.meshes.slice(0, 200)) mesh.material = highlight;
    expect(crowd.calls(4).slice(2)).toEqual([1, 1]);
    for (const mesh of crowd.meshes.slice(0, 200)) mesh.material = crowd.paint;
    expect(crowd.calls(4).slice(2)).toEqual([1, 1]);
  });

  it('though each frame begins with two pictures in which a material overrides all others', () => {
    const crowd = new Crowd(40);
    const frame = (): number => {
      for (const material of [new THREE.MeshBasicMaterial(), new THREE.MeshBasicMaterial(), null]) {
        crowd.scene.overrideMaterial = material;
        if (material !== null) drawnTriangles(crowd.scene, camera, camera);
      }
      return crowd.draw();
    };
    expect([frame(), frame(), frame()].slice(1)).toEqual([1, 1]);
  });

  it('seen by any picture: some in one, some in the next', () => {
    const crowd = new Crowd(8);
    const rest = crowd.meshes.slice(5);
    for (const mesh of rest) mesh.visible = false;
    expect(crowd.calls(3)).toEqual([5, 5, 5]);
    for (const mesh of crowd.meshes) mesh.visible = rest.includes(mesh);
    // A batch is made in the picture that shows the eighth.
    expect(crowd.calls(3)).toEqual([3, 1, 1]);
  });
});

describe('a batch is kept while 4 are in the scene', () => {
  it('in view or not', () => {
    const crowd = new Crowd(40);
    crowd.calls(3);
    for (const mesh of crowd.meshes.slice(1)) mesh.visible = false;
    expect(new Set(crowd.calls(300))).toEqual(new Set([1]));
    crowd.scene.position.x = 1e4;
    expect(new Set(crowd.calls(300))).toEqual(new Set([0]));
    crowd.scene.position.x = 0;
    for (const mesh of crowd.meshes) mesh.visible = true;
    expect(crowd.calls(2)).toEqual([1, 1]);
  });

  it.each([
    // Meshes, the option, and the draw calls: with all of them, with half of those that it takes, and with one less.
    [40, 8, [1, 1, 3]],
    [4, 4, [1, 1, 1]],
    [3, 4, [3, 2, 1]],
    [2, 2, [1, 1, 0]],
    [1, 1, [1, 1, 0]],
    [10, 10, [1, 1, 4]],
    [9, 10, [9, 5, 4]],
  ])('%d similar meshes, with atLeast %s, take %j draw calls', (count, atLeast, calls) => {
    const crowd = new Crowd(count, {}, { batch: { atLeast } });
    const half = Math.ceil(atLeast / 2);
    const found = [count, half, half - 1].map((left) => {
      crowd.scene.remove(...crowd.meshes.splice(left));
      return crowd.calls(4).at(-1);
    });
    expect(found).toEqual(calls);
  });

  it('7 are drawn one by one, however long', () => {
    const crowd = new Crowd(7);
    expect(new Set(crowd.calls(200))).toEqual(new Set([7]));
    expect(explain(crowd.index, crowd.meshes[0], camera).join()).toContain(
      'too few others are similar (7 of the 8 draws that make a batch)',
    );
    expect(report(crowd.index)).toMatchObject([{ count: 7, advice: expect.stringContaining('batch.atLeast') }]);
    crowd.add(1);
    expect(crowd.calls(3).at(-1)).toBe(1);
  });
});

describe('a mesh that changes in more than half of the last 8 pictures', () => {
  const CHANGES: Record<string, (mesh: THREE.Mesh, picture: number) => void> = {
    'its geometry': (mesh, picture) => {
      mesh.geometry.attributes.position.setX(0, (picture % 9) / 9);
      mesh.geometry.attributes.position.needsUpdate = true;
    },
    'its material': (mesh, picture) => {
      mesh.material = new THREE.MeshLambertMaterial({ emissive: picture });
    },
  };
  it.each(Object.keys(CHANGES))('%s: is drawn alone, and comes back when it rests', (what) => {
    const crowd = new Crowd(40, { geometries: [box] });
    const [mesh] = crowd.meshes;
    mesh.geometry = box.clone();
    const before = mesh.material;
    expect(crowd.calls(3).at(-1)).toBe(1);
    crowd.calls(12, (picture) => CHANGES[what](mesh, picture));
    expect(explain(crowd.index, mesh, camera).join()).toContain('its geometry or material changes in most frames');
    mesh.material = before;
    expect(crowd.calls(12).slice(0, 7)).toEqual([2, 2, 2, 2, 2, 2, 2]);
    expect(crowd.calls(1)).toEqual([1]);
  });

  it('one that changes in every other picture stays', () => {
    const crowd = new Crowd(40, { geometries: [box] });
    const [mesh] = crowd.meshes;
    mesh.geometry = box.clone();
    crowd.calls(3);
    crowd.calls(40, (picture) => picture % 2 === 0 && CHANGES['its geometry'](mesh, picture));
    expect(crowd.calls(1)).toEqual([1]);
  });

  it('a material that is another for one picture costs it nothing but that', () => {
    const crowd = new Crowd(40);
    crowd.calls(3);
    const ids = crowd.meshes.map((_, id) => new THREE.MeshBasicMaterial({ color: id }));
    for (let turn = 0; turn < 20; turn++) {
      for (const [i, mesh] of crowd.meshes.entries()) mesh.material = ids[i];
      expect(crowd.calls(1)).toEqual([40]);
      for (const mesh of crowd.meshes) mesh.material = crowd.paint;
      expect(crowd.calls(1)).toEqual([1]);
    }
  });
});

describe('in WebGPURenderer 8 of one geometry count', () => {
  const webgpu = { isWebGPURenderer: true, sortObjects: true, backend: { isWebGPUBackend: true } };
  const balls = Array.from({ length: 3 }, (_, i) => new THREE.SphereGeometry(1, 8 + i, 8));

  it.each([
    [24, [24, 3, 3]],
    [21, [21, 21, 21]],
  ])('%d meshes of three geometries: %j draw calls', (count, calls) => {
    const crowd = new Crowd(count, { geometries: balls });
    expect([0, 1, 2].map(() => crowd.draw(webgpu))).toEqual(calls);
  });

  it('by WebGL it is one call, and after WebGPU three again', () => {
    const crowd = new Crowd(48, { geometries: balls });
    expect(crowd.calls(3).at(-1)).toBe(1);
    expect([0, 1, 2].map(() => crowd.draw(webgpu)).at(-1)).toBe(3);
    expect(crowd.calls(3).at(-1)).toBe(3);
  });

  it('a page that draws on demand is told when what changed often rests, after WebGL as well', async () => {
    const onChange = vi.fn();
    const crowd = new Crowd(40, { geometries: [balls[0]] }, { batch: true, onChange });
    const [mesh] = crowd.meshes;
    const edit = (by?: object): void => {
      for (let i = 0; i < 8; i++) {
        mesh.material = new THREE.MeshLambertMaterial({ emissive: i });
        crowd.draw(by);
      }
    };
    crowd.calls(3);
    edit();
    for (let i = 0; i < 3; i++) crowd.draw(webgpu);
    edit(webgpu);
    expect(explain(crowd.index, mesh, camera).join()).toContain('changes in most frames');
    onChange.mockClear();
    await vi.waitUntil(() => onChange.mock.calls.length > 0, { timeout: 20_000 });
  });
});

it.each([1, 2])('edits while batches come and go show as in plain three, seed %i', (seed) => {
  const next = random(seed);
  const crowd = new Crowd(60);
  const geometries = [plane, new THREE.PlaneGeometry(2, 1), new THREE.PlaneGeometry().toNonIndexed()];
  const some = () => crowd.meshes[Math.floor(next() * crowd.meshes.length)];
  const acts = [
    () => some().position.setX(20 * next() - 10),
    () => (some().visible = next() < 0.5),
    () => (some().geometry = geometries[Math.floor(3 * next())]),
    () => (some().material = new THREE.MeshLambertMaterial({ color: 0xffffff * next() })),
    () => crowd.paint.color.setHex(0xffffff * next()),
    () => crowd.paint.emissive.setHex(next() < 0.5 ? 0 : 0xffffff * next()),
    () => (some().renderOrder = Math.floor(2 * next())),
    () => (some().castShadow = next() < 0.5),
    () => crowd.scene.remove(some()),
    () => crowd.scene.add(...crowd.meshes),
    () => (crowd.moving = Math.floor(crowd.meshes.length * next() ** 2)),
    () => {
      const { position } = geometries[1].attributes;
      position.setX(0, next());
      position.needsUpdate = true;
    },
  ];
  for (let picture = 0; picture < 400; picture++) {
    if (next() < 0.4) acts[Math.floor(next() * acts.length)]();
    crowd.draw();
  }
  crowd.index.dispose();
});

it.each([0, 3_000])('batches take no more than %i bytes if they may not, and that is said once', (maxBytes) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const crowd = new Crowd(60, { geometries: [plane, box] }, { batch: { maxBytes } });
  expect(crowd.calls(5).at(-1)).toBeGreaterThan(maxBytes === 0 ? 59 : 2);
  expect(warn.mock.calls).toEqual([[expect.stringMatching(/limit of \d+ bytes/)]]);
  crowd.index.dispose();
});

it('index.batch decides for a part of the scene, for all of it, or for a mesh', () => {
  const crowd = new Crowd(40, {}, {});
  const { scene, index, meshes } = crowd;
  const part = new THREE.Group().add(...meshes.slice(20));
  scene.add(part);
  const callsAfter = (object: THREE.Object3D, isBatched?: boolean): number | undefined => {
    expect(index.batch(object, isBatched)).toBe(true);
    return crowd.calls(4).at(-1);
  };
  expect(crowd.draw()).toBe(40);
  expect(callsAfter(part)).toBe(21);
  expect(callsAfter(scene)).toBe(1);
  expect(callsAfter(part, false)).toBe(21);
  expect(callsAfter(meshes[20], true)).toBe(20);
  expect(callsAfter(scene, false)).toBe(40);
  expect(callsAfter(part)).toBe(21);
  expect(callsAfter(part, false)).toBe(40);
  expect(callsAfter(scene)).toBe(20);
  expect(index.batch(new THREE.Mesh())).toBe(false);
  index.dispose();
});

it('a batch has the user data of its first mesh, for sort functions', () => {
  const crowd = new Crowd(16);
  for (const [i, mesh] of crowd.meshes.entries()) mesh.userData = { i };
  crowd.calls(3);
  expect(mainPass(crowd.scene, camera).drawn.map(({ object }) => object.userData)).toEqual([{ i: 0 }]);
});

describe('options are refused', () => {
  const atLeast = [0, -1, 1.5, Number.NaN, Number.NEGATIVE_INFINITY, '4', null, true, [], {}];
  const BAD: Record<string, unknown[]> = {
    'batch.atLeast: must be': atLeast.map((atLeast) => ({ batch: { atLeast } })),
    'batch.accept: must be a function': [true, 'all', null, {}].map((accept) => ({ batch: { accept } })),
    'levels: needs the option batch': [{ levels: true }, { levels: {} }],
    'levels: must be a boolean or an object, got ': [1, null, 'all'].map((levels) => ({ batch: true, levels })),
    'levels.make: must be a function, got ': [{}, 'meshopt'].map((make) => ({ batch: true, levels: { make } })),
    'levels.maxError: must be': [-1, Number.NaN].map((maxError) => ({ batch: true, levels: { maxError } })),
    'levels: unknown option "maxerror". Did you mean "maxError"': [{ batch: true, levels: { maxerror: 1 } }],
  };
  it.each(Object.entries(BAD))('accelerate.%s', (message, all) => {
    for (const options of all) {
      const scene = new THREE.Scene();
      expect(() => accelerate(scene, options as never)).toThrow(`accelerate.${message}`);
      expect(Object.getOwnPropertyDescriptor(scene, 'children')?.get).toBeUndefined();
    }
  });
});

describe('accept', () => {
  class Paint extends THREE.MeshBasicMaterial {
    override readonly type: string = 'Paint';
  }
  const basic = (values: object): THREE.Material => Object.assign(new THREE.MeshBasicMaterial(), values);
  const patched = (): THREE.Material => basic({ onBeforeCompile() {} });
  type Accept = NonNullable<BatchOptions['accept']>;

  /** Six meshes of these materials in turn, and what they take once they were drawn for some frames. */
  function drawn(materials: readonly THREE.Material[], accept: Accept = () => false) {
    const crowd = new Crowd(6, { materials }, { batch: { atLeast: 2, accept } });
    return { crowd, calls: crowd.calls(4).at(-1) };
  }

  it.each([
    ['changed in onBeforeCompile', patched],
    ['with nodes', () => basic({ colorNode: {} })],
    ['of a class of its own', () => new Paint()],
  ])('lets a material that is %s join when its author vouches for it', (_label, make) => {
    expect(drawn([make()]).calls).toBe(6);
    expect(drawn([make()], () => true).calls).toBe(1);
    // Meshes share a batch where they have the same material.
    expect(drawn([make(), make()], () => true).calls).toBe(2);
  });

  it('is asked about each mesh once, and again when it has another material, or that is another', () => {
    const asked: [THREE.Mesh, THREE.Material][] = [];
    const [first, second] = [patched(), patched()];
    const { crowd, calls } = drawn([first], (...given) => asked.push(given) > 1);
    expect(calls).toBe(2);
    const [mesh] = crowd.meshes;
    const askedIn = (frames: number): typeof asked => {
      asked.length = 0;
      crowd.calls(frames);
      return asked;
    };
    expect(asked).toEqual(crowd.meshes.map((mesh) => [mesh, first]));
    expect(askedIn(10)).toEqual([]);
    mesh.material = second;
    expect(askedIn(8)).toEqual([[mesh, second]]);
    first.colorWrite = false;
    expect(askedIn(2)).toEqual([]);
    first.colorWrite = true;
    // Without a new version it would be compared only now and then.
    first.needsUpdate = true;
    expect(askedIn(2)).toHaveLength(5);
  });

  it('is not asked about what is known, or cannot join', () => {
    const accept = vi.fn(() => true);
    const glass = Object.assign(new THREE.MeshPhysicalMaterial({ transmission: 1 }), { onBeforeCompile() {} });
    expect(drawn([basic({})], accept).calls).toBe(1);
    expect(drawn([glass], accept).calls).toBe(6);
    expect(drawn([Object.assign(patched(), { wireframe: true })], accept).calls).toBe(6);
    expect(accept).not.toHaveBeenCalled();
  });

  it.each([1, 'yes', {}, undefined, null, Promise.resolve(true)])('accepts by true alone, not by %s', (answer) => {
    expect(drawn([patched()], () => answer as never).calls).toBe(6);
  });

  it('refuses where it throws, and that is told once', () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    const error = new Error('of the user');
    const { crowd, calls } = drawn([patched()], () => {
      throw error;
    });
    expect([calls, ...crowd.calls(4)]).toEqual([6, 6, 6, 6, 6]);
    expect(told).toHaveBeenCalledTimes(1);
    expect(told.mock.calls[0]).toContain(error);
    expect(explain(crowd.index, crowd.meshes[0], camera).join()).toContain('onBeforeCompile');
  });
});
