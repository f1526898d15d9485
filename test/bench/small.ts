/**
 * A handful of boxes: every structure against two plain loops over them, one over flat arrays and one over three's own
 * objects, in one process, taking turns. All see all boxes, so that no loop ends early.
 */
import { Box3, Frustum, PerspectiveCamera, Plane, Vector3 } from 'three';
import { createIndex, enableSimd, Hits, IdList, STRUCTURES } from '../../src/standalone.js';
import { scanRayFirst } from './linearScan.js';
import { microseconds, Timings } from './Timings.js';
import { cameraPlanes, uniformBoxes } from './worlds.js';

enableSimd();

const SIZES = [1, 10, 32, 100, 300, 1000];
const ROUNDS = 61;
const WARM_UP = 40;
const POSES = 64;

for (const title of ['cull', 'first ray hit']) {
  console.log(`\n### A handful: ${title}\n`);
  console.log(`| boxes | flat loop | loop over three | ${STRUCTURES.join(' | ')} |`);
  console.log(`| --- | --- | --- |${' --- |'.repeat(STRUCTURES.length)}`);
  for (const count of SIZES) console.log(row(title, count));
}

function row(title: string, count: number): string {
  const boxes = uniformBoxes(count, 7);
  const objects = Array.from({ length: count }, (_, i) => {
    const [minX, minY, minZ, maxX, maxY, maxZ] = boxes.subarray(6 * i);
    return new Box3(new Vector3(minX, minY, minZ), new Vector3(maxX, maxY, maxZ));
  });
  const views = Array.from({ length: POSES }, (_, i) => {
    const camera = new PerspectiveCamera(60, 1.6, 0.1, 4000);
    camera.position.set(Math.cos(i) * 1500, 30, Math.sin(i) * 1500);
    camera.lookAt(0, 0, 0);
    return cameraPlanes(camera);
  });
  const frusta = views.map((p) => new Frustum(...[0, 4, 8, 12, 16, 20].map((i) => planeAt(p, i))));
  const rays = views.map((_, i) => ({
    origin: [Math.cos(i) * 300, 0, Math.sin(i) * 300],
    direction: [-Math.cos(i), 0.01, -Math.sin(i)],
  }));
  const out = new IdList();
  out.reserve(count);
  const hits = new Hits();
  const timings = new Timings();
  const indices = STRUCTURES.map((name) => {
    const index = createIndex(name);
    index.addAll(boxes);
    return index;
  });
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    if (title === 'cull') {
      timings.add(round, 'flat', POSES, () => views.reduce((n, planes) => n + loop(boxes, planes, out), 0));
      timings.add(round, 'three', POSES, () => frusta.reduce((n, frustum) => n + loopOverThree(objects, frustum), 0));
    } else {
      const first = (): number => rays.reduce((n, ray) => n + scanRayFirst(boxes, ray.origin, ray.direction), 0);
      timings.add(round, 'flat', POSES, first);
    }
    indices.forEach((index, i) => {
      timings.add(round, STRUCTURES[i], POSES, () => {
        if (title === 'cull') return views.reduce((n, planes) => n + index.queryPlanes(planes, out).length, 0);
        return rays.reduce((n, ray) => n + index.raycastFirst(ray, hits).length, 0);
      });
    });
  }
  const plain = timings.median('flat');
  const cells = STRUCTURES.map((name) => {
    const time = timings.median(name);
    return `${microseconds(time)}, ${(time / plain).toFixed(2)}`;
  });
  const objectsTime = title === 'cull' ? microseconds(timings.median('three')) : '–';
  return `| ${count} | ${microseconds(plain)} | ${objectsTime} | ${cells.join(' | ')} |`;
}

/** A loop as one writes it: all planes of a box, until one rejects it. */
function loop(boxes: Float64Array, planes: Float64Array, out: IdList): number {
  const found = out.ids;
  let n = 0;
  each: for (let o = 0; o < boxes.length; o += 6) {
    for (let p = 0; p < 24; p += 4) {
      const x = planes[p] > 0 ? boxes[o + 3] : boxes[o];
      const y = planes[p + 1] > 0 ? boxes[o + 4] : boxes[o + 1];
      const z = planes[p + 2] > 0 ? boxes[o + 5] : boxes[o + 2];
      if (planes[p] * x + planes[p + 1] * y + planes[p + 2] * z + planes[p + 3] < 0) continue each;
    }
    found[n++] = o / 6;
  }
  return n;
}

function loopOverThree(boxes: Box3[], frustum: Frustum): number {
  let n = 0;
  for (const box of boxes) if (frustum.intersectsBox(box)) n++;
  return n;
}

function planeAt(p: Float64Array, i: number): Plane {
  return new Plane(new Vector3(p[i], p[i + 1], p[i + 2]), p[i + 3]);
}
