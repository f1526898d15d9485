import * as THREE from 'three';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accelerate, createIndex, explain, STRUCTURES } from '../../../src/index.js';
import { tryOcclusion } from '../../helpers/occlusion/tryOcclusion.js';
import { drawn, loadOcclusion, wallScene } from '../../helpers/occlusion.js';
import { random } from '../../helpers/random.js';

let rest = (): void => {};

beforeAll(loadOcclusion);
beforeEach(() => {
  rest = tryOcclusion();
});
afterEach(() => rest());

const HIDDEN = 'It is hidden behind others.';
/** What is drawn of a scene with a wall. */
const ONLY_NEAR = [25, 0];

/** Boxes, balls and cones in a maze of walls, turned and mirrored in all ways. */
function maze(seed: number): { scene: THREE.Scene; walls: THREE.Mesh[] } {
  const next = random(seed);
  const scene = new THREE.Scene();
  const material = new THREE.MeshBasicMaterial();
  const shapes = [new THREE.BoxGeometry(), new THREE.SphereGeometry(0.6, 8, 6), new THREE.ConeGeometry(0.5, 1, 7)];
  const side = (): number => next() * 40 - 20;
  const walls = Array.from({ length: 16 }, () => new THREE.Mesh(shapes[0], material));
  for (const wall of walls) {
    wall.position.set(side(), 2, side());
    wall.rotation.y = next() < 0.5 ? 0 : next() * 6;
    wall.scale.set(4 + next() * 14, 6, 0.2 + next());
  }
  scene.add(...walls);
  for (let i = 0; i < 250; i++) {
    const thing = new THREE.Mesh(shapes[i % 3], material);
    thing.position.set(side(), next() * 3, side());
    thing.rotation.set(next() * 6, next() * 6, 0);
    thing.scale.set(0.3 + next(), 0.3 + next(), next() < 0.2 ? -1 : 1);
    scene.add(thing);
  }
  return { scene, walls };
}

function cameraIn(next: () => number, isParallel: boolean): THREE.Camera {
  const camera = isParallel
    ? new THREE.OrthographicCamera(-8, 8, 4.5, -4.5, 0.1, 60)
    : new THREE.PerspectiveCamera(40 + 40 * next(), 16 / 9, 0.1, 60);
  camera.position.set(next() * 40 - 20, 1 + next() * 3, next() * 40 - 20);
  camera.rotation.y = next() * 6;
  camera.updateMatrixWorld();
  return camera;
}

const POINTS = 24;
const onScreen = new THREE.Vector3();
const corners = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
const point = new THREE.Vector3();

/** True when rays to points of a mesh, strewn over its triangles, show that nothing is in front of one. */
function isSeen(mesh: THREE.Mesh, camera: THREE.Camera, others: THREE.Mesh[], next: () => number): boolean {
  const caster = new THREE.Raycaster();
  const { index, attributes } = mesh.geometry;
  const triangles = (index as THREE.BufferAttribute).count / 3;
  for (let i = 0; i < POINTS; i++) {
    const first = 3 * Math.floor(next() * triangles);
    for (const [k, corner] of corners.entries())
      corner.fromBufferAttribute(attributes.position, (index as THREE.BufferAttribute).getX(first + k));
    const [a, b] = [next(), next()].sort();
    point
      .copy(corners[0])
      .multiplyScalar(a)
      .addScaledVector(corners[1], b - a)
      .addScaledVector(corners[2], 1 - b);
    onScreen.copy(point.applyMatrix4(mesh.matrixWorld)).project(camera);
    if (Math.abs(onScreen.x) > 1 || Math.abs(onScreen.y) > 1 || Math.abs(onScreen.z) > 1) continue;
    caster.setFromCamera(new THREE.Vector2(onScreen.x, onScreen.y), camera);
    const distance = point.sub(caster.ray.origin).dot(caster.ray.direction);
    // Nothing is so near that it is cut by the near plane.
    const isInFront = (other: THREE.Mesh): boolean =>
      other !== mesh && caster.intersectObject(other, false).some((hit) => hit.distance < distance - 1e-6);
    if (!others.some(isInFront)) return true;
  }
  return false;
}

