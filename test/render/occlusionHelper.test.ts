import * as THREE from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { accelerate, explain, OcclusionHelper, SceneIndex } from '../../src/index.js';
import { eye } from '../helpers/cameras.js';
import { drawn, loadOcclusion, wallScene } from '../helpers/occlusion.js';
import { inverseOf, mapOf } from '../helpers/sights.js';

beforeAll(loadOcclusion);

function see(options: ConstructorParameters<typeof OcclusionHelper>[2] = {}, count = 100) {
  const { scene, wall, camera } = wallScene(count);
  const index = accelerate(scene, { occlusion: true });
  const helper = new OcclusionHelper(index, camera, options);
  const look = (by: THREE.Camera = camera): string[] => {
    const names = drawn(scene, by).map(({ name }) => name);
    helper.update();
    return names;
  };
  return { scene, wall, camera, index, helper, look };
}

type Part = { geometry: THREE.BufferGeometry };

function cornerOf({ geometry: { attributes, index } }: Part, k: number): THREE.Vector3 {
  return new THREE.Vector3().fromBufferAttribute(attributes.position, (index as THREE.BufferAttribute).getX(k));
}

/** The boxes that a part draws, from their corners: 24 numbers of its index each. */
function boxesOf(part: Part): string[] {
  const { start, count } = part.geometry.drawRange;
  expect([start, count % 24]).toEqual([0, 0]);
  return Array.from({ length: count / 24 }, (_, i) => {
    const corners = Array.from({ length: 24 }, (_, k) => cornerOf(part, 24 * i + k));
    return inSingle(new THREE.Box3().setFromPoints(corners));
  });
}

function inSingle(box: THREE.Box3): string {
  return [...new Float32Array([...box.min, ...box.max])].map((c) => c.toFixed(3)).join();
}

const isEmpty = ({ helper }: { helper: OcclusionHelper }): boolean =>
  helper.occluderCount + helper.hidden.length === 0 &&
  [helper.depths, helper.occluders].every(({ geometry }) => geometry.drawRange.count === 0);

/** So many that finding out what is hidden pays in each picture. */
const MANY = 2000;

