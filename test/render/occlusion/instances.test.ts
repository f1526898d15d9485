import * as THREE from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { accelerate, explain, InstanceIndex } from '../../../src/index.js';
import { loadAllBatching } from '../../batching/Stage.js';
import { drawnTriangles } from '../../helpers/drawnTriangles.js';
import { anyPlace, CanvasStandIn, drawn, loadOcclusion, strew } from '../../helpers/occlusion.js';
import { random } from '../../helpers/random.js';
import { seeds } from '../../helpers/width.js';

beforeAll(async () => {
  await loadAllBatching();
  await loadOcclusion();
});

const box = new THREE.BoxGeometry();
const paint = new THREE.MeshBasicMaterial();

interface Walls {
  readonly scene: THREE.Scene;
  readonly camera: THREE.PerspectiveCamera;
  /** Four quarters of a wall. */
  readonly walls: THREE.InstancedMesh;
  /** Number of things behind the wall that are drawn. */
  look(): number;
}

/** Things behind a wall that is made of instances. */
function behindInstances(): Walls {
  const next = random(4);
  const scene = new THREE.Scene();
  const walls = new THREE.InstancedMesh(box, new THREE.MeshBasicMaterial(), 4);
  walls.name = 'walls';
  // In another frame than the world.
  walls.position.set(0, 0, -10);
  walls.rotation.y = 0.3;
  scene.add(new THREE.Group().add(walls));
  scene.updateMatrixWorld();
  for (let i = 0; i < 4; i++) place(walls, i, i < 2 ? -20 : 20, i % 2 ? -20 : 20, -20);
  for (let i = 0; i < 100; i++) {
    const thing = new THREE.Mesh(box, paint);
    thing.position.set(next() * 16 - 8, next() * 10 - 5, -30 - next() * 20);
    scene.add(thing);
  }
  const camera = new THREE.PerspectiveCamera(50, 16 / 9, 0.1, 200);
  const look = (): number =>
    drawn(scene, camera).filter((object) => object !== walls && object.visible && !object.name).length;
  return { scene, camera, walls, look };
}

/** Puts a quarter of the wall to a place in the world. */
function place(walls: THREE.InstancedMesh, i: number, x: number, y: number, z: number): void {
  const world = new THREE.Matrix4().makeScale(42, 42, 1).setPosition(x, y, z);
  walls.setMatrixAt(i, world.premultiply(walls.matrixWorld.clone().invert()));
  walls.instanceMatrix.needsUpdate = true;
}

it('an instance hides what lies behind it', () => {
  const { scene, camera, look } = behindInstances();
  expect(look()).toBe(100);
  const index = accelerate(scene, { occlusion: true });
  expect([look(), look()]).toEqual([0, 0]);
  expect(explain(index, scene.children[7], camera)).toContain('It is hidden behind others.');
});

/** Multiplies the matrix of one. */
function change(walls: THREE.InstancedMesh, by: THREE.Matrix4): void {
  walls.setMatrixAt(2, walls.getMatrixAt(2, new THREE.Matrix4()).multiply(by));
  walls.instanceMatrix.needsUpdate = true;
}

const projective = new THREE.Matrix4();
projective.elements[3] = 0.05;

const ACTS: readonly [what: string, act: (walls: THREE.InstancedMesh) => unknown][] = [
  ['moved, one of them', (walls) => place(walls, 2, 20, 20, 60)],
  ['mirrored, one of them', (walls) => change(walls, new THREE.Matrix4().makeScale(1, 1, -1))],
  ['not a number, one of them', (walls) => change(walls, new THREE.Matrix4().makeScale(Number.NaN, 1, 1))],
  ['projective, one of them', (walls) => change(walls, projective)],
  ['fewer', (walls) => Object.assign(walls, { count: 2 })],
  ['transparent', ({ material }) => Object.assign(material, { transparent: true })],
  [
    'placed by a shader',
    ({ instanceMatrix }) =>
      Object.assign(instanceMatrix, { isStorageInstancedBufferAttribute: true, needsUpdate: true }),
  ],
  [
    'placed by another attribute',
    (walls) => Object.assign(walls, { instanceMatrix: new THREE.InstancedBufferAttribute(new Float32Array(64), 16) }),
  ],
  ['not visible', (walls) => Object.assign(walls, { visible: false })],
  ['moved by their parent', ({ parent }) => parent?.position.setX(500)],
];

it.each(ACTS)('walls that are %s hide less', (_what, act) => {
  const { scene, walls, look } = behindInstances();
  accelerate(scene, { occlusion: true });
  expect(look()).toBe(0);
  act(walls);
  // At first they have just moved, and hide nothing in any case.
  expect(Math.min(...Array.from({ length: 40 }, look))).toBeGreaterThan(5);
});

