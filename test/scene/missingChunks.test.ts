import { BoxGeometry, InstancedMesh, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene, Vector3 } from 'three';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const CHUNKS = [
  '../../src/packed/SimdPacked.js',
  '../../src/instances/CulledMesh.js',
  '../../src/batching/SceneBatches.js',
  '../../src/render/CasterCulling.js',
  '../../src/occlusion/scene/SceneOcclusion.js',
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
    const index = accelerate(scene, { ...options, batch: true, cullCasters: true });
    expect(index.nearest(new Vector3(7.2, 0, 0), 1)[0].object.position.x).toBe(7);
    scene.updateMatrixWorld();
    await vi.dynamicImportSettled();
    const seen = index.cull(new PerspectiveCamera());
    expect(seen.length).toBeGreaterThan(0);
    expect(index.cull(new PerspectiveCamera(), { occlusion: true })).toEqual(seen);
    scene.updateMatrixWorld();
    index.dispose();
  }
  const { loadOcclusion } = await import('../../src/scene/occlusionCode.js');
  await expect(loadOcclusion()).rejects.toThrow();
  const missed = warn.mock.calls.map(([, error]) => (error as { cause: Error }).cause.message);
  expect(missed.sort()).toEqual(CHUNKS.sort());
});

it('the first answers with occlusion hold all in the frustum, until its code is there', async () => {
  for (const path of CHUNKS) vi.doUnmock(path);
  const { SceneIndex } = await import('../../src/scene/SceneIndex.js');
  const { loadOcclusion } = await import('../../src/scene/occlusionCode.js');
  const [geometry, material] = [new BoxGeometry(), new MeshBasicMaterial()];
  const scene = new Scene();
  const wall = new Mesh(geometry, material).translateZ(-2);
  wall.scale.set(9, 9, 1);
  scene.add(wall, new Mesh(geometry, material).translateZ(-9));
  const index = new SceneIndex(scene);
  const seen = (): number => index.cull(new PerspectiveCamera(), { occlusion: true }).length;
  expect(seen()).toBe(2);
  await loadOcclusion();
  expect(seen()).toBe(1);
});
