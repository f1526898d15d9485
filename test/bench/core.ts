/**
 * Speed of a structure against a linear scan over flat arrays in the same process: the two take turns in every round,
 * medians count, and every answer is compared with the scan's. Updates and builds are measured by the scan at 10 %.
 * With SIMD=0 in plain JavaScript.
 */
import { PerspectiveCamera } from 'three';
import {
  createIndex,
  enableSimd,
  Hits,
  IdList,
  type IndexOptions,
  type SpatialIndex,
  type StructureName,
} from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { scanFrustum, scanRayFirst } from './linearScan.js';
import { Timings } from './Timings.js';
import { cameraPlanes, flatBoxes, uniformBoxes } from './worlds.js';

enableSimd(process.env.SIMD !== '0');
const N = Number(process.env.N ?? 100_000);
const ROUNDS = Number(process.env.ROUNDS ?? 11);
const WARM_UP = 2;
const POSES = 64;
const SHARES = [0.01, 0.1, 0.5];
const RAYS = 200;

const found = new Int32Array(N);
const out = new IdList();
const hits = new Hits();
const box = new Float64Array(6);

/** One structure and world, named on the command line, so that each runs in a process of its own. */
const [world, name, flags] = process.argv.slice(2) as ['uniform' | 'flat', StructureName, string];
const options = JSON.parse(flags) as IndexOptions;
const boxes = world === 'uniform' ? uniformBoxes(N, 7) : flatBoxes(N, 7);
const views = SHARES.map(poses);
const rays = randomRays();
// There and back, by a hundredth: nearly all boxes stay in their nodes.
const moved = [boxes.map((c) => c + 0.01), boxes];

const scan = new Timings();
const ours = new Timings();
const index = createIndex(name, options);
index.addAll(boxes);

each((round) => {
  SHARES.forEach((share, v) => {
    const label = `cull ${share * 100} %`;
    const seen = scan.add(round, label, POSES, () =>
      views[v].reduce((n, planes) => n + scanFrustum(boxes, planes, found), 0),
    );
    const same = ours.add(round, label, POSES, () =>
      views[v].reduce((n, planes) => n + index.queryPlanes(planes, out).length, 0),
    );
    if (same !== seen) throw new Error(`${same} seen in all, the scan sees ${seen}`);
  });
});
each((round) => {
  const first = scan.add(round, 'first ray hit', RAYS, () => {
    return rays.reduce((sum, ray) => sum + scanRayFirst(boxes, ray.origin, ray.direction), 0);
  });
  const same = ours.add(round, 'first ray hit', RAYS, () => {
    return rays.reduce((sum, ray) => sum + (index.raycastFirst(ray, hits).length > 0 ? hits.ids[0] : -1), 0);
  });
  if (same !== first) throw new Error('other first hits than the scan');
});
each((round) => {
  scan.add(round, 'update, per box', N * POSES, () =>
    views[1].reduce((n, planes) => n + scanFrustum(boxes, planes, found), 0),
  );
  for (const to of moved) ours.add(round, 'update, per box', N, () => updateAll(index, to));
});
each((round) => {
  scan.add(round, 'build, per box', N * POSES, () =>
    views[1].reduce((n, planes) => n + scanFrustum(boxes, planes, found), 0),
  );
  ours.add(round, 'build, per box', N, () => createIndex(name, options).addAll(boxes).length);
});
console.log(JSON.stringify({ scan: scan.summary, ours: ours.summary }));

/** All contestants take turns in each round; the first rounds are not counted. */
function each(run: (round: number) => void): void {
  for (let round = -WARM_UP; round < ROUNDS; round++) run(round);
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
function poses(share: number): Float64Array[] {
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
