import { createIndex } from '../../src/core.js';
import { uniformBoxes } from './worlds.js';

const N = Number(process.env.N ?? 100000);
const boxes = uniformBoxes(N, 7);
const index = createIndex('looseOctree', {});
const what = process.env.WHAT;
if (what === 'build') {
  let best = 1e9;
  for (let i = 0; i < 20; i++) {
    const t = performance.now();
    createIndex('looseOctree', {}).addAll(boxes);
    best = Math.min(best, performance.now() - t);
  }
  console.log('build ms', best);
} else {
  index.addAll(boxes);
  const box = new Float64Array(6);
  let best = 1e9;
  for (let r = 0; r < 40; r++) {
    const t = performance.now();
    const j = r % 2 ? 0.01 : -0.01;
    for (let id = 0; id < N; id++) {
      for (let c = 0; c < 6; c++) box[c] = boxes[6 * id + c] + j;
      index.update(id, box);
    }
    best = Math.min(best, performance.now() - t);
  }
  console.log('update ns', (best / N) * 1e6);
}
