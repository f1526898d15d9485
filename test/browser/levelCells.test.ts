import * as THREE from 'three';
import { expect, test } from 'vitest';
import { type AcceleratedScene, accelerate, explain } from '../../src/index.js';
import { areShadersSeen } from '../../src/three/shaders.js';
import { endRenderer, makeRenderer, otherPixels, readPicture } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { atWidth } from '../helpers/width.js';

const SIZE = 96;
const BEHIND = new THREE.Color(1, 0, 1);

/** A bumpy cave without a hole, seen from inside: the background shows through cracks alone. */
function cave(): THREE.Mesh {
  const geometry = new THREE.IcosahedronGeometry(10, 60).deleteAttribute('uv');
  const { position, normal } = geometry.attributes;
  const point = new THREE.Vector3();
  for (let i = 0; i < position.count; i++) {
    // Corners of neighbours are equal to within rounding.
    point
      .fromBufferAttribute(position, i)
      .multiplyScalar(2 ** 12)
      .round()
      .divideScalar(2 ** 12);
    const bumps = Math.sin(1.1 * point.x) * Math.sin(0.9 * point.y + 1) + 0.4 * Math.sin(2.3 * point.z + point.x);
    position.setXYZ(
      i,
      ...point
        .clone()
        .multiplyScalar(1 + 0.08 * bumps)
        .toArray(),
    );
    // Equal vertices have equal normals.
    normal.setXYZ(i, ...point.normalize().toArray());
  }
  const mesh = new THREE.Mesh(geometry, new THREE.MeshNormalMaterial({ side: THREE.BackSide }));
  mesh.position.set(300, 20, -100);
  mesh.rotation.set(0.4, 1, 2);
  mesh.scale.set(1, 1.4, 0.8);
  return mesh;
}

function sceneOf(mesh: THREE.Mesh): THREE.Scene {
  const scene = new THREE.Scene();
  scene.background = BEHIND;
  return scene.add(mesh);
}

/** A camera somewhere within the cave. */
function somewhere(next: () => number, mesh: THREE.Mesh): THREE.PerspectiveCamera {
  const camera = new THREE.PerspectiveCamera(30 + 80 * next(), 1, 0.01, 100);
  const within = (): THREE.Vector3 =>
    mesh.localToWorld(new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(9));
  camera.position.copy(within());
  camera.lookAt(within());
  camera.updateMatrixWorld();
  return camera;
}

/** Draws until a mesh is drawn in cells. */
async function settle(
  index: AcceleratedScene,
  mesh: THREE.Mesh,
  camera: THREE.Camera,
  draw: () => unknown,
): Promise<void> {
  for (let i = 0; i < 600 && !/in \d+ cells/.test(explain(index, mesh, camera).join()); i++) {
    await draw();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(explain(index, mesh, camera).join()).toMatch(/in \d+ cells/);
}

function behind(picture: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < picture.length; at += 4) {
    if (picture[at] > 250 && picture[at + 1] < 5 && picture[at + 2] > 250) count++;
  }
  return count;
}

test.skipIf(!areShadersSeen).each([0.5, 3])(
  'nothing shows through between cells, off by %f pixels',
  async (maxError) => {
    const renderer = makeRenderer(SIZE);
    const [plain, mesh] = [sceneOf(cave()), cave()];
    const scene = sceneOf(mesh);
    const index = accelerate(scene, { batch: true, levels: { maxError } });
    const take = (of: THREE.Scene, camera: THREE.Camera): [Uint8Array, number] => {
      renderer.render(of, camera);
      return [readPicture(renderer), renderer.info.render.triangles];
    };
    scene.updateMatrixWorld();
    const next = random(17);
    const first = somewhere(next, mesh);
    await settle(index, mesh, first, () => take(scene, first));
    let [all, leveled, off] = [0, 0, 0];
    const look = (camera: THREE.PerspectiveCamera): void => {
      const [expected, triangles] = take(plain, camera);
      expect(behind(expected)).toBe(0);
      const [picture, few] = take(scene, camera);
      // Of two triangles that share a side and reach out of the picture a renderer in software may miss a pixel between them, of
      // a mesh in plain three as well: such a pixel is not there as soon as the camera turns by a hair.
      if (behind(picture) > 0) {
        const turned = camera.clone().rotateX(0.001);
        turned.updateMatrixWorld();
        expect(behind(take(scene, turned)[0]), explain(index, mesh, camera).join(' ')).toBe(0);
      }
      all += triangles;
      leveled += few;
      off += otherPixels(picture, expected, 32);
    };
    const cameras = atWidth(400, 60);
    for (let i = 0; i < cameras; i++) look(somewhere(next, mesh));
    for (let i = 0; i < 60; i++) {
      first.translateZ(-0.05);
      first.updateMatrixWorld();
      look(first);
    }
    expect(leveled).toBeLessThan((maxError < 1 ? 0.5 : 0.25) * all);
    expect(off).toBeLessThan(0.002 * maxError * (cameras + 60) * SIZE * SIZE);
    index.dispose();
    endRenderer(renderer);
  },
);
