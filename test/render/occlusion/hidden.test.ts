import * as THREE from 'three';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AcceleratedScene, accelerate, explain } from '../../../src/index.js';
import { OcclusionBuffer } from '../../../src/occlusion/OcclusionBuffer.js';
import { occlusionReports } from '../../../src/passes/Pass.js';
import { Occluders } from '../../../src/render/occlusion/Occluders.js';
import { enableSimd } from '../../../src/standalone.js';
import { tryOcclusion } from '../../helpers/occlusion/tryOcclusion.js';
import { CanvasStandIn, drawn, loadOcclusion, wallScene } from '../../helpers/occlusion.js';
import { boxMesh } from '../../helpers/scene.js';
import { inverseOf, mapOf } from '../../helpers/sights.js';

let rest = (): void => {};

beforeAll(loadOcclusion);
beforeEach(() => {
  rest = tryOcclusion();
});
afterEach(() => {
  vi.restoreAllMocks();
  rest();
});

type Thing = THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;

interface Seen {
  readonly index: AcceleratedScene;
  readonly scene: THREE.Scene;
  readonly wall: Thing;
  readonly camera: THREE.PerspectiveCamera;
  /** One of the things behind the wall, and one before it. */
  readonly far: Thing;
  readonly near: Thing;
  /** Numbers of things that are drawn before the wall and behind it. */
  look(renderer?: object): { near: number; far: number };
  /** What is said of the thing behind the wall. */
  why(camera?: THREE.Camera): string;
}

function see(prepare: (far: Thing) => unknown = () => {}, occlusion = true): Seen {
  const { scene, wall, camera } = wallScene();
  const [far, near] = ['far 1', 'near 0'].map((name) => scene.getObjectByName(name) as Thing);
  prepare(far);
  const index = accelerate(scene, { occlusion });
  const look = (renderer?: object): { near: number; far: number } => {
    const names = drawn(scene, camera, renderer).map(({ name }) => name);
    const count = (word: string): number => names.filter((name) => name.startsWith(word)).length;
    return { near: count('near'), far: count('far') };
  };
  const why = (by: THREE.Camera = camera): string => explain(index, far, by).join();
  return { index, scene, wall: wall as Thing, camera, far, near, look, why };
}

const ALL = { near: 25, far: 75 };
const HIDDEN = { near: 25, far: 0 };
const ONE_MORE = { near: 25, far: 1 };

it('what lies behind a wall is not drawn', () => {
  expect(see(undefined, false).look()).toEqual(ALL);
  expect(see().look()).toEqual(HIDDEN);
});

const patched = { onBeforeCompile: () => {} };
const instancedBox = (): THREE.BufferGeometry =>
  new THREE.InstancedBufferGeometry().copy(new THREE.BoxGeometry() as never);

function morphing(): THREE.BufferGeometry {
  const geometry = new THREE.BoxGeometry();
  geometry.morphAttributes.position = [geometry.attributes.position.clone()];
  return geometry;
}

/** Materials with which a wall hides nothing. */
const MATERIALS: readonly [what: string, values: object][] = [
  ['transparent', { transparent: true }],
  ['with holes', { alphaTest: 0.5 }],
  ['hashed', { alphaHash: true }],
  ['of alpha to coverage', { alphaToCoverage: true }],
  ['a wireframe', { wireframe: true }],
  ['without depth', { depthWrite: false }],
  ['without colour', { colorWrite: false }],
  ['drawn through others', { depthTest: false }],
  ['additive', { blending: THREE.AdditiveBlending }],
  ['offset', { polygonOffset: true }],
  ['under a stencil', { stencilWrite: true }],
  ['of another depth function', { depthFunc: THREE.AlwaysDepth }],
  ['with a depth function that needs equals', { depthFunc: THREE.EqualDepth }],
  ['with a material that is not visible', { visible: false }],
  ['displaced', { displacementMap: new THREE.Texture() }],
  ['of another shader', patched],
  ['of nodes', { colorNode: {}, version: 1 }],
  ['cut', { clippingPlanes: [new THREE.Plane(new THREE.Vector3(1, 0, 0), 0)] }],
];

