import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import {
  createIndex,
  SceneIndex,
  type SpatialIndex,
  type StructureName,
  VisibilityTracker,
  type VisibilityTrackerOptions,
} from '../../src/index.js';
import { eye } from '../helpers/cameras.js';
import { bytesPerCall } from '../helpers/garbage.js';
import { accelerated, indexed } from '../helpers/indexed.js';
import { random } from '../helpers/random.js';
import { boxMesh } from '../helpers/scene.js';
import { seeds } from '../helpers/width.js';

/** Collects what a tracker fires, in the order in which it does. */
function listen(tracker: VisibilityTracker): string[] {
  const log: string[] = [];
  tracker.addEventListener('leave', ({ type, object }) => log.push(`${type} ${object.id}`));
  tracker.addEventListener('enter', ({ type, object, band }) => log.push(`${type} ${object.id} ${band}`));
  tracker.addEventListener('band', ({ type, object, band, previous }) => {
    log.push(`${type} ${object.id} ${previous} ${band}`);
  });
  return log;
}

/** What a tracker must tell: the difference of two lists of `cull`, and bands by the borders that each object has passed. */
class Oracle {
  readonly index: SceneIndex;
  readonly camera: THREE.Camera;
  readonly options: VisibilityTrackerOptions;
  /** Of each object in view, which borders it is beyond. */
  beyond = new Map<THREE.Object3D, boolean[]>();

  constructor(index: SceneIndex, camera: THREE.Camera, options: VisibilityTrackerOptions) {
    this.index = index;
    this.camera = camera;
    this.options = options;
  }

  /** Lines in the form of `listen`, in no order. */
  step(): string[] {
    const { bands = [], hysteresis = 0.1 } = this.options;
    const lines: string[] = [];
    const now = new Map<THREE.Object3D, boolean[]>();
    for (const object of this.index.cull(this.camera)) {
      const before = this.beyond.get(object);
      const distance = this.distanceTo(object);
      const after = bands.map((border, i) => {
        if (before === undefined) return !(distance < border);
        return !(distance < border * (before[i] ? 1 - hysteresis : 1 + hysteresis));
      });
      now.set(object, after);
      const [from, to] = [before, after].map((each) => each?.filter(Boolean).length);
      if (from === undefined) lines.push(`enter ${object.id} ${to}`);
      else if (from !== to) lines.push(`band ${object.id} ${from} ${to}`);
    }
    for (const object of this.beyond.keys()) if (!now.has(object)) lines.push(`leave ${object.id}`);
    this.beyond = now;
    return lines;
  }

  bandOf(object: THREE.Object3D): number | null {
    return this.beyond.get(object)?.filter(Boolean).length ?? null;
  }

  distanceTo(object: THREE.Object3D): number {
    const { cameras } = this.camera as THREE.ArrayCamera;
    const box = this.index.getBox(object, new THREE.Box3());
    return Math.min(
      ...(cameras ?? [this.camera]).map(({ matrixWorld }) => {
        const place = new THREE.Vector3().setFromMatrixPosition(matrixWorld);
        return box
          ? box.distanceToPoint(place)
          : place.distanceTo(new THREE.Vector3().setFromMatrixPosition(object.matrixWorld));
      }),
    );
  }
}

function views(next: () => number): THREE.ArrayCamera {
  const places = [next() * 30 - 15, next() * 30 - 15];
  return new THREE.ArrayCamera(places.map((x) => eye(x, 0, 25, { fov: 40, far: 60, lookAt: [x, 0, 0] })));
}

const ORDER: { [kind: string]: number } = { leave: 0, enter: 1, band: 2 };
const kindsOf = (log: string[]): number[] => log.map((line) => ORDER[line.split(' ')[0]]);

/** Changes a scene of meshes in some way; meshes that go are replaced in the list. */
function edit(next: () => number, meshes: THREE.Mesh[], scene: THREE.Scene, group: THREE.Group): void {
  const at = (): number => next() * 40 - 20;
  const k = Math.floor(next() * meshes.length);
  const mesh = meshes[k];
  const what = next();
  if (what < 0.25) mesh.position.set(at(), at(), at());
  else if (what < 0.5) mesh.position.addScaledVector(new THREE.Vector3(at(), at(), at()), 0.2);
  else if (what < 0.6) mesh.visible = next() < 0.8;
  else if (what < 0.68) mesh.layers.set(next() < 0.8 ? 0 : 1);
  else if (what < 0.73) mesh.frustumCulled = !mesh.frustumCulled;
  else if (what < 0.83) {
    // One goes and another comes, which may take over its id.
    mesh.removeFromParent();
    meshes[k] = boxMesh(at(), at(), at());
    scene.add(meshes[k]);
  } else if (what < 0.93) (mesh.parent === scene ? group : scene).attach(mesh);
  else if (what < 0.95) {
    mesh.removeFromParent();
    scene.add(mesh);
  } else if (what < 0.97) mesh.geometry = new THREE.BufferGeometry();
  else group.visible = next() < 0.7;
}

