import * as THREE from 'three';
import { accelerate } from '../../../src/index.js';
import { leaveOutGpu } from './leaveOut.js';
import { type Measured, takeTurns } from './takeTurns.js';

const COUNT = 10_000;
const GEOMETRIES = 4;

/**
 * The CPU time of frames of batched boxes of a few geometries: where what is drawn in another way has geometries of its
 * own, and where it shares theirs.
 * @param which One overlay, which is drawn alone; or half of the boxes, which have other shadow flags.
 */
export async function twice(
  renderer: THREE.WebGLRenderer,
  which: 'overlay' | 'flags',
  isMoving: boolean,
  rounds: number,
): Promise<Measured> {
  renderer.shadowMap.enabled = false;
  const sides = [false, true].map((isShared) => {
    const scene = sceneOf(which, isShared);
    const index = accelerate(scene, { batch: true });
    if (!isMoving) index.setStatic(scene);
    return { scene, index };
  });
  const camera = new THREE.PerspectiveCamera(60, 1, 1, 1000);
  camera.position.z = 250;
  for (const { index } of sides) await index.ready;
  const draw = (side: number) => (): number => {
    renderer.render(sides[side].scene, camera);
    return 1;
  };
  const between = (side: number) => (): void => {
    renderer.getContext().finish();
    if (isMoving) for (const mesh of sides[side].scene.children) mesh.position.x += 1e-3;
  };
  const restore = leaveOutGpu(renderer, true);
  try {
    for (let frame = 0; frame < 5; frame++) for (const side of [0, 1]) draw(side)();
    return takeTurns(rounds, [draw(0), between(0)], [draw(1), between(1)], () => {});
  } finally {
    restore();
    for (const { index } of sides) index.dispose();
  }
}

function sceneOf(which: 'overlay' | 'flags', isShared: boolean): THREE.Scene {
  const scene = new THREE.Scene();
  const material = new THREE.MeshBasicMaterial();
  const geometries = boxes(1);
  const others = isShared ? geometries : boxes(1.001);
  for (let i = 0; i < COUNT; i++) {
    const isOther = which === 'flags' && i % 2 === 1;
    const mesh = new THREE.Mesh((isOther ? others : geometries)[(i >> 1) % GEOMETRIES], material);
    mesh.castShadow = isOther;
    mesh.position.set((i % 100) - 50, Math.floor(i / 100) - 50, i % 7);
    scene.add(mesh);
  }
  if (which === 'overlay') scene.add(new THREE.Mesh(others[0], new THREE.MeshBasicMaterial({ wireframe: true })));
  return scene;
}

function boxes(size: number): THREE.BufferGeometry[] {
  return Array.from({ length: GEOMETRIES }, (_, i) => new THREE.BoxGeometry(size, size / (i + 1), size));
}
