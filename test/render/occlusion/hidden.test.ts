import * as THREE from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AcceleratedScene, type AccelerateOptions, accelerate, enableSimd, explain } from '../../../src/index.js';
import { CanvasStandIn, drawn, loadOcclusion, wallScene } from '../../helpers/occlusion.js';

beforeAll(loadOcclusion);

interface Seen {
  readonly index: AcceleratedScene;
  readonly scene: THREE.Scene;
  readonly wall: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
  readonly camera: THREE.PerspectiveCamera;
  /** Numbers of things that are drawn before the wall and behind it. */
  look(renderer?: object): { near: number; far: number };
}

function see(options: AccelerateOptions = { occlusion: true }, prepare = (_scene: THREE.Scene): void => {}): Seen {
  const { scene, wall, camera } = wallScene();
  prepare(scene);
  const index = accelerate(scene, options);
  const look = (renderer?: object): { near: number; far: number } => {
    const names = drawn(scene, camera, renderer).map(({ name }) => name);
    const count = (word: string): number => names.filter((name) => name.startsWith(word)).length;
    return { near: count('near'), far: count('far') };
  };
  return { index, scene, wall: wall as Seen['wall'], camera, look };
}

const ALL = { near: 25, far: 75 };
const HIDDEN = { near: 25, far: 0 };

it('what lies behind a wall is not drawn', () => {
  expect(see({}).look()).toEqual(ALL);
  expect(see().look()).toEqual(HIDDEN);
});

function patched(): THREE.Material {
  return Object.assign(new THREE.MeshBasicMaterial(), { onBeforeCompile: () => {} });
}

function morphing(): THREE.BufferGeometry {
  const geometry = new THREE.BoxGeometry();
  geometry.morphAttributes.position = [geometry.attributes.position.clone()];
  return geometry;
}

function instancedBox(): THREE.InstancedBufferGeometry {
  return new THREE.InstancedBufferGeometry().copy(new THREE.BoxGeometry() as never);
}

function clippingGroup(): THREE.Group {
  return Object.assign(new THREE.Group(), { isClippingGroup: true });
}

/** What is done to the wall, after which it hides nothing. */
const WALLS: readonly [what: string, act: (wall: Seen['wall'], seen: Seen) => void][] = [
  ['transparent', ({ material }) => Object.assign(material, { transparent: true })],
  ['with holes', ({ material }) => Object.assign(material, { alphaTest: 0.5 })],
  ['hashed', ({ material }) => Object.assign(material, { alphaHash: true })],
  ['a wireframe', ({ material }) => Object.assign(material, { wireframe: true })],
  ['without depth', ({ material }) => Object.assign(material, { depthWrite: false })],
  ['without colour', ({ material }) => Object.assign(material, { colorWrite: false })],
  ['drawn through others', ({ material }) => Object.assign(material, { depthTest: false })],
  ['additive', ({ material }) => Object.assign(material, { blending: THREE.AdditiveBlending })],
  ['offset', ({ material }) => Object.assign(material, { polygonOffset: true })],
  ['under a stencil', ({ material }) => Object.assign(material, { stencilWrite: true })],
  ['of another depth function', ({ material }) => Object.assign(material, { depthFunc: THREE.AlwaysDepth })],
  ['with a material that is not visible', ({ material }) => Object.assign(material, { visible: false })],
  ['displaced', ({ material }) => Object.assign(material, { displacementMap: new THREE.Texture() })],
  [
    'with a depth function that needs equals',
    ({ material }) => Object.assign(material, { depthFunc: THREE.EqualDepth }),
  ],
  ['of alpha to coverage', ({ material }) => Object.assign(material, { alphaToCoverage: true })],
  ['of a shader of its own', (wall) => Object.assign(wall, { material: new THREE.ShaderMaterial() })],
  ['of a mesh that morphs', (wall) => Object.assign(wall, { geometry: morphing() })],
  ['of instanced attributes', (wall) => Object.assign(wall, { geometry: instancedBox() })],
  ['of another shader', ({ material }) => Object.assign(material, { onBeforeCompile: () => {} })],
  ['of nodes', ({ material }) => Object.assign(material, { colorNode: {}, version: 1 })],
  ['not visible', (wall) => Object.assign(wall, { visible: false })],
  ['on another layer', (wall) => wall.layers.set(3)],
  ['with callbacks', (wall) => Object.assign(wall, { onBeforeRender: () => {} })],
  ['of several materials', (wall) => Object.assign(wall, { material: Array(6).fill(wall.material) })],
  ['excepted', (wall, { index }) => index.occlude(wall, false)],
  ['in a LOD', (wall, { scene }) => scene.add(new THREE.LOD().addLevel(wall))],
  ['in a group with clipping planes', (wall, { scene }) => scene.add(clippingGroup().add(wall))],
  [
    'cut',
    ({ material }) => Object.assign(material, { clippingPlanes: [new THREE.Plane(new THREE.Vector3(1, 0, 0), 0)] }),
  ],
  ['aside', (wall) => wall.position.setX(500)],
];

