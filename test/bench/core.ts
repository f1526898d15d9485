/**
 * Speed of the core against a linear scan over flat arrays in the same run: what the structures cost and gain. All
 * contestants take turns in every round, medians count, and every answer is compared with the scan's.
 */
import { PerspectiveCamera } from 'three';
import {
  createIndex,
  IdList,
  type IndexOptions,
  RayHits,
  type SpatialIndex,
  type StructureName,
} from '../../src/core.js';
import { random } from '../helpers/random.js';
import { scanFrustum, scanRayFirst } from './linearScan.js';
import { report, Timings } from './Timings.js';
import { cameraPlanes, flatBoxes, uniformBoxes } from './worlds.js';

const N = Number(process.env.N ?? 100_000);
const ROUNDS = Number(process.env.ROUNDS ?? 9);
const WARM_UP = 2;
const POSES = 64;
const SHARES = [0.01, 0.1, 0.5];
const RAYS = 200;

const found = new Int32Array(N);
const out = new IdList();
const hits = new RayHits();
const box = new Float64Array(6);

interface Contestant {
  label: string;
  name: StructureName;
  options: IndexOptions;
}

runWorld('uniform', uniformBoxes(N, 7), [
  { label: 'looseOctree', name: 'looseOctree', options: {} },
  { label: 'octree', name: 'octree', options: {} },
  { label: 'looseOctree, looseness 1', name: 'looseOctree', options: { looseness: 1 } },
]);
runWorld('flat', flatBoxes(N, 7), [
  { label: 'looseOctree, planar', name: 'looseOctree', options: { planar: true } },
  { label: 'octree, planar', name: 'octree', options: { planar: true } },
  { label: 'looseOctree', name: 'looseOctree', options: {} },
]);

function runWorld(world: string, boxes: Float64Array, contestants: Contestant[]): void {
  const views = SHARES.map((share) => poses(boxes, share));
  const rays = randomRays();
  const moved = [boxes.map((c) => c + 0.01), boxes];
  const scan = new Timings();
  const all = contestants.map((c) => ({ ...c, timings: new Timings(), index: createIndex(c.name, c.options) }));
  for (const { index } of all) index.addAll(boxes);

  for (let round = -WARM_UP; round < ROUNDS; round++) {
    SHARES.forEach((share, v) => {
      const label = `cull ${share * 100} %`;
      const seen = scan.add(round, label, POSES, () =>
        views[v].reduce((n, planes) => n + scanFrustum(boxes, planes, found), 0),
      );
      for (const { index, timings, label: name } of all) {
        const n = timings.add(round, label, POSES, () =>
          views[v].reduce((sum, planes) => sum + index.frustum(planes, out).length, 0),
        );
        if (n !== seen) throw new Error(`${name}: ${n} seen in all, the scan sees ${seen}`);
      }
    });
    const first = scan.add(round, 'first ray hit', RAYS, () =>
      rays.reduce((sum, r) => sum + scanRayFirst(boxes, r.origin, r.direction), 0),
    );
    for (const { index, timings, label } of all) {
      const sum = timings.add(round, 'first ray hit', RAYS, () => {
        return rays.reduce((total, ray) => total + (index.rayFirst(ray, hits).length > 0 ? hits.ids[0] : -1), 0);
      });
      if (sum !== first) throw new Error(`${label}: other first hits than the scan`);
    }
    for (const { index, timings, name, options } of all) {
      // There and back, by a hundredth: nearly all boxes stay in their nodes.
      for (const to of moved) timings.add(round, 'update, per box', N, () => updateAll(index, to));
      timings.add(round, 'build, per box', N, () => createIndex(name, options).addAll(boxes).length);
    }
  }
  report(`${world}, ${N} boxes, Node ${process.version}, medians of ${ROUNDS} rounds`, scan, all, perBox(scan));
}

/** What builds and updates are measured by: the scan at 10 %, per box. */
function perBox(scan: Timings): number {
  return scan.median('cull 10 %') / N;
}

function updateAll(index: SpatialIndex, boxes: Float64Array): number {
  for (let id = 0, o = 0; id < N; id++, o += 6) {
    box[0] = boxes[o];
    box[1] = boxes[o + 1];
    box[2] = boxes[o + 2];
    box[3] = boxes[o + 3];
    box[4] = boxes[o + 4];
    box[5] = boxes[o + 5];
    index.update(id, box);
  }
  return N;
}

/** Poses on an orbit, each with the far plane at which it sees the wanted share of the boxes. */
function poses(boxes: Float64Array, share: number): Float64Array[] {
  return Array.from({ length: POSES }, (_, i) => {
    const angle = (i / POSES) * 2 * Math.PI;
    const camera = new PerspectiveCamera(60, 1.6, 0.1, 1);
    camera.position.set(Math.cos(angle) * 300, 30 + Math.sin(angle * 3) * 20, Math.sin(angle) * 300);
    camera.lookAt(0, 0, 0);
    let low = 1;
    let high = 4000;
    for (let step = 0; step < 16; step++) {
      camera.far = (low + high) / 2;
      camera.updateProjectionMatrix();
      if (scanFrustum(boxes, cameraPlanes(camera), found) < share * N) low = camera.far;
      else high = camera.far;
    }
    return cameraPlanes(camera);
  });
}

function randomRays(): { origin: number[]; direction: number[] }[] {
  const next = random(5);
  return Array.from({ length: RAYS }, () => ({
    origin: [next() * 1000 - 500, next() * 1000 - 500, next() * 1000 - 500],
    direction: [next() - 0.5, next() - 0.5, next() - 0.5],
  }));
}
