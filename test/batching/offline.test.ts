import { Mesh, MeshBasicMaterial, PlaneGeometry, Scene } from 'three';
import { expect, it, vi } from 'vitest';
import { accelerate, explain } from '../../src/index.js';
import { drawnTriangles } from '../helpers/drawnTriangles.js';
import { catchWarnings } from '../helpers/warnings.js';
import { cameraAt } from './Stage.js';

vi.mock('../../src/batching/SceneBatches.js', () => {
  throw new Error('offline');
});
const warnings = catchWarnings();

it('where the code of batches cannot be loaded, index.ready is resolved, each mesh is drawn, and explain says why', async () => {
  const scene = new Scene();
  for (let i = 0; i < 40; i++) scene.add(new Mesh(new PlaneGeometry(), new MeshBasicMaterial()));
  const onChange = vi.fn();
  const index = accelerate(scene, { batch: true, onChange });
  await index.ready;
  const camera = cameraAt(10);
  for (let i = 0; i < 3; i++) expect(drawnTriangles(scene, camera, camera).calls).toBe(40);
  expect(explain(index, scene.children[0], camera).join()).toContain(
    'It is drawn by itself: the code that draws batches could not be loaded (',
  );
  expect(warnings()).toHaveLength(1);
  expect(onChange).not.toHaveBeenCalled();
  index.dispose();
});