/** What else is done to the wall, after which it hides nothing. */
const WALLS: readonly [what: string, act: (seen: Seen) => unknown][] = [
  ['of a shader of its own', ({ wall }) => Object.assign(wall, { material: new THREE.ShaderMaterial() })],
  ['of a mesh that morphs', ({ wall }) => Object.assign(wall, { geometry: morphing() })],
  ['of instanced attributes', ({ wall }) => Object.assign(wall, { geometry: instancedBox() })],
  ['not visible', ({ wall }) => Object.assign(wall, { visible: false })],
  ['on another layer', ({ wall }) => wall.layers.set(3)],
  ['with callbacks', ({ wall }) => Object.assign(wall, { onBeforeRender: () => {} })],
  ['of several materials', ({ wall }) => Object.assign(wall, { material: Array(6).fill(wall.material) })],
  ['excepted', ({ wall, index }) => index.occlude(wall, false)],
  ['in a LOD', ({ wall, scene }) => scene.add(new THREE.LOD().addLevel(wall))],
  [
    'in a group with clipping planes',
    ({ wall, scene }) => scene.add(Object.assign(new THREE.Group(), { isClippingGroup: true }).add(wall)),
  ],
  ['aside', ({ wall }) => wall.position.setX(500)],
];

it.each([
  ...WALLS,
  ...MATERIALS.map(([what, values]) => [what, ({ wall }: Seen) => Object.assign(wall.material, values)] as const),
])('a wall that is %s hides nothing', (_what, act) => {
  const seen = see();
  expect(seen.look()).toEqual(HIDDEN);
  act(seen);
  expect(seen.look().far).toBeGreaterThan(30);
});

/** What is done to a thing behind the wall, after which it is drawn. */
const THINGS: readonly [what: string, act: (thing: Thing) => unknown][] = [
  ['drawn through others', (o) => Object.assign(o, { material: new THREE.MeshBasicMaterial({ depthTest: false }) })],
  ['of another shader', (o) => Object.assign(o, { material: new THREE.ShaderMaterial() })],
  ['offset', (o) => Object.assign(o, { material: new THREE.MeshBasicMaterial({ polygonOffset: true }) })],
  ['of a patched shader', (o) => Object.assign(o, { material: Object.assign(new THREE.MeshBasicMaterial(), patched) })],
  ['of a mesh that morphs', (o) => Object.assign(o, { geometry: morphing() })],
  ['of instanced attributes', (o) => Object.assign(o, { geometry: instancedBox() })],
  ['tested by the renderer', (o) => Object.assign(o, { occlusionTest: true })],
  [
    'of vertices far from the origin of its mesh',
    (o) => Object.assign(o, { geometry: o.geometry.clone().translate(5000, 0, 0) }).translateX(-5000),
  ],
  ['never culled', (o) => Object.assign(o, { frustumCulled: false })],
  ['before the wall', (o) => o.position.setZ(-10)],
];

it.each(THINGS)('a thing that is %s is drawn, from the start and when it becomes so', (_what, act) => {
  const { far, look } = see();
  expect(look()).toEqual(HIDDEN);
  act(far);
  // What got another shape is drawn at first in any case, until it is measured.
  for (let i = 0; i < 2; i++) expect(look()).toEqual(ONE_MORE);
  expect(see(act).look()).toEqual(ONE_MORE);
});

it.each([
  ['may be hidden', {}, HIDDEN],
  ['shows through others', { depthTest: false }, ONE_MORE],
] as const)('a LOD behind the wall in which something lies that %s', (_what, values, expected) => {
  const { scene, far, look } = see();
  const part = Object.assign(new THREE.Mesh(far.geometry, new THREE.MeshBasicMaterial(values)), { name: 'far part' });
  const lod = new THREE.LOD().addLevel(new THREE.Group().add(part));
  scene.add(lod.translateZ(-30));
  for (let i = 0; i < 3; i++) expect(look()).toEqual(expected);
});

it('what takes the place of a hidden thing in the index is looked at anew', () => {
  const { scene, far, look } = see();
  expect(look()).toEqual(HIDDEN);
  far.removeFromParent();
  const sprite = Object.assign(new THREE.Sprite(far.material as never), { name: 'far sprite' });
  sprite.position.copy(far.position);
  scene.add(sprite);
  for (let i = 0; i < 4; i++) expect(look()).toEqual(ONE_MORE);
});

it('an exception is drawn, holds for what comes below it later, and may be taken back', () => {
  const { index, scene, far, wall, look } = see();
  expect(look()).toEqual(HIDDEN);
  index.occlude(far, false);
  expect(look()).toEqual(ONE_MORE);
  index.occlude(far, true);
  const group = new THREE.Group();
  expect(index.occlude(group, false)).toBe(false);
  scene.add(group.add(wall));
  expect(look().far).toBeGreaterThan(30);
  expect(index.occlude(group, true)).toBe(true);
  expect(look()).toEqual(HIDDEN);
});