const VARIANTS: [string, StructureName, (scene: THREE.Scene, index: SpatialIndex) => SceneIndex][] = [
  ['a plain index', 'looseOctree', (scene, index) => indexed(scene, { structure: index })],
  ['a plain index', 'bruteForce', (scene, index) => indexed(scene, { structure: index })],
  ['an accelerated scene', 'octree', (scene, index) => accelerated(scene, { structure: index })],
];

describe.each(VARIANTS)('trackers of %s, in %s,', (_, structure, make) => {
  it.each(seeds(3))('tell the difference of what is culled from update to update, seed %i', (seed) => {
    const next = random(seed);
    const group = new THREE.Group();
    const at = (): number => next() * 40 - 20;
    const meshes = Array.from({ length: 120 }, () => boxMesh(at(), at(), at()));
    const scene = new THREE.Scene().add(group, ...meshes);
    const index = make(scene, createIndex(structure, { capacity: 3 }));
    const moving = new THREE.PerspectiveCamera(50, 1, 0.1, 60);
    moving.position.z = 20;
    const cases: [THREE.Camera, VisibilityTrackerOptions][] = [
      [moving, { bands: [3, 5, 8, 12, 13, 18, 24, 30] }],
      [moving, {}],
      [new THREE.OrthographicCamera(-12, 12, 12, -12, -10, 10), { bands: [4, 6, 9, 12], hysteresis: 0 }],
      [views(next), { bands: [10, 15, 20, 25], hysteresis: 0.3 }],
    ];
    const watched = cases.map(([camera, options]) => {
      const tracker = new VisibilityTracker(index, camera, options);
      return { tracker, log: listen(tracker), oracle: new Oracle(index, camera, options) };
    });
    const counts = [0, 0, 0];
    for (let round = 0; round < 60; round++) {
      for (let step = 0; step < 5; step++) edit(next, meshes, scene, group);
      group.position.set(at() / 4, at() / 4, at() / 4);
      moving.position.add(new THREE.Vector3(at(), at(), at()).multiplyScalar(0.1));
      moving.lookAt(at() / 4, at() / 4, at() / 4);
      if (next() < 0.05) index.setStructure(createIndex(next() < 0.5 ? 'octree' : structure));
      index.update();
      for (const { tracker, log, oracle } of watched) {
        if (next() < 0.1) continue;
        log.length = 0;
        tracker.update();
        expect([...log].sort(), `round ${round}`).toEqual(oracle.step().sort());
        expect(kindsOf(log)).toEqual(kindsOf(log).sort());
        for (const kind of kindsOf(log)) counts[kind]++;
        const listed = [
          ...tracker.left.map(({ id }) => `leave ${id}`),
          ...tracker.entered.map((object) => `enter ${object.id} ${tracker.bandOf(object)}`),
        ];
        expect(listed).toEqual(log.filter((line) => !line.startsWith('band')));
        expect(tracker.size).toBe(oracle.beyond.size);
        expect(meshes.map((mesh) => tracker.isVisible(mesh))).toEqual(meshes.map((mesh) => oracle.beyond.has(mesh)));
        expect(meshes.map((mesh) => tracker.bandOf(mesh))).toEqual(meshes.map((mesh) => oracle.bandOf(mesh)));
      }
    }
    expect(Math.min(...counts)).toBeGreaterThan(50);
  });
});

/** A point in front of a camera that looks along -z from the origin. */
function stage(options?: VisibilityTrackerOptions) {
  const mesh = boxMesh(0, 0, -5, 0);
  const scene = new THREE.Scene().add(mesh);
  const index = new SceneIndex(scene);
  const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 1000);
  const tracker = new VisibilityTracker(index, camera, options);
  const log = listen(tracker);
  const step = (): string[] => {
    index.update();
    log.length = 0;
    tracker.update();
    return log.map((line) => line.replace(` ${mesh.id}`, ''));
  };
  return { scene, index, camera, tracker, mesh, log, step };
}

