import type * as THREE from 'three';
import { beforeAll, expect, it } from 'vitest';
import { accelerate } from '../../../src/index.js';
import { drawn, loadOcclusion, wallScene } from '../../helpers/occlusion.js';

beforeAll(loadOcclusion);

const names = (objects: THREE.Object3D[]): string[] => objects.map(({ name }) => name.replace(/ \d+$/, ''));

it('what lies behind a wall is not drawn', () => {
  const { scene, camera } = wallScene();
  const index = accelerate(scene, { occlusion: true });
  const found = names(drawn(scene, camera));
  expect(found).toContain('Wall');
  expect(found).toContain('near');
  expect(found).not.toContain('far');
  index.dispose();
});
