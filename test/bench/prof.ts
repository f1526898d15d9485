import { scanFrustum } from './linearScan.js';
import { createIndex, IdList } from '../../src/core.js';
import { PerspectiveCamera } from 'three';
import { cameraPlanes, uniformBoxes } from './worlds.js';
const N = 100000;
const boxes = uniformBoxes(N, 7);
for (const [name, o] of [['looseOctree', {}], ['looseOctree', { capacity: 32 }],['looseOctree', { capacity: 16 }], ['octree', {}], ['looseOctree', { planar: true }]] as const) {
  const index = createIndex(name, o);
  index.addAll(boxes);
  const out = new IdList();
  const list = [];
  for (let i = 0; i < 64; i++) {
    const angle = (i / 64) * 2 * Math.PI;
    const camera = new PerspectiveCamera(60, 1.6, 0.1, 560);
    camera.position.set(Math.cos(angle) * 300, Math.sin(angle * 3) * 100, Math.sin(angle) * 300);
    camera.lookAt(0, 0, 0);
    list.push(cameraPlanes(camera));
  }
  let s = 0, v = 0, it = 0;
  for (const p of list) { s += index.frustum(p, out).length; v += index.counters.nodesVisited; it += index.counters.itemsTested; }
  for (let r = 0; r < 20; r++) for (const p of list) index.frustum(p, out);
  let best = 1e9;
  for (let r = 0; r < 40; r++) { const t = performance.now(); for (const p of list) index.frustum(p, out); best = Math.min(best, performance.now() - t); }
  const f = new Int32Array(N); let lin = 1e9;
  for (let r = 0; r < 4; r++) { const t = performance.now(); for (const p of list) scanFrustum(boxes, p, f); lin = Math.min(lin, performance.now() - t); }
  console.log(name, JSON.stringify(o), s / 64, 'visited', v / 64, 'tested', it / 64, 'us', (best / 64) * 1000, 'linear', lin/64*1000, lin/best);
}
