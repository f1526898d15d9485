import * as THREE from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AcceleratedScene,
  accelerate,
  type CullOptions,
  createIndex,
  explain,
  loadOcclusion,
  SceneIndex,
  STRUCTURES,
} from '../../../src/index.js';
import { CanvasStandIn, drawn, wallScene } from '../../helpers/occlusion.js';
import { random } from '../../helpers/random.js';

beforeAll(loadOcclusion);

const SIZE = { width: 1280, height: 720 };
const ASKED: CullOptions = { occlusion: true, ...SIZE };

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
  it.each([false, true])(
    'no point of what is left out can be seen, and nothing else is left out; parallel: %s',
    (isParallel) => {
      const next = random(31);
      const { scene } = maze(7);
      const index = new SceneIndex<THREE.Mesh>(scene, { structure: createIndex(name) });
      let left = 0;
      for (let view = 0; view < 4; view++) {
        const camera = cameraIn(next, isParallel);
        const all = index.cull(camera);
        const seen = index.cull(camera, ASKED);
        const kept = new Set(seen);
        expect(all.filter((mesh) => kept.has(mesh))).toEqual(seen);
        const hidden = all.filter((mesh) => !kept.has(mesh));
        expect(hidden.filter((mesh) => isSeen(mesh, camera, seen, next))).toEqual([]);
        left += hidden.length;
      }
      expect(left).toBeGreaterThan(50);
    },
  );
});

it.each([1, 2, 3])(
  'finds what pictures of an accelerated scene leave out, with the renderer that draws them, seed %i',
  (seed) => {
    const next = random(seed);
    const { scene } = maze(seed);
    const index: AcceleratedScene = accelerate(scene, { occlusion: true });
    const alone = new SceneIndex(scene);
    const renderer = new CanvasStandIn();
    for (let view = 0; view < 5; view++) {
      const camera = cameraIn(next, view === 3);
      const { length } = drawn(scene, camera, renderer);
      if (alone.cull(camera).length < 64) continue;
      const seen = index.cull(camera, { occlusion: true, renderer });
      const drawnAlone = new Set(seen.filter((object) => object.intersectsFrustum(frustumOf(camera))));
      expect(drawnAlone.size).toBe(length);
      expect(index.cull(camera, { occlusion: true, renderer })).toEqual(seen);
      expect(alone.cull(camera, { occlusion: true, renderer })).toEqual(seen);
    }
  },
);

function frustumOf(camera: THREE.Camera): THREE.Frustum {
  const matrix = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  return new THREE.Frustum().setFromProjectionMatrix(matrix, camera.coordinateSystem);
}

/** Numbers of things that are returned before the wall and behind it. */
function count(objects: readonly THREE.Object3D[]): number[] {
  return ['near', 'far'].map((word) => objects.filter(({ name }) => name.startsWith(word)).length);
}

const ALL = [25, 75];
const HIDDEN = [25, 0];

const sections = (): CanvasStandIn => {
  const renderer = new CanvasStandIn();
  renderer.clippingPlanes.push(new THREE.Plane(new THREE.Vector3(0, 0, -1), -22));
  return renderer;
};

const CASES: readonly [what: string, options: CullOptions, found: number[], why: string | null][] = [
  ['occlusion is not asked for', {}, ALL, null],
  ['it is refused', { occlusion: false, ...SIZE }, ALL, null],
  ['nothing else is said', { occlusion: true }, HIDDEN, null],
  ['the width is known', { occlusion: true, width: 800 }, HIDDEN, null],
  ['the height is known', { occlusion: true, height: 480 }, HIDDEN, null],
  ['the picture is tiny', { occlusion: true, width: 40, height: 20 }, ALL, 'too small'],
  ['the buffer is narrow', { occlusion: { width: 64, maxOccluders: 1, maxTriangles: 48 }, ...SIZE }, HIDDEN, null],
  ['one sample is taken', { ...ASKED, samples: 1 }, HIDDEN, null],
  ['several are, by who knows what', { ...ASKED, samples: 4 }, ALL, 'no renderer was given'],
  [
    'several are, by what was not tried',
    { ...ASKED, samples: 4, renderer: new CanvasStandIn() },
    ALL,
    'not been tested',
  ],
  [
    'the canvas has several',
    { occlusion: true, renderer: new CanvasStandIn({ antialias: true }) },
    ALL,
    'not been tested',
  ],
  [
    'but not the target',
    { occlusion: true, samples: 0, renderer: new CanvasStandIn({ antialias: true }) },
    HIDDEN,
    null,
  ],
  ['a section plane takes the wall away', { occlusion: true, renderer: sections() }, ALL, null],
];

