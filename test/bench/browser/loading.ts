import { BoxGeometry, ConeGeometry, Group, Mesh, MeshLambertMaterial, Scene, SphereGeometry } from 'three';
import { ObjectBVH } from 'three-mesh-bvh';
import { accelerate } from '../../../src/index.js';
import { random } from '../../helpers/random.js';
import type { Measured } from './takeTurns.js';

/** Meshes in a group. */
const GROUP = 50;

/**
 * `accelerate` of many meshes in groups, in code that runs for the first time, beside three's first matrix pass over as many,
 * or beside the `ObjectBVH` of three-mesh-bvh, which needs matrices: then those are there.
 */
export async function loading(count: number, rival: 'pass' | 'ObjectBVH'): Promise<Measured> {
  const scenes = [sceneOf(count), sceneOf(count)];
  if (rival === 'ObjectBVH') for (const scene of scenes) scene.updateMatrixWorld();
  for (let i = 0; i < 4; i++) (globalThis as { gc?: () => void }).gc?.();
  const [first, second] = scenes;
  const plain = timed(() => {
    if (rival === 'pass') first.updateMatrixWorld();
    else new ObjectBVH(first);
  });
  const fast = timed(() => accelerate(second));
  return { plain: [plain], fast: [fast], seen: count };
}

function timed(what: () => unknown): number {
  const start = performance.now();
  what();
  return performance.now() - start;
}

function sceneOf(count: number): Scene {
  const next = random(1);
  const geometries = [new BoxGeometry(), new SphereGeometry(1, 8, 6), new ConeGeometry(1, 2, 8)];
  const material = new MeshLambertMaterial();
  const scene = new Scene();
  for (let i = 0; i < count / GROUP; i++) {
    const group = new Group();
    group.position.set(next() * 2000 - 1000, next() * 20, next() * 2000 - 1000);
    for (let k = 0; k < GROUP; k++) {
      const mesh = new Mesh(geometries[k % 3], material);
      mesh.position.set(next() * 50, next() * 10, next() * 50);
      mesh.rotation.y = next() * 6;
      group.add(mesh);
    }
    scene.add(group);
  }
  return scene;
}
