import * as THREE from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { accelerate } from '../../../src/index.js';
import { stopClock } from '../../helpers/clock.js';
import { loadBatchCode } from '../../helpers/drawnByIndex.js';
import { anyPlace, CanvasStandIn, drawn, loadOcclusion, strew } from '../../helpers/occlusion.js';
import { random } from '../../helpers/random.js';
import { seeds } from '../../helpers/width.js';
import { idsOf } from '../../instances/table/crowds.js';

stopClock();

beforeAll(async () => {
  await loadBatchCode();
  await loadOcclusion();
});

const COUNT = 600;
/** Of so many triangles that it pays to look for hidden ones. */
const ball = new THREE.SphereGeometry(0.5, 32, 24);
/** May be hidden, and hides nothing. */
const paint = new THREE.MeshBasicMaterial({ alphaTest: 0.5 });
const wallBox = new THREE.BoxGeometry();

/** Walls, and balls before and behind them: instances, or meshes in their places. */
interface Crowd {
  readonly scene: THREE.Scene;
  readonly balls: THREE.InstancedMesh | THREE.Mesh[];
  readonly wall: THREE.Mesh;
}

function crowd(seed: number, isInstanced: boolean, geometry: THREE.BufferGeometry = ball): Crowd {
  const next = random(seed);
  const scene = new THREE.Scene();
  const wall = new THREE.Mesh(wallBox, new THREE.MeshBasicMaterial());
  for (let i = 0; i < 3; i++) {
    const part = i === 0 ? wall : wall.clone();
    part.scale.set(30 + next() * 10, 40, 1 + next());
    part.position.set(18 * i - 18, 0, -20 - next() * 4);
    part.rotation.y = next() * 0.4 - 0.2;
    scene.add(part);
  }
  const places = Array.from({ length: COUNT }, () =>
    anyPlace(next, [next() * 60 - 30, next() * 20 - 10, -8 - next() * 50], 0.5, 2.5),
  );
  // Not so far away that too little would be left of places relative to it.
  return { scene, wall, balls: strew(scene, next, 100, [geometry, paint], places, isInstanced) };
}

const eye = (next: () => number): THREE.PerspectiveCamera => {
  const camera = new THREE.PerspectiveCamera(50, 16 / 9, 0.1, 200);
  camera.position.set(next() * 10 - 5, next() * 6 - 3, next() * 4);
  camera.rotation.y = next() * 0.4 - 0.2;
  return camera;
};

const renderer = new CanvasStandIn();

/** The balls that a camera's pass draws, by number. */
function drawnBalls({ scene, balls }: Crowd, camera: THREE.Camera): Set<number> {
  const objects = drawn(scene, camera, renderer);
  if (Array.isArray(balls)) return new Set(balls.flatMap((mesh, i) => (objects.includes(mesh) ? [i] : [])));
  const stand = objects.find(({ id }) => id === balls.id) as THREE.InstancedMesh | undefined;
  return new Set(idsOf(balls, stand));
}

const OPTIONS = { occlusion: true } as const;

describe.each(seeds(2))('instances behind walls, seed %i', (seed) => {
  it('are left out where meshes in their places are, and nowhere else', () => {
    const [instanced, plain] = [crowd(seed, true), crowd(seed, false)];
    accelerate(instanced.scene, OPTIONS);
    const index = accelerate(plain.scene, OPTIONS);
    const next = random(seed + 50);
    for (let view = 0; view < 4; view++) {
      const camera = eye(next);
      // The first picture has the index of the instances built.
      counts(instanced, 1, camera);
      const shown = drawnBalls(instanced, camera);
      const meshes = drawnBalls(plain, camera);
      const inView = index.cull(camera).filter((mesh) => (plain.balls as THREE.Mesh[]).includes(mesh as THREE.Mesh));
      expect([...meshes].filter((i) => !shown.has(i))).toEqual([]);
      // Boxes of instances are looser.
      const [left, all] = [shown, meshes].map(({ size }) => inView.length - size);
      expect(left).toBeGreaterThan(0.7 * all);
      expect(left).toBeGreaterThan(50);
    }
  });
});

/** How many balls are drawn in some pictures of one camera. */
function counts(one: Crowd, pictures = 3, camera: THREE.Camera = eye(random(52))): number[] {
  return Array.from({ length: pictures }, () => drawnBalls(one, camera).size);
}

it('hidden instances come back once what hides them has gone, and where they move', () => {
  const one = crowd(2, true);
  const balls = one.balls as THREE.InstancedMesh;
  accelerate(one.scene, OPTIONS);
  const few = counts(one).at(-1) as number;
  // Out of the way of all that is seen.
  one.wall.position.y = 500;
  const more = counts(one).at(-1) as number;
  expect(more).toBeGreaterThan(few + 20);
  one.wall.position.y = 0;
  // Where it hid too little to pay, it is tried again after some pictures.
  expect(counts(one, 40).at(-1)).toBe(few);
  // Nothing but the instances has changed.
  const near = new THREE.Matrix4().copy(balls.matrixWorld).invert();
  const far = drawnBalls(one, eye(random(52)));
  const hidden = Array.from({ length: COUNT }, (_, i) => i).filter((i) => !far.has(i));
  for (const i of hidden.slice(0, 50)) {
    balls.setMatrixAt(i, new THREE.Matrix4().setPosition(i / 1000 - 0.3, 0, -8).premultiply(near));
  }
  balls.instanceMatrix.needsUpdate = true;
  expect(counts(one, 40).at(-1)).toBe(few + 50);
});

const few = new THREE.BoxGeometry();
const away = new THREE.SphereGeometry(0.5, 32, 24).translate(0, 4, 0);

it.each<[string, (one: Crowd, index: ReturnType<typeof accelerate>) => void, THREE.BufferGeometry?]>([
  ['of few triangles', () => {}, few],
  ['of a geometry far from its origin', () => {}, away],
  ['excepted by index.occlude', ({ balls }, index) => index.occlude(balls as THREE.InstancedMesh, false)],
  [
    'without a depth test',
    ({ balls }) => Object.assign(balls, { material: new THREE.MeshBasicMaterial({ depthTest: false }) }),
  ],
])('instances %s are drawn behind walls', (_what, change, geometry = ball) => {
  const [one, other] = [crowd(2, true, geometry), crowd(2, true, geometry)];
  const index = accelerate(one.scene, OPTIONS);
  change(one, index);
  accelerate(other.scene);
  expect(counts(one)).toEqual(counts(other));
});

it('cameras that draw in turns each see what they saw before', () => {
  const one = crowd(2, true);
  accelerate(one.scene, OPTIONS);
  const cameras = [52, 53].map((seed) => eye(random(seed)));
  const looks = cameras.map((camera) => {
    counts(one, 2, camera);
    return [...drawnBalls(one, camera)];
  });
  expect(looks[0]).not.toEqual(looks[1]);
  for (let turn = 0; turn < 2; turn++) {
    for (const [i, camera] of cameras.entries()) expect([...drawnBalls(one, camera)]).toEqual(looks[i]);
  }
});
