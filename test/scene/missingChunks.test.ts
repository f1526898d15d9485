import { BoxGeometry, InstancedMesh, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene, Vector3 } from 'three';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const CHUNKS = [
  '../../src/packed/SimdPacked.js',
  '../../src/instances/CulledMesh.js',
  '../../src/batching/SceneBatches.js',
  '../../src/render/CasterCulling.js',
  '../../src/render/occlusion/SceneOcclusion.js',
];

beforeEach(() => {
  vi.resetModules();
  for (const path of CHUNKS) {
    vi.doMock(path, () => {
      throw new Error(path);
    });
  }
});

afterEach(() => {
  for (const path of CHUNKS) vi.doUnmock(path);
  vi.restoreAllMocks();
  vi.resetModules();
});

it('chunks that cannot be loaded are told of once, and all goes on without them', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { accelerate } = await import('../../src/render/accelerate.js');
  const { Octree } = await import('../../src/trees/octree/octrees.js');
  const [geometry, material] = [new BoxGeometry(), new MeshBasicMaterial()];
  for (const options of [{}, { structure: new Octree() }, {}]) {
    const scene = new Scene();
    for (let i = 0; i < 200; i++) scene.add(new Mesh(geometry, material).translateX(i));
    scene.add(new InstancedMesh(geometry, material, 300));
    const index = accelerate(scene, { ...options, batch: true, cullCasters: true, keepShadows: true, occlusion: true });
    expect(index.nearest(new Vector3(7.2, 0, 0), 1)[0].object.position.x).toBe(7);
    scene.updateMatrixWorld();
    await vi.dynamicImportSettled();
    const seen = index.cull(new PerspectiveCamera());
    expect(seen.length).toBeGreaterThan(0);
    scene.updateMatrixWorld();
    index.dispose();
  }
  const missed = warn.mock.calls.map(([, error]) => (error as { cause: Error }).cause.message);
  expect(missed.sort()).toEqual(CHUNKS.sort());
});
