import { Mesh, MeshBasicMaterial } from 'three';
import { expect, test } from 'vitest';
import { BatchGroup, type Part } from '../../../src/three/autobatch/BatchGroup.js';
import { BatchMemory } from '../../../src/three/autobatch/buffers/BatchMemory.js';
import { Looks } from '../../../src/three/autobatch/looks/Looks.js';
import type { ObjectRecord } from '../../../src/three/objects/ObjectRecord.js';

test('a batch is as the first of its meshes was when it came, whatever that is by now', () => {
  const known = new Looks(true).material(new MeshBasicMaterial());
  const first = { mask: 1, renderOrder: 2, groupOrder: 0, shadows: 3, isMirrored: false };
  const group = new BatchGroup('key', first, known, {
    currentList: () => 0,
    memory: new BatchMemory(1e6),
    atLeast: 4,
  });
  Object.assign(first, { mask: 7, renderOrder: 9, shadows: 0 });
  for (let i = 0; i < 4; i++) {
    const record = { object: new Mesh() } as unknown as ObjectRecord;
    const part: Part = { record, group, range: { start: 0, count: 3 }, known, slot: -1, isRefused: false, piece: null };
    group.add(part);
  }
  expect(group.batch?.mesh).toMatchObject({ renderOrder: 2, castShadow: true, receiveShadow: true });
  expect(group.batch?.mesh.layers.mask).toBe(1);
  group.dispose();
});
