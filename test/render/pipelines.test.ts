import * as THREE from 'three';
import { beforeAll, describe, expect, it, test, vi } from 'vitest';
import { IdList } from '../../src/core/ids.js';
import { accelerate, explain, report } from '../../src/index.js';
import { SteadyList } from '../../src/render/SteadyLists.js';
import type { ObjectRecord } from '../../src/scene/objects/ObjectRecord.js';
import { loadAllBatching } from '../batching/Stage.js';
import { eye } from '../helpers/cameras.js';
import { accelerated } from '../helpers/indexed.js';
import { cameraPass, withinRender } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { boxMesh, instancedMesh } from '../helpers/scene.js';
import { seeds } from '../helpers/width.js';

/** As three's: it extends nothing, and others extend it. */
class Standard {}
class Other extends Standard {}

const renderer = (drawingPipeline: object) => ({ sortObjects: true, drawingPipeline });
const STANDARD = renderer(new Standard());
const OTHER = renderer(new Other());

beforeAll(async () => {
  await loadAllBatching();
  // The code is loaded for the first pass that wants it.
  const scene = row();
  const index = accelerate(scene);
  asked(scene, at(30), OTHER);
  await vi.dynamicImportSettled();
  index.dispose();
});

/** The meshes that a renderer asks whether they are in view. */
function asked(scene: THREE.Scene, camera: THREE.Camera, by: object): THREE.Object3D[] {
  scene.updateMatrixWorld();
  camera.updateMatrixWorld();
  const { intersectsFrustum } = THREE.Mesh.prototype;
  const met: THREE.Object3D[] = [];
  THREE.Mesh.prototype.intersectsFrustum = function (frustum) {
    met.push(this);
    return intersectsFrustum.call(this, frustum);
  };
  try {
    withinRender(by, scene, camera, () => cameraPass(scene, camera, new THREE.Frustum()));
  } finally {
    THREE.Mesh.prototype.intersectsFrustum = intersectsFrustum;
  }
  return met;
}

/** 200 boxes along x, two apart. */
const row = () => new THREE.Scene().add(...Array.from({ length: 200 }, (_, i) => boxMesh(2 * i)));

/** Sees some 30 boxes around a place in the row. */
const at = (x: number) => eye(x, 0, 30, { fov: 90, lookAt: [x, 0, 0] });

describe('a renderer with a drawing pipeline of its own', () => {
  it('finds objects where they were before, new ones behind them', () => {
    const scene = row();
    accelerated(scene);
    const camera = at(30);
    const first = asked(scene, camera, OTHER);
    expect(first.length).toBeLessThan(60);
    for (const x of [50, 30, 10, 50]) {
      camera.position.x = x;
      const before = asked(scene, camera, OTHER);
      expect(before.slice(0, first.length)).toEqual(first);
      first.splice(0, first.length, ...before);
    }
    // With the standard pipeline only those in view.
    expect(asked(scene, camera, STANDARD).length).toBeLessThan(first.length);
  });

  it('finds the whole scene when much of it is in view, until little is', () => {
    const scene = row();
    accelerated(scene);
    const camera = at(30);
    // Of 200: 31, 51, 121, 51, 31.
    const lengths = [30, 50, 120, 50, 30].map((z) => {
      camera.position.z = z;
      // After a refusal a list is asked for less often.
      for (let i = 0; i < 16; i++) asked(scene, camera, OTHER);
      return asked(scene, camera, OTHER).length;
    });
    const [few, more] = lengths;
    expect(few).toBeLessThan(35);
    expect(more).toBeGreaterThan(35);
    expect(lengths).toEqual([few, more, 200, 200, few]);
  });

  it('has nothing drawn in batches or by instances in view, which is said of each mesh', async () => {
    const scene = row();
    const swarm = instancedMesh(random(1), 300);
    scene.add(swarm);
    const index = accelerated(scene, { batch: { atLeast: 4 } });
    // The code for instances is loaded for the first of them.
    await vi.dynamicImportSettled();
    const camera = at(30);
    const mesh = scene.children[15];
    for (const [by, word, isBatched] of [
      [OTHER, /by itself, not in a batch: the drawingPipeline/, false],
      [STANDARD, /in a batch of/, true],
      [OTHER, /by itself, not in a batch: the drawingPipeline/, false],
    ] as const) {
      for (let i = 0; i < 3; i++) asked(scene, camera, by);
      // Batches have culled what they draw.
      expect(asked(scene, camera, by).includes(mesh)).toBe(!isBatched);
      expect(explain(index, mesh, camera)).toEqual([expect.stringMatching(word)]);
      const why = explain(index, swarm, camera).find((sentence) => sentence.startsWith('All its instances'));
      expect(/drawingPipeline/.test(why ?? '')).toBe(!isBatched);
      const rows = report(index).filter(({ reason }) => /drawingPipeline/.test(reason));
      expect(rows.map(({ count }) => count)).toEqual(isBatched ? [] : [201]);
    }
  });
});

test.each([
  [undefined, false],
  [new Standard(), false],
  [new Other(), true],
  [{}, true],
])('a pipeline is told from the standard one: %o', async (drawingPipeline, isOther) => {
  const { hasOtherPipeline } = await import('../../src/passes/Pass.js');
  expect(hasOtherPipeline({ sortObjects: true, ...(drawingPipeline && { drawingPipeline }) })).toBe(isOther);
});

test.each(seeds(6, 2))(
  'a steady list holds all in view, at places that change only when it drops some, seed %i',
  (seed) => {
    const next = random(seed);
    const list = new SteadyList();
    const records: (ObjectRecord | null)[] = Array.from({ length: 300 }, () => ({}) as ObjectRecord);
    const seenIn = new Map<number, number>();
    let before: number[] = [];
    let drops = 0;
    for (let pass = 0; pass < 600; pass++) {
      const middle = 150 + 120 * Math.sin(pass / 50);
      const ids = records.flatMap((record, id) => (record && Math.abs(id - middle) < 20 ? [id] : []));
      const gone = next() < 0.02 ? before[Math.floor(next() * before.length)] : -1;
      if (gone >= 0) {
        records[gone] = null;
        seenIn.delete(gone);
      }
      const seen = ids.filter((id) => id !== gone);
      for (const id of seen) seenIn.set(id, pass);
      const given = new IdList();
      given.reserve(seen.length).set(seen);
      given.length = seen.length;
      const after = list.keep(given, records).toArray();
      expect(new Set(after).size).toBe(after.length);
      expect(seen.every((id) => after.includes(id))).toBe(true);
      expect(after.every((id) => records[id] !== null)).toBe(true);
      const isKept = before.every((id, place) => after[place] === id);
      const late = before.filter((id) => (seenIn.get(id) ?? -1) < pass - 64).length;
      if (!isKept) {
        drops++;
        expect(gone >= 0 || 2 * late > before.length).toBe(true);
        expect(after).toEqual([
          ...before.filter((id) => after.includes(id)),
          ...after.filter((id) => !before.includes(id)),
        ]);
      }
      before = after;
    }
    expect(drops).toBeGreaterThan(0);
    list.clear();
    expect(list.isEmpty).toBe(true);
  },
);