it.each(WALLS)('a wall that is %s hides nothing', (_what, act) => {
  const seen = see();
  expect(seen.look()).toEqual(HIDDEN);
  act(seen.wall, seen);
  expect(seen.look().far).toBeGreaterThan(30);
});

/** What is done to a thing behind the wall, after which it is drawn. */
const THINGS: readonly [what: string, act: (thing: Seen['wall']) => void][] = [
  ['drawn through others', (o) => Object.assign(o, { material: new THREE.MeshBasicMaterial({ depthTest: false }) })],
  ['of another shader', (o) => Object.assign(o, { material: new THREE.ShaderMaterial() })],
  ['offset', (o) => Object.assign(o, { material: new THREE.MeshBasicMaterial({ polygonOffset: true }) })],
  ['of a patched shader', (o) => Object.assign(o, { material: patched() })],
  ['of a mesh that morphs', (o) => Object.assign(o, { geometry: morphing() })],
  ['of instanced attributes', (o) => Object.assign(o, { geometry: instancedBox() })],
  ['tested by the renderer', (o) => Object.assign(o, { occlusionTest: true })],
  [
    'of vertices far from the origin of its mesh',
    (o) => {
      o.geometry = o.geometry.clone().translate(5000, 0, 0);
      o.position.x -= 5000;
    },
  ],
  ['never culled', (o) => Object.assign(o, { frustumCulled: false })],
  ['before the wall', (o) => o.position.setZ(-10)],
];

const thingIn = (scene: THREE.Scene): Seen['wall'] => scene.getObjectByName('far 1') as Seen['wall'];

it.each(THINGS)('a thing that becomes %s is drawn', (_what, act) => {
  const { scene, look } = see();
  expect(look()).toEqual(HIDDEN);
  act(thingIn(scene));
  expect(look()).toEqual({ near: 25, far: 1 });
});

// What got another shape is drawn for a while in any case, until it is measured.
it.each(THINGS)('a thing that is %s from the start is drawn', (_what, act) => {
  const { look } = see(undefined, (scene) => act(thingIn(scene)));
  expect(look()).toEqual({ near: 25, far: 1 });
});

it('an excepted thing is drawn', () => {
  const { index, scene, look } = see();
  expect(look()).toEqual(HIDDEN);
  index.occlude(thingIn(scene), false);
  expect(look()).toEqual({ near: 25, far: 1 });
});

it('an exception holds for what comes below it later, and may be taken back', () => {
  const { index, scene, wall, look } = see();
  const group = new THREE.Group();
  expect(index.occlude(group, false)).toBe(false);
  scene.add(group);
  group.add(wall);
  expect(look().far).toBeGreaterThan(30);
  expect(index.occlude(group, true)).toBe(true);
  expect(look()).toEqual(HIDDEN);
});