it('what is written without telling renderers is not what they draw', () => {
  const { scene, camera, walls, look } = behindInstances();
  accelerate(scene, { occlusion: true });
  expect(look()).toBe(0);
  walls.instanceMatrix.array.fill(0);
  // Has occluders drawn anew.
  camera.position.x = 0.1;
  expect(look()).toBe(0);
  walls.instanceMatrix.needsUpdate = true;
  expect(look()).toBe(100);
});

it('instances that move all the time hide again once they rest', () => {
  const { scene, walls, look } = behindInstances();
  accelerate(scene, { occlusion: true });
  const seen = [0, 1, 2, 3].map((i) => {
    walls.position.x = i / 100;
    return look();
  });
  expect(seen[0]).toBe(0);
  expect(seen[3]).toBe(100);
  // It rests for some pictures where nothing was hidden.
  const rested = Array.from({ length: 40 }, () => look());
  expect(rested.at(-1)).toBe(0);
});

describe.each(seeds(12, 3))('instances with any matrices, seed %i', (seed) => {
  it('hide what meshes in their places hide', () => {
    const next = random(seed);
    const cloud = (isInstanced: boolean): [THREE.Scene, THREE.Mesh[]] => {
      const own = random(seed + 100);
      const scene = new THREE.Scene();
      const places = Array.from({ length: 30 }, () =>
        anyPlace(own, [own() * 60 - 30, own() * 20 - 10, -15 - own() * 15], 2, 10),
      );
      strew(scene, own, 1000, [box, paint], places, isInstanced);
      const things = Array.from({ length: 300 }, () => {
        const thing = new THREE.Mesh(box, paint);
        thing.position.set(own() * 80 - 40, own() * 30 - 15, -35 - own() * 40);
        return thing;
      });
      scene.add(...things);
      scene.updateMatrixWorld();
      return [scene, things];
    };
    const [instanced, things] = cloud(true);
    const [plain, twins] = cloud(false);
    const index = accelerate(plain, { occlusion: true });
    accelerate(instanced, { occlusion: true });
    let hidden = 0;
    for (let view = 0; view < 4; view++) {
      const camera = new THREE.PerspectiveCamera(40 + next() * 40, 16 / 9, 0.1, 200);
      camera.position.set(next() * 10 - 5, next() * 6 - 3, next() * 4);
      camera.rotation.y = next() * 0.4 - 0.2;
      camera.updateMatrixWorld();
      const [a, b] = [instanced, plain].map((scene) => new Set(drawn(scene, camera)));
      const inView = new Set<THREE.Object3D>(index.cull(camera));
      for (const [i, thing] of things.entries()) {
        if (!inView.has(twins[i])) continue;
        if (!b.has(twins[i])) hidden++;
        // Its errors are larger: it may hide less, by a pixel of the buffer.
        if (!a.has(thing)) expect(b.has(twins[i]), `thing ${i}`).toBe(false);
      }
      const [more, less] = [a, b].map((set) => set.size);
      expect(more - less).toBeLessThan(40);
    }
    expect(hidden).toBeGreaterThan(30);
  });
});

it('members of batches hide others, and leave draw lists where they are hidden', () => {
  const { scene, walls } = behindInstances();
  walls.removeFromParent();
  // The wall is a member of the batch, too.
  const wall = new THREE.Mesh(box, paint);
  wall.scale.set(80, 80, 1);
  wall.position.z = -20;
  scene.add(wall);
  const camera = new THREE.PerspectiveCamera(50, 16 / 9, 0.1, 200);
  camera.updateMatrixWorld();
  accelerate(scene, { occlusion: true, batch: { atLeast: 4 } });
  const renderer = new CanvasStandIn();
  const triangles = Array.from({ length: 8 }, () => {
    scene.updateMatrixWorld();
    return drawnTriangles(scene, camera, camera, () => {}, renderer).main.length;
  });
  expect(triangles.at(-1)).toBe(12);
});

it('a batch with levels of detail is always drawn, and lets others be hidden', () => {
  const { scene, camera, look } = behindInstances();
  const batch = new THREE.BatchedMesh(1, 100, 100, paint);
  const ids = [0, 1].map(() => batch.addGeometry(box));
  batch.setMatrixAt(batch.addInstance(ids[0]), new THREE.Matrix4().setPosition(0, 0, -60));
  batch.name = 'batch';
  scene.add(batch);
  const index = accelerate(scene, { occlusion: true });
  expect(look()).toBe(0);
  expect(drawn(scene, camera)).not.toContain(batch);
  const levels = new InstanceIndex(batch);
  levels.setLevels(ids.map((geometryId, i) => ({ geometryId, pixels: 10 - 5 * i })));
  expect(look()).toBe(0);
  expect(drawn(scene, camera)).toContain(batch);
  expect(explain(index, batch, camera).join()).toContain('its levels of detail may be larger than its bounds');
  levels.dispose();
});