describe('the helper of occlusion', () => {
  it('outlines the occluders of the last picture, and counts what it left out', () => {
    const seen = see();
    const { helper, wall } = seen;
    expect(isEmpty(seen)).toBe(true);
    seen.look();
    expect(helper.hidden.length).toBe(75);
    expect(helper.occluderCount).toBe(boxesOf(helper.occluders).length);
    expect(boxesOf(helper.occluders)).toContain(inSingle(new THREE.Box3().setFromObject(wall)));
  });

  it('outlines a turned occluder along its own sides', () => {
    const { helper, wall, look } = see();
    wall.rotation.z = 0.5;
    look();
    const { drawRange } = helper.occluders.geometry;
    const lengths = Array.from({ length: drawRange.count / 2 }, (_, i) => {
      const [from, to] = [2 * i, 2 * i + 1].map((k) => cornerOf(helper.occluders, k));
      return from.distanceTo(to).toFixed(2);
    });
    expect(lengths).toEqual(expect.arrayContaining(['60.00', '40.00', '1.00']));
  });

  it('paints the buffer: light where something near covers a pixel, else nothing', () => {
    const { helper, wall, look, scene, camera } = see();
    for (const o of [...scene.children]) if (o.name.startsWith('near')) o.removeFromParent();
    wall.scale.set(12, 9, 1);
    look();
    const { data, width, height } = helper.texture.image as { data: Uint8Array; width: number; height: number };
    expect([width, height]).toEqual([320, 176]);
    const raycaster = new THREE.Raycaster();
    const isWall = (x: number, y: number): boolean => {
      raycaster.setFromCamera(new THREE.Vector2((2 * x) / width - 1, (2 * y) / height - 1), camera);
      return raycaster.intersectObject(wall, false).length > 0;
    };
    let covered = 0;
    for (let y = 2; y < height - 2; y += 5) {
      for (let x = 2; x < width - 2; x += 5) {
        const around = [0, 1, 2, 3].map((i) => isWall(x - 1.5 + 4 * (i & 1), y - 1.5 + 4 * (i >> 1)));
        const pixel = [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)];
        if (around.every(Boolean)) {
          expect([pixel[2] > 200, pixel[3]]).toEqual([true, 255]);
          covered++;
        } else if (!around.some(Boolean)) expect(pixel).toEqual([0, 0, 0, 140]);
      }
    }
    expect(covered).toBeGreaterThan(100);
  });

  const CAMERAS: readonly [what: string, camera: THREE.Camera][] = [
    ['perspective', new THREE.PerspectiveCamera(50, 16 / 9, 0.1, 200)],
    ['shifted', shifted()],
    ['orthographic', new THREE.OrthographicCamera(-9, 7, 6, -3, -1, 60)],
    ['of a map', Object.assign(mapOf(eye(3, 4, 50, { aspect: 16 / 9 })), { updateProjectionMatrix() {} })],
    ['told by its inverse', Object.assign(inverseOf(eye(3, 4, 50)), { updateProjectionMatrix() {} })],
    ['of WebGPU', Object.assign(shifted(), { coordinateSystem: THREE.WebGPUCoordinateSystem })],
    ['reversed', Object.assign(new THREE.PerspectiveCamera(50, 16 / 9, 0.1, 200), { _reversedDepth: true })],
  ];

  it.each(CAMERAS)('lays the picture into a corner of the view of a camera, %s, where that stands now', (_, camera) => {
    const { index, scene } = see();
    const helper = new OcclusionHelper(index, camera, { size: 0.25, corner: 'topRight' });
    scene.add(helper);
    camera.position.set(3, 4, 50);
    camera.rotation.set(0.3, 1, 0);
    (camera as THREE.PerspectiveCamera).updateProjectionMatrix();
    // By the scene, as renderers do.
    const { matrixWorldInverse } = camera;
    const told = camera.matrixWorldAutoUpdate ? null : matrixWorldInverse.clone();
    scene.updateMatrixWorld();
    if (told !== null) expect(matrixWorldInverse).toEqual(told);
    const { position } = helper.depths.geometry.attributes;
    const rectangle = new THREE.Box3();
    for (let i = 0; i < position.count; i++) {
      const corner = new THREE.Vector3().fromBufferAttribute(position, i).applyMatrix4(helper.depths.matrixWorld);
      rectangle.expandByPoint(corner.project(camera));
    }
    const { min, max } = rectangle;
    expect((max.x - min.x) / 2).toBeCloseTo(0.25, 6);
    expect((max.y - min.y) / 2).toBeCloseTo(0.25, 6);
    expect([max.x < 1, max.x > 0.9, max.y < 1, max.y > 0.88, min.z > -1, max.z < 1]).toEqual(Array(6).fill(true));
  });

  it('changes nothing else in the picture, and hides nothing', () => {
    const { scene, helper, look, index, camera } = see({ size: 1 }, MANY);
    const before = look().sort();
    const { length } = helper.hidden;
    expect(length).toBeGreaterThan(MANY / 4);
    scene.add(helper);
    for (let i = 0; i < 3; i++) {
      const others = look().filter((name) => name !== 'OcclusionHelper' && name !== '');
      expect(others.sort()).toEqual(before);
      expect(helper.hidden.length).toBe(length);
    }
    for (const part of [helper, ...helper.children]) expect(index.has(part)).toBe(false);
    expect(explain(index, helper.occluders, camera).join()).toContain('is a helper');
    const ray = new THREE.Raycaster(new THREE.Vector3(0, 0, -10), new THREE.Vector3(0, 0, -1));
    expect(ray.intersectObject(helper)).toEqual([]);
  });

  it('is drawn in each picture, also by parts in other places of the scene', () => {
    const { scene, helper, camera } = see();
    scene.add(new THREE.Group().add(helper.occluders), helper.depths);
    const objects = drawn(scene, camera);
    for (const part of [helper.occluders, helper.depths]) expect(objects).toContain(part);
  });

  it('is empty while occlusion rests, or is off', () => {
    const seen = see();
    seen.look();
    expect(isEmpty(seen)).toBe(false);
    seen.wall.position.x = 500;
    const counts = Array.from({ length: 40 }, () => {
      seen.look();
      return seen.helper.occluderCount + seen.helper.hidden.length;
    });
    expect(counts.slice(-8)).toContain(0);
    seen.wall.position.x = 0;
    for (let i = 0; i < 300 && isEmpty(seen); i++) seen.look();
    expect(seen.helper.hidden.length).toBe(75);
    const { scene, camera } = wallScene();
    const helper = new OcclusionHelper(new SceneIndex(scene), camera);
    helper.update();
    expect(isEmpty({ helper })).toBe(true);
  });

  it('shows the picture of its own camera when another one has drawn since', () => {
    const seen = see();
    seen.look();
    const shown = [...(seen.helper.texture.image.data as Uint8Array)];
    const other = new THREE.PerspectiveCamera(80, 1, 0.1, 200);
    other.position.set(0, 0, 30);
    for (let i = 0; i < 3; i++) {
      seen.look(other);
      expect([...(seen.helper.texture.image.data as Uint8Array)]).toEqual(shown);
      expect(seen.helper.hidden.length).toBe(75);
    }
  });

  it('frees what it has, leaves the scene, and may be disposed of again', () => {
    const { scene, helper, index, look } = see();
    const before = scene.children.length;
    scene.add(helper, helper.depths);
    look();
    const parts = [helper.depths, helper.occluders];
    const freed = new Set<object>();
    for (const one of [helper.texture, ...parts.flatMap(({ geometry, material }) => [geometry, material])]) {
      (one as THREE.EventDispatcher<{ dispose: object }>).addEventListener('dispose', () => freed.add(one));
    }
    helper.dispose();
    helper.dispose();
    expect(freed.size).toBe(5);
    expect([scene.children.length, helper.children.length]).toEqual([before, 0]);
    index.dispose();
    expect(() => helper.update()).toThrow('OcclusionHelper.update: the index was disposed');
  });
});

function shifted(): THREE.PerspectiveCamera {
  const camera = new THREE.PerspectiveCamera(50, 16 / 9, 0.1, 200);
  camera.setViewOffset(1600, 900, 100, 300, 800, 450);
  return camera;
}
