import { expect, it } from 'vitest';
import { InstanceIndex } from '../../../src/index.js';
import { pairsOf } from '../../helpers/pairs.js';
import { random } from '../../helpers/random.js';
import { CHANGES, type ChangeName, changesOf } from '../changes.js';
import { batchedCrowd, instancedCrowd } from './crowds.js';
import { type Crowd, expectAsPlain } from './plainInstances.js';

const instanced = (): Crowd => {
  const mesh = instancedCrowd(random(3), 30, 10);
  return Object.assign(mesh, { geometry: mesh.geometry.clone() });
};
const batched = (): Crowd => batchedCrowd(random(3), 30, 10);

/** What two changes in one update leave wrong in an index that is asked something between them, or not. */
function problemOf(make: () => Crowd, changes: [ChangeName, ChangeName], n: number): string | null {
  const mesh = make();
  const index = new InstanceIndex(mesh);
  try {
    CHANGES[changes[0]](mesh);
    if (n % 3 === 1) index.update();
    CHANGES[changes[1]](mesh);
    index.update();
    expectAsPlain(mesh, index, random(n + 1), 10, 2);
    return null;
  } catch (error) {
    return `${changes.join(', ')}: ${(error as Error).message.slice(0, 200)}`;
  } finally {
    index.dispose();
  }
}

it.each([
  ['an InstancedMesh', instanced],
  ['a BatchedMesh', batched],
])('two changes of %s in one update are followed', (_label, make) => {
  const pairs = pairsOf(changesOf(make), 3);
  expect(pairs.length).toBeGreaterThan(25);
  expect(pairs.map((pair, n) => problemOf(make, pair, n)).filter((problem) => problem !== null)).toEqual([]);
});