describe.each(STRUCTURES)('%s', (name) => {
  it.each([false, true])('no point of what is left out can be seen; parallel: %s', (isParallel) => {
    const next = random(31);
    const { scene } = maze(7);
    const index = accelerate<THREE.Mesh>(scene, { structure: createIndex(name), occlusion: true });
    let left = 0;
    for (let view = 0; view < 4; view++) {
      const camera = cameraIn(next, isParallel);
      const seen = drawn(scene, camera) as THREE.Mesh[];
      const kept = new Set(seen);
      const hidden = index
        .cull(camera)
        .filter((mesh) => !kept.has(mesh) && explain(index, mesh, camera).includes(HIDDEN));
      expect(hidden.filter((mesh) => isSeen(mesh, camera, seen, next))).toEqual([]);
      left += hidden.length;
    }
    expect(left).toBeGreaterThan(50);
  });
});

/** Numbers of things that are drawn before the wall and behind it. */
function count(objects: readonly THREE.Object3D[]): number[] {
  return ['near', 'far'].map((word) => objects.filter(({ name }) => name.startsWith(word)).length);
}

it('transmissive things end it where samples are not known to be right', () => {
  const { scene, camera, wall } = wallScene();
  accelerate(scene, { occlusion: true });
  expect(count(drawn(scene, camera))).toEqual(ONLY_NEAR);
  const glass = new THREE.Mesh(wall.geometry, new THREE.MeshPhysicalMaterial({ transmission: 1 }));
  scene.add(glass.translateZ(-10));
  expect(count(drawn(scene, camera))).toEqual([25, 75]);
});

it('each picture sees the scene as it is', () => {
  const { scene, camera, wall } = wallScene();
  accelerate(scene, { occlusion: true });
  const found = (): number[] => count(drawn(scene, camera));
  expect(found()).toEqual(ONLY_NEAR);
  wall.visible = false;
  expect(found()[1]).toBeGreaterThan(30);
  wall.visible = true;
  expect(found()).toEqual(ONLY_NEAR);
  wall.position.x += 500;
  expect(found()[1]).toBeGreaterThan(30);
});

it.each<[string, (wall: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>) => () => void]>([
  ['only shows its other side', ({ material }) => swap(material, 'side', THREE.BackSide)],
  ['has half of its triangles', ({ geometry }) => swap(geometry.drawRange, 'count', 3)],
  ['has another geometry', (wall) => swap(wall, 'geometry', new THREE.PlaneGeometry(0.1, 0.1))],
  ['can be seen through', ({ material }) => swap(material, 'transparent', true)],
  ['is not visible', (wall) => swap(wall, 'visible', false)],
  ['turns its back, within the same bounds', (wall) => turn(wall)],
])('with all at rest, a wall that %s hides nothing, and hides again when it is as before', (_what, act) => {
  const { scene, camera, wall } = wallScene();
  wall.geometry = new THREE.PlaneGeometry();
  accelerate(scene, { occlusion: true });
  const found = (): number[] => count(drawn(scene, camera));
  expect(found()).toEqual(ONLY_NEAR);
  const undo = act(wall as THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>);
  expect(found()[1]).toBeGreaterThan(10);
  undo();
  expect(found()).toEqual(ONLY_NEAR);
});

/** Turns an object by half a turn, without a rounding; returns what turns it back. */
function turn({ quaternion }: THREE.Object3D): () => void {
  quaternion.set(0, 1, 0, 0);
  return () => quaternion.identity();
}

/** Sets a property; returns what sets it back. */
function swap<T, K extends keyof T>(of: T, name: K, value: T[K]): () => void {
  const before = of[name];
  of[name] = value;
  return () => {
    of[name] = before;
  };
}
