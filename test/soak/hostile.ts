import type { IndexOptions, StructureName } from '../../src/standalone.js';
import { HOSTILE_ORDERS } from '../helpers/hostileOrders.js';
import { hostileProblems } from '../helpers/hostileProblems.js';

const COUNT = Number(process.env.COUNT ?? 1_000_000);
const SECONDS = Number(process.env.SECONDS ?? 3600);
const STRUCTURES: [name: StructureName, options: IndexOptions][] = [
  ['bruteForce', {}],
  ...(['grid', 'octree', 'looseOctree', 'bvh'] as const).flatMap((name): [StructureName, IndexOptions][] => [
    [name, {}],
    [name, { planar: true }],
  ]),
];

const end = performance.now() + 1000 * SECONDS;
for (const order of HOSTILE_ORDERS) {
  for (const [name, options] of STRUCTURES) {
    if (name !== (process.env.STRUCTURE ?? name)) continue;
    if (performance.now() > end) {
      console.log('Time is up');
      process.exit();
    }
    const start = performance.now();
    const problems = hostileProblems(name, options, order, COUNT);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const verdict = problems.length > 0 ? problems.slice(0, 10).join('; ') : 'within bounds';
    console.log(`${name}${options.planar ? ', planar' : ''}, ${COUNT} ${order.label}: ${verdict}, ${seconds} s`);
    if (problems.length > 0) process.exitCode = 1;
  }
}