describe('explain', () => {
  it('says what hides an object, and why it is drawn behind others', () => {
    const { index, scene, camera, look } = see();
    const far = scene.getObjectByName('far 1') as Seen['wall'];
    far.position.set(22, 0, -30);
    look();
    expect(explain(index, far, camera)).toEqual(['It is hidden behind others.']);
    far.material = new THREE.MeshBasicMaterial({ depthTest: false });
    look();
    expect(explain(index, far, camera).join()).toContain('its depthTest is false');
  });

  it('says that nothing is hidden without WebAssembly SIMD', () => {
    const { index, scene, camera, look } = see();
    const before = enableSimd(false);
    try {
      expect(look()).toEqual(ALL);
      const far = scene.getObjectByName('far 1') as THREE.Object3D;
      expect(explain(index, far, camera).join()).toContain('WebAssembly SIMD is not available');
    } finally {
      enableSimd(before);
    }
    expect(look()).toEqual(HIDDEN);
  });

  it('says why nothing is hidden in a picture', () => {
    const { index, scene, camera, look } = see();
    expect(look(new CanvasStandIn({ antialias: true }))).toEqual(ALL);
    expect(explain(index, scene.getObjectByName('far 1') as THREE.Object3D, camera).join()).toContain('multisampled');
  });
});

it.each([
  ['far', { depthFunc: THREE.GreaterDepth }],
  ['near', { depthFunc: THREE.AlwaysDepth }],
  ['near', { stencilWrite: true, stencilZFail: THREE.IncrementStencilOp }],
])('a thing that is %s and has %o lets nothing be hidden: what is drawn later may show', (name, values) => {
  const { scene, look } = see();
  const thing = scene.children.find((child) => child.name.startsWith(name)) as Seen['wall'];
  thing.material = new THREE.MeshBasicMaterial(values as object);
  expect(look()).toEqual(ALL);
  Object.assign(thing.material, { depthWrite: false, stencilWrite: false });
  expect(look().far).toBeLessThan(2);
});

it('objects and materials with callbacks in view let nothing be hidden', () => {
  for (const callback of ['onAfterRender', 'onBeforeRender']) {
    const { scene, look } = see();
    Object.assign(scene.getObjectByName('near 0') as THREE.Object3D, { [callback]: () => {} });
    expect(look()).toEqual(ALL);
  }
  const { scene, look } = see();
  const near = scene.getObjectByName('near 0') as THREE.Mesh;
  near.material = Object.assign(new THREE.MeshBasicMaterial(), { onBeforeRender: () => {} });
  expect(look()).toEqual(ALL);
});

it('section planes let what they uncover be seen', () => {
  const { look } = see();
  const renderer = new CanvasStandIn();
  renderer.clippingPlanes.push(new THREE.Plane(new THREE.Vector3(0, 0, -1), -22));
  expect(look(renderer)).toEqual(ALL);
  expect(look()).toEqual(HIDDEN);
});

it.each([null, 'yes', 1, { width: 320 }])('an option of %j is refused', (occlusion) => {
  expect(() => accelerate(new THREE.Scene(), { occlusion } as never)).toThrow(
    'accelerate.occlusion: must be a boolean',
  );
});

it('in tiny pictures, and for cameras of several views, nothing is hidden', () => {
  const { index, scene, camera, look } = see();
  const far = scene.getObjectByName('far 1') as THREE.Object3D;
  expect(look(Object.assign(new CanvasStandIn(), { width: 40, height: 20 }))).toEqual(ALL);
  expect(explain(index, far, camera).join()).toContain('too small');
  const pair = new THREE.ArrayCamera([camera.clone(), camera.clone()]);
  drawn(scene, pair);
  expect(explain(index, far, pair).join()).toContain('several views');
  expect(look()).toEqual(HIDDEN);
});
