/**
 * Speed of the core, as ratios to a linear scan over flat arrays in the same run. `npm run bench` builds and runs it.
 * Rounds are interleaved, medians are printed, and every answer is compared with the scan's.
 */
import { PerspectiveCamera } from 'three';
import { createIndex, IdList, type IndexOptions, RayHits, type StructureName } from '../../src/core.js';
import { random } from '../helpers/random.js';
import { scanFrustum, scanRayFirst } from './linearScan.js';
import { cameraPlanes, median, uniformBoxes } from './worlds.js';

const N = Number(process.env.N ?? 100_000);
const ROUNDS = 9;
const POSES = 64;

const CASES: [string, StructureName, IndexOptions][] = [
  ['looseOctree', 'looseOctree', {}],
  ['octree', 'octree', {}],
  ['looseOctree planar', 'looseOctree', { planar: true }],
  ['octree planar', 'octree', { planar: true }],
  ['looseOctree, looseness 1', 'looseOctree', { looseness: 1 }],
];

const boxes = uniformBoxes(N, 7);

/** Poses on an orbit with the far plane set so that the wanted share of the boxes is seen. */
function poses(share: number): Float64Array[] {
  const list: Float64Array[] = [];
  for (let i = 0; i < POSES; i++) {
    const angle = (i / POSES) * 2 * Math.PI;
    const camera = new PerspectiveCamera(60, 1.6, 0.1, 1);
    camera.position.set(Math.cos(angle) * 300, Math.sin(angle * 3) * 100, Math.sin(angle) * 300);
    camera.lookAt(0, 0, 0);
    // The far plane by bisection.
    let low = 1;
    let high = 4000;
    for (let step = 0; step < 20; step++) {
      camera.far = (low + high) / 2;
      camera.updateProjectionMatrix();
      const seen = scanFrustum(boxes, cameraPlanes(camera), new Int32Array(N));
      if (seen < share * N) low = camera.far;
      else high = camera.far;
    }
    list.push(cameraPlanes(camera));
  }
  return list;
}

function time(run: () => void): number {
  const start = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - start) / 1e3;
}

const wanted = [0.01, 0.1, 0.5];
const views = wanted.map(poses);
const next = random(5);
const rays = Array.from({ length: 200 }, () => {
  const origin = [next() * 1000 - 500, next() * 1000 - 500, next() * 1000 - 500];
  const direction = [next() - 0.5, next() - 0.5, next() - 0.5];
  return { origin, direction };
});

const scan: { [name: string]: number[] } = {};
const add = (into: { [name: string]: number[] }, name: string, value: number): void => {
  into[name] = [...(into[name] ?? []), value];
};
const results = CASES.map(([label, name, options]) => ({
  label,
  name,
  options,
  index: createIndex(name, options),
  times: {} as { [name: string]: number[] },
}));
for (const r of results) r.index.addAll(boxes);

const found = new Int32Array(N);
const out = new IdList();
const hits = new RayHits();
const moved = new Float64Array(boxes.length);
const box = new Float64Array(6);
for (let round = 0; round < ROUNDS + 2; round++) {
  const count = round < 2 ? {} : scan;
  views.forEach((list, v) => {
    let n = 0;
    const t = time(() => {
      for (const planes of list) n += scanFrustum(boxes, planes, found);
    });
    add(count, `cull ${wanted[v] * 100} %`, t / POSES);
    for (const r of results) {
      let m = 0;
      const u = time(() => {
        for (const planes of list) m += r.index.frustum(planes, out).length;
      });
      if (m !== n) throw new Error(`${r.label}: ${m} seen, the scan sees ${n}`);
      if (round >= 2) add(r.times, `cull ${wanted[v] * 100} %`, u / POSES);
    }
  });
  let sum = 0;
  const t = time(() => {
    for (const ray of rays) sum += scanRayFirst(boxes, ray.origin, ray.direction);
  });
  add(count, 'ray first', t / rays.length);
  for (const r of results) {
    let other = 0;
    const u = time(() => {
      for (const ray of rays) other += r.index.rayFirst(ray, hits).length > 0 ? hits.ids[0] : -1;
    });
    if (other !== sum) throw new Error(`${r.label}: other first hits than the scan`);
    if (round >= 2) add(r.times, 'ray first', u / rays.length);
  }
  for (const r of results) {
    const jitter = (next() - 0.5) * 0.02;
    for (let i = 0; i < boxes.length; i++) moved[i] = boxes[i] + jitter;
    const u = time(() => {
      for (let id = 0; id < N; id++) {
        for (let c = 0; c < 6; c++) box[c] = moved[6 * id + c];
        r.index.update(id, box);
      }
    });
    for (let id = 0; id < N; id++) r.index.update(id, boxes.subarray(6 * id, 6 * id + 6));
    if (round >= 2) add(r.times, 'update', u);
    const b = time(() => createIndex(r.name, r.options).addAll(boxes));
    if (round >= 2) add(r.times, 'build', b);
    r.index.rebuild();
  }
}
console.log(`N = ${N}, Node ${process.version}, median of ${ROUNDS} rounds, ${POSES} poses`);
const base = median(scan['cull 10 %']);
for (const name of Object.keys(scan)) console.log(`linear ${name}: ${median(scan[name]).toFixed(1)} us`);
for (const r of results) {
  console.log(r.label, JSON.stringify(r.index.stats()));
  for (const name of Object.keys(r.times)) {
    const value = median(r.times[name]);
    const against = scan[name]
      ? `${(median(scan[name]) / value).toFixed(1)} x faster`
      : name === 'update'
        ? `${(value / N / (base / N)).toFixed(2)} scans per box`
        : `${(value / base).toFixed(1)} scans`;
    console.log(`  ${name}: ${value.toFixed(1)} us, ${against}`);
  }
}