/** Sets a property; returns what sets it back. */
function swap<T, K extends keyof T>(of: T, name: K, value: T[K]): () => void {
  const before = of[name];
  of[name] = value;
  return () => {
    of[name] = before;
  };
}

it.each<[string, (wall: Thing) => () => unknown]>([
  ['only shows its other side', ({ material }) => swap(material, 'side', THREE.BackSide)],
  ['has half of its triangles', ({ geometry }) => swap(geometry.drawRange, 'count', 3)],
  ['has another geometry', (wall) => swap(wall, 'geometry', new THREE.PlaneGeometry(0.1, 0.1))],
  ['can be seen through', ({ material }) => swap(material, 'transparent', true)],
  ['is not visible', (wall) => swap(wall, 'visible', false)],
  ['goes away', ({ position }) => swap(position, 'x', 500)],
  // By half a turn, without a rounding.
  ['turns its back', ({ quaternion }) => quaternion.set(0, 1, 0, 0) && (() => quaternion.identity())],
])('with all else at rest, a wall that %s hides nothing, and hides again when it is as before', (_what, act) => {
  const { wall, look } = see((far) =>
    Object.assign(far.parent?.children[0] as Thing, { geometry: new THREE.PlaneGeometry() }),
  );
  expect(look()).toEqual(HIDDEN);
  const undo = act(wall);
  expect(look().far).toBeGreaterThan(10);
  undo();
  expect(look()).toEqual(HIDDEN);
});

it('the buffer is as large as a picture asks for, and larger or smaller with the next', () => {
  const { scene, camera, look } = see();
  for (const [width, height, ...size] of [
    [1280, 720, 320, 176],
    [640, 640, 320, 320],
    [320, 180, 160, 88],
    [1280, 720, 320, 176],
  ]) {
    expect(look(Object.assign(new CanvasStandIn(), { width, height }))).toEqual(HIDDEN);
    const found = occlusionReports.get(scene)?.bufferOf(camera);
    expect([found?.width, found?.height]).toEqual(size);
  }
});

describe('explain', () => {
  it('says what hides an object, and why it is drawn behind others', () => {
    const { far, look, why } = see();
    far.position.set(22, 0, -30);
    look();
    expect(why()).toBe('It is hidden behind others.');
    far.material = new THREE.MeshBasicMaterial({ depthTest: false });
    look();
    expect(why()).toContain('its depthTest is false');
  });

  it.each<[why: string, begin: () => object | undefined, end?: () => unknown]>([
    ['WebAssembly SIMD is not available', () => void enableSimd(false), () => enableSimd(true)],
    ['there is no memory', () => void vi.spyOn(OcclusionBuffer, 'create').mockReturnValue(null), vi.restoreAllMocks],
    ['multisampled', () => new CanvasStandIn({ antialias: true })],
    ['too small', () => Object.assign(new CanvasStandIn(), { width: 40, height: 20 })],
  ])('says why nothing is hidden in a picture: %s', (what, begin, end) => {
    const { look, why } = see();
    expect(look(begin())).toEqual(ALL);
    expect(why()).toContain(what);
    end?.();
    expect(look()).toEqual(HIDDEN);
  });

  it('says so of cameras of several views', () => {
    const { scene, camera, look, why } = see();
    const pair = new THREE.ArrayCamera([camera.clone(), camera.clone()]);
    drawn(scene, pair);
    expect(why(pair)).toContain('several views');
    expect(look()).toEqual(HIDDEN);
  });
});

it.each<['far' | 'near', object]>([
  ['far', { depthFunc: THREE.GreaterDepth }],
  ['near', { depthFunc: THREE.AlwaysDepth }],
  ['near', { stencilWrite: true, stencilZFail: THREE.IncrementStencilOp }],
])('a thing that is %s and has %o lets nothing be hidden: what is drawn later may show', (place, values) => {
  const { look, ...seen } = see();
  const thing = seen[place];
  thing.material = new THREE.MeshBasicMaterial(values);
  expect(look()).toEqual(ALL);
  Object.assign(thing.material, { depthWrite: false, stencilWrite: false });
  expect(look().far).toBeLessThan(2);
});

