import { BoxGeometry, Mesh, MeshBasicMaterial } from 'three';
import { expect, test } from 'vitest';
import { BatchMemory } from '../../src/batching/BatchGeometry.js';
import { BatchGroups, type DrawEntry } from '../../src/batching/BatchGroup.js';
import { MaterialGeometryCache } from '../../src/batching/MaterialGeometryCache.js';
import type { ObjectRecord } from '../../src/scene/objects/ObjectRecord.js';
import { throwIt } from '../helpers/failures.js';

test('a batch is as its meshes were when they came, whatever they are by now', () => {
  const known = new MaterialGeometryCache(true).material(new MeshBasicMaterial());
  const shape = new MaterialGeometryCache(true).geometry(new BoxGeometry());
  const groups = new BatchGroups(new BatchMemory(1e6), 4, throwIt);
  const keys = Array.from({ length: 4 }, () => {
    return { mask: 1, renderOrder: 2, groupOrder: 0, shadows: 3, isMirrored: false };
  });
  const [group, ...others] = keys.map((key, i) => {
    const group = groups.of(key, known, shape);
    const mesh = new Mesh();
    const record = { object: mesh } as unknown as ObjectRecord;
    const owner = { record, mesh, geometry: shape, groupOrder: 0, isMirrored: false, isLeveled: true, onBatch() {} };
    const range = { start: 0, count: 3 };
    const entry: DrawEntry = { owner, group, range, known, slot: -1, piece: null };
    group.add(entry);
    if (i < 3) Object.assign(key, { mask: 7, renderOrder: 9, shadows: 0 });
    return group;
  });
  expect(others.every((other) => other === group)).toBe(true);
  expect(group.batch?.mesh).toMatchObject({ renderOrder: 2, castShadow: true, receiveShadow: true });
  expect(group.batch?.mesh.layers.mask).toBe(1);
  for (const entry of group.entries) groups.leave(entry);
  expect(group.batch).not.toBe(null);
  groups.tidy();
  expect(group.batch).toBe(null);
  expect(groups.of(keys[3], known, shape)).not.toBe(group);
  groups.dispose();
});