describe('bands of a tracker', () => {
  it('change when a border is passed by a tenth of it, and not before', () => {
    const { mesh, tracker, step } = stage({ bands: [10, 50, 200] });
    const at = (distance: number): string[] => {
      mesh.position.z = -distance;
      return step();
    };
    expect(at(9.99)).toEqual(['enter 0']);
    expect(at(10)).toEqual([]);
    expect(at(10.99)).toEqual([]);
    expect(at(11.01)).toEqual(['band 0 1']);
    expect(at(10.99)).toEqual([]);
    expect(at(9.01)).toEqual([]);
    expect(tracker.bandOf(mesh)).toBe(1);
    expect(at(8.99)).toEqual(['band 1 0']);
    // Each border counts by itself.
    expect(at(210)).toEqual(['band 0 2']);
    expect(at(221)).toEqual(['band 2 3']);
    expect(at(1)).toEqual(['band 3 0']);
    // What comes anew is in the band of its distance.
    mesh.visible = false;
    expect(step()).toEqual(['leave']);
    expect(tracker.bandOf(mesh)).toBe(null);
    mesh.visible = true;
    expect(at(10)).toEqual(['enter 1']);
  });

  it.each([
    [0, 10, 9.99],
    [0.5, 15, 4.99],
  ])('change where a hysteresis of %f has it', (hysteresis, out, back) => {
    const { mesh, step } = stage({ bands: [10], hysteresis });
    step();
    const events = [out - 0.01, out, back + 0.01, back].map((distance) => {
      mesh.position.z = -distance;
      return step();
    });
    expect(events).toEqual([[], ['band 0 1'], [], ['band 1 0']]);
  });

  it('count from its place for an object without bounds that is never culled', () => {
    const { scene, tracker, step } = stage({ bands: [10] });
    const bare = new THREE.Mesh(new THREE.BufferGeometry());
    bare.frustumCulled = false;
    scene.add(bare);
    const bands = [30, 3].map((z) => {
      bare.position.z = z;
      step();
      return [tracker.isVisible(bare), tracker.bandOf(bare)];
    });
    expect(bands).toEqual([
      [true, 1],
      [true, 0],
    ]);
  });
});

describe('a visibility tracker', () => {
  it('keeps to the bands it was made with, whatever becomes of their list', () => {
    const bands = [10];
    const { mesh, tracker, step } = stage({ bands });
    bands[0] = 1;
    step();
    expect(tracker.bandOf(mesh)).toBe(0);
  });

  it('has settled leaving, entering and bands before the first event', () => {
    const { scene, mesh, tracker, step } = stage({ bands: [10] });
    const [second, third] = [boxMesh(1, 0, -5), boxMesh(0, 0, 50)];
    scene.add(second, third);
    step();
    const state = (): unknown => [mesh, second, third].map((each) => tracker.bandOf(each));
    const seen: unknown[] = [];
    for (const kind of ['leave', 'enter', 'band'] as const) tracker.addEventListener(kind, () => seen.push(state()));
    mesh.visible = false;
    second.position.z = -50;
    third.position.z = -3;
    expect(step()).toEqual(['leave', `enter ${third.id} 0`, `band ${second.id} 0 1`]);
    expect(seen).toEqual(Array(3).fill([null, 1, 0]));
  });

  it('is as it was when its camera or an object of the scene is broken', () => {
    const { scene, mesh, camera, tracker, step } = stage();
    step();
    const extra = boxMesh(1, 0, -5);
    scene.add(extra);
    const { projectionMatrix } = camera;
    (camera as { projectionMatrix: unknown }).projectionMatrix = null;
    expect(step).toThrow(TypeError);
    camera.projectionMatrix = projectionMatrix;
    const { layers } = extra;
    const fail = (): never => {
      throw new TypeError('mine');
    };
    Object.defineProperty(extra, 'layers', { configurable: true, get: fail });
    mesh.visible = false;
    expect(step).toThrow('mine');
    expect([tracker.size, tracker.isVisible(mesh)]).toEqual([1, true]);
    Object.defineProperty(extra, 'layers', { value: layers });
    expect(step()).toEqual(['leave', `enter ${extra.id} 0`]);
  });

  it('allocates nothing for the objects in view while nothing changes', () => {
    const next = random(1);
    const scene = new THREE.Scene();
    const strewn = (): number => next() * 40 - 20;
    for (let i = 0; i < 500; i++) scene.add(boxMesh(strewn(), strewn(), strewn() - 40));
    const tracker = new VisibilityTracker(new SceneIndex(scene), new THREE.PerspectiveCamera(90, 1, 0.1, 100), {
      bands: [20, 30, 40],
    });
    tracker.update();
    expect(tracker.size).toBeGreaterThan(300);
    // The smallest thing, a number, takes 12 bytes or more; three's reading of a frustum makes some of them.
    const most = 8 * tracker.size;
    expect(bytesPerCall(() => tracker.update(), 500, 3000, most)).toBeLessThan(most);
  });
});