it.each<[string, (near: Thing) => unknown]>([
  ['with a callback', (o) => Object.assign(o, { onBeforeRender: () => {} })],
  ['with a callback after it', (o) => Object.assign(o, { onAfterRender: () => {} })],
  [
    'with a callback of its material',
    (o) => Object.assign(o, { material: Object.assign(new THREE.MeshBasicMaterial(), { onBeforeRender: () => {} }) }),
  ],
  // Where samples are not known to be right.
  ['of glass', (o) => Object.assign(o, { material: new THREE.MeshPhysicalMaterial({ transmission: 1 }) })],
])('something in view %s lets nothing be hidden', (_what, act) => {
  const { near, look } = see();
  act(near);
  expect(look()).toEqual(ALL);
});

it('section planes let what they uncover be seen', () => {
  const { look } = see();
  const renderer = new CanvasStandIn();
  renderer.clippingPlanes.push(new THREE.Plane(new THREE.Vector3(0, 0, -1), -22));
  expect(look(renderer)).toEqual(ALL);
  expect(look()).toEqual(HIDDEN);
});

interface Yard {
  readonly scene: THREE.Scene;
  readonly walls: THREE.Mesh[];
}

/** A row of walls along x, and crates behind them. */
function makeYard(): Yard {
  const walls = Array.from({ length: 20 }, (_, i) => boxMesh(9 * i - 90, 0, -10));
  for (const wall of walls) wall.scale.set(8, 4, 0.5);
  const crates = Array.from({ length: 800 }, (_, i) => boxMesh(i / 4 - 100, 0, -14, 0.5));
  return { scene: new THREE.Scene().add(...walls, ...crates), walls };
}

/** Steps of a camera, or of the scene, and whether occluders are chosen anew then. */
const STEPS: readonly [string, (camera: THREE.PerspectiveCamera, yard: Yard) => void, isAnew: boolean][] = [
  ['goes a little', (camera) => camera.translateX(0.05), false],
  ['turns a little', (camera) => camera.rotateY(0.02), false],
  ['goes far', (camera) => camera.translateX(30), true],
  ['turns', (camera) => camera.rotateY(0.2), true],
  ['zooms', (camera) => Object.assign(camera, { fov: 30 }).updateProjectionMatrix(), true],
  ['sees another wall', (_, { scene, walls }) => scene.add(walls[10].clone()), true],
  ['no longer sees a wall', (_, { walls }) => walls[10].removeFromParent(), true],
  ['sees a wall move', (_, { walls }) => walls[10].translateY(0.1), false],
];

it.each(STEPS)('occluders are chosen anew, or not, when a camera %s', (_what, step, isAnew) => {
  const given = makeYard();
  const index = accelerate(given.scene, { occlusion: true });
  const camera = new THREE.PerspectiveCamera(60, 2, 0.1, 200);
  const choose = vi.spyOn(Occluders.prototype, 'choose');
  const seen = (): number => drawn(given.scene, camera).length;
  const first = seen();
  expect(first).toBeLessThan(index.cull(camera).length / 2);
  expect(choose).toHaveBeenCalledTimes(1);
  step(camera, given);
  seen();
  expect(choose).toHaveBeenCalledTimes(isAnew ? 2 : 1);
});

it.each([
  ['a projection', mapOf],
  ['an inverse', inverseOf],
])('where a camera is may be told by %s alone', (_what, told) => {
  const { scene } = makeYard();
  const yard = new THREE.Group().add(...scene.children);
  yard.position.set(600, 20, 0);
  yard.rotation.x = -Math.PI / 2;
  accelerate(scene.add(yard), { occlusion: true });
  const camera = new THREE.PerspectiveCamera(60, 2, 0.1, 200);
  camera.position.copy(yard.position);
  camera.rotation.copy(yard.rotation);
  const seen = drawn(scene, camera);
  expect(seen.length).toBeLessThan(50);
  const found = drawn(scene, told(camera));
  // Programs that add up larger numbers err by more.
  expect(found).toEqual(expect.arrayContaining(seen));
  expect(found.length).toBeLessThan(1.2 * seen.length);
});

it('a camera that goes on gets others after some pictures, and those that are there all the while', () => {
  const [{ scene }, twin] = [makeYard(), makeYard()];
  accelerate(scene, { occlusion: true });
  const camera = new THREE.PerspectiveCamera(60, 2, 0.1, 200);
  const choose = vi.spyOn(Occluders.prototype, 'choose');
  for (let picture = 0; picture < 24; picture++) {
    camera.translateX(0.01);
    accelerate(twin.scene, { occlusion: true });
    expect(drawn(scene, camera).length).toBe(drawn(twin.scene, camera).length);
  }
  expect(choose.mock.calls.length - 24).toBe(3);
});