it.each(CASES)('where %s', (_what, options, found, why) => {
  const { scene, camera } = wallScene();
  // Behind nothing but the wall.
  const far = scene.getObjectByName('far 1') as THREE.Object3D;
  far.position.set(22, 0, -30);
  const index = new SceneIndex(scene);
  expect(count(index.cull(camera, options as CullOptions))).toEqual(found);
  if (why !== null) expect(explain(index, far, camera).join()).toContain(why);
  if (found === HIDDEN) expect(explain(index, far, camera)).toEqual(['It is hidden behind "Wall 17".']);
});

it('nothing is hidden from an ArrayCamera, nor where transmissive things are seen by who knows whom', () => {
  const { scene, camera, wall } = wallScene();
  const index = new SceneIndex(scene);
  const [left, right] = [camera.clone(), camera.clone()];
  const pair = new THREE.ArrayCamera([left, right]);
  expect(count(index.cull(pair, ASKED))).toEqual(ALL);
  expect(explain(index, scene.getObjectByName('far 1') as THREE.Object3D, pair).join()).toContain('several views');
  expect(count(index.cull(left, ASKED))).toEqual(HIDDEN);
  const glass = new THREE.Mesh(wall.geometry, new THREE.MeshPhysicalMaterial({ transmission: 1 }));
  scene.add(glass.translateZ(-10));
  index.update();
  expect(count(index.cull(left, ASKED))).toEqual(ALL);
});

it('excepted subtrees neither hide nor are hidden, and each call sees the scene as it is', () => {
  const { scene, camera, wall } = wallScene();
  const index = new SceneIndex(scene);
  const far = scene.getObjectByName('far 1') as THREE.Object3D;
  const found = (): number[] => count(index.cull(camera, ASKED));
  expect(found()).toEqual(HIDDEN);
  expect(index.occlude(far, false)).toBe(true);
  expect(found()).toEqual([25, 1]);
  index.occlude(far);
  wall.visible = false;
  expect(found()[1]).toBeGreaterThan(30);
  wall.visible = true;
  expect(found()).toEqual(HIDDEN);
  wall.position.x += 500;
  index.update();
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
  const index = new SceneIndex(scene);
  const found = (): number[] => {
    index.update();
    return count(index.cull(camera, ASKED));
  };
  expect(found()).toEqual(HIDDEN);
  const undo = act(wall as THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>);
  expect(found()[1]).toBeGreaterThan(10);
  undo();
  expect(found()).toEqual(HIDDEN);
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

it('fills a list, and takes one in place of options as ever', () => {
  const { scene, camera } = wallScene();
  const index = new SceneIndex(scene);
  const out: THREE.Object3D[] = [scene, scene];
  expect(index.cull(camera, ASKED, out)).toBe(out);
  expect(out).toHaveLength(26);
  expect(index.cull(camera, out)).toBe(out);
  expect(out).toHaveLength(101);
  expect(index.cull(camera, undefined, out)).toHaveLength(101);
});

it('a getter that asks while the answer is being found gets all in the frustum', () => {
  const { scene, camera } = wallScene();
  const index = new SceneIndex(scene);
  const inner: number[][] = [];
  const thing = scene.getObjectByName('far 1') as THREE.Mesh;
  const { material } = thing;
  index.cull(camera, ASKED);
  Object.defineProperty(thing, 'material', {
    get: () => {
      inner.push(count(index.cull(camera, ASKED)));
      return material;
    },
  });
  expect(count(index.cull(camera, ASKED))).toEqual(HIDDEN);
  expect(inner[0]).toEqual(ALL);
});
