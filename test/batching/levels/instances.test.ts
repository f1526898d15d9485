import {
  BoxGeometry,
  type BufferGeometry,
  type Camera,
  Color,
  DirectionalLight,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  PerspectiveCamera,
  PlaneGeometry,
  Raycaster,
  Sphere,
  SpotLight,
  TorusKnotGeometry,
  Vector3,
} from 'three';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { report } from '../../../src/index.js';
import { CanvasStandIn, loadOcclusion } from '../../helpers/occlusion.js';
import { cameraPass, casterPasses, frustumOf, SHADOW_MAP, withinRender } from '../../helpers/passes.js';
import { random } from '../../helpers/random.js';
import { Sight } from '../../helpers/sights.js';
import { loadAllBatching } from '../Stage.js';
import { Crowd, HEIGHT, knot } from './Crowd.js';

beforeAll(loadAllBatching);
afterEach(() => vi.restoreAllMocks());

/** So many instances of a geometry, from near the origin to far away. */
function forest(count: number, seed: number, geometry: BufferGeometry = knot): InstancedMesh {
  const next = random(seed);
  const mesh = new InstancedMesh(geometry, new MeshStandardMaterial(), count);
  mesh.castShadow = true;
  const matrix = new Matrix4();
  const turn = new Matrix4();
  for (let i = 0; i < count; i++) {
    matrix.makeTranslation(200 * (next() - 0.5), 60 * (next() - 0.5), -5 - 400 * next() ** 2);
    const size = 0.2 + 2 * next();
    matrix.multiply(turn.makeRotationX(6 * next())).scale(new Vector3(size, size * (0.5 + next()), size));
    mesh.setMatrixAt(i, matrix);
    mesh.setColorAt(i, new Color(next(), next(), next()));
  }
  return mesh;
}

function lens(z = 0): PerspectiveCamera {
  const camera = new PerspectiveCamera(50, 2, 0.1, 1000);
  camera.position.z = z;
  camera.updateMatrixWorld();
  return camera;
}

interface DrawnInstance {
  readonly geometry: BufferGeometry;
  readonly count: number;
}

const countOf = ({ index, attributes }: BufferGeometry): number => (index ?? attributes.position).count;
const isOf = (mesh: InstancedMesh, object: Object3D): boolean =>
  object === mesh || Object.prototype.isPrototypeOf.call(mesh, object);

/**
 * The instances of a mesh that some drawn objects show, by number: each once, with its own matrix and colour, and by
 * triangles of the vertices that the mesh has now.
 */
function instancesOf(mesh: InstancedMesh, objects: readonly Object3D[]): Map<number, DrawnInstance> {
  const ids = new Map<string, number>();
  for (let id = 0; id < mesh.count; id++) ids.set(mesh.instanceMatrix.array.slice(16 * id, 16 * id + 16).join(), id);
  expect(ids.size).toBe(mesh.count);
  const shown = new Map<number, DrawnInstance>();
  for (const object of objects as InstancedMesh[]) {
    if (!isOf(mesh, object)) continue;
    const { geometry, count, instanceMatrix, instanceColor, material } = object;
    expect(material).toBe(mesh.material);
    for (const [name, attribute] of Object.entries(mesh.geometry.attributes))
      expect(geometry.attributes[name]).toBe(attribute);
    if (geometry.index !== null)
      expect(Math.max(...geometry.index.array)).toBeLessThan(geometry.attributes.position.count);
    for (let i = 0; i < count; i++) {
      const id = ids.get(instanceMatrix.array.slice(16 * i, 16 * i + 16).join()) as number;
      expect(id).toBeDefined();
      expect(shown.has(id)).toBe(false);
      const color = (of: InstancedMesh, at: number): string =>
        String(of.instanceColor?.array.slice(3 * at, 3 * at + 3));
      if (instanceColor !== null) expect(color(object, i)).toBe(color(mesh, id));
      shown.set(id, { geometry, count: countOf(geometry) });
    }
  }
  return shown;
}

/** A picture of a camera, and all that is told of it. */
function drawn(crowd: Crowd, camera: Camera): Object3D[] {
  const { renderer, scene } = crowd;
  camera.updateMatrixWorld();
  scene.updateMatrixWorld();
  return withinRender(renderer, scene, camera, () => cameraPass(scene, camera, frustumOf(camera)).drawn).map(
    ({ object }) => object,
  );
}

async function settled(mesh: InstancedMesh, options = {}, levels = {}): Promise<Crowd> {
  const crowd = new Crowd([mesh], levels, options);
  const camera = lens();
  await crowd.settle(camera);
  // The index of the instances may come after their levels.
  for (let i = 0; i < 3; i++) drawn(crowd, camera);
  return crowd;
}

/** The ball around an instance, and by how much it is stretched: no vector is by more than both matrices stretch any. */
function ballOf(mesh: InstancedMesh, id: number): { ball: Sphere; scale: number } {
  const matrix = new Matrix4();
  mesh.getMatrixAt(id, matrix);
  const scale = matrix.getMaxScaleOnAxis() * mesh.matrixWorld.getMaxScaleOnAxis();
  const { center, radius } = mesh.geometry.boundingSphere as Sphere;
  matrix.premultiply(mesh.matrixWorld);
  return { ball: new Sphere(center.clone().applyMatrix4(matrix), scale * radius), scale };
}

function isSeen(mesh: InstancedMesh, id: number, camera: Camera): boolean {
  const matrix = new Matrix4();
  mesh.getMatrixAt(id, matrix);
  const ball = (mesh.geometry.boundingSphere as Sphere).clone();
  return frustumOf(camera).intersectsSphere(ball.applyMatrix4(matrix.premultiply(mesh.matrixWorld)));
}

interface Chain {
  readonly counts: readonly number[];
  readonly errors: readonly number[];
}

/** The levels that were made of a mesh. */
function levelsOf(crowd: Crowd, mesh: Mesh): Chain {
  const instances = crowd.batches.groups.levels?.instances.get(mesh) as never as {
    first: { part: { levels: Chain } };
  };
  return instances.first.part.levels;
}

/** How a camera sees, and by how many pixels levels may be off there. */
type Limit = readonly [sight: Sight, maxError: number];
const inPicture = (camera: Camera, maxError = 0.5): Limit => [new Sight(camera, [2 * HEIGHT, HEIGHT]), maxError];
const inMap = ({ shadow }: DirectionalLight | SpotLight, maxError = 1): Limit => [
  new Sight((shadow as NonNullable<typeof shadow>).camera, [SHADOW_MAP, SHADOW_MAP]),
  maxError,
];

/** Compares how instances are drawn with the finest of the levels that some views ask for; says which levels are used. */
function expectLevels(
  crowd: Crowd,
  mesh: InstancedMesh,
  objects: readonly Object3D[],
  frustum: Camera,
  limits: readonly Limit[],
): Set<number> {
  const shown = instancesOf(mesh, objects);
  const { counts, errors } = levelsOf(crowd, mesh);
  const used = new Set<number>();
  for (let id = 0; id < mesh.count; id++) {
    const one = shown.get(id);
    if (one === undefined) {
      expect(isSeen(mesh, id, frustum), String(id)).toBe(false);
      continue;
    }
    const { ball, scale } = ballOf(mesh, id);
    const level = (slack: number): number =>
      Math.min(
        ...limits.map(
          ([sight, maxError]) =>
            errors.filter((error) => error * scale * sight.unitOf(ball) <= maxError * slack).length,
        ),
      );
    const all = [countOf(mesh.geometry), ...counts];
    expect([all[level(1 - 1e-5)], all[level(1 + 1e-5)]], String(id)).toContain(one.count);
    used.add(all.indexOf(one.count));
  }
  return used;
}

/** Everything in view is drawn, with whatever geometry. */
function expectAllShown(mesh: InstancedMesh, objects: readonly Object3D[], camera: Camera): Map<number, DrawnInstance> {
  const shown = instancesOf(mesh, objects);
  for (let id = 0; id < mesh.count; id++) if (isSeen(mesh, id, camera)) expect(shown.has(id), String(id)).toBe(true);
  return shown;
}

const isAllFine = (mesh: InstancedMesh, objects: readonly Object3D[]): boolean =>
  objects.filter((object) => isOf(mesh, object)).every((object) => (object as Mesh).geometry === mesh.geometry);

describe('instances by levels of detail', () => {
  it.each([3, 400])(
    '%d of them: each in view is drawn once, by the coarsest level that is off by at most half a pixel',
    async (count) => {
      const mesh = forest(count, 7);
      mesh.position.set(3, 1, 0);
      mesh.scale.set(1.5, 1, 1);
      const crowd = await settled(mesh);
      const camera = lens();
      const objects = drawn(crowd, camera);
      expect(levelsOf(crowd, mesh).counts.length).toBeGreaterThan(2);
      const used = expectLevels(crowd, mesh, objects, camera, [inPicture(camera)]);
      expect(used.size).toBeGreaterThan(count > 3 ? 3 : 0);
      expect(crowd.say(mesh, camera)).toMatch(/Its instances have \d+ levels of detail: in the last picture/);
      const shown = [...instancesOf(mesh, objects).values()];
      const [{ triangles }] = report(crowd.index).filter(({ reason }) => /drawn by levels/.test(reason));
      const sum = shown.reduce((total, one) => total + one.count / 3, 0);
      expect(triangles).toEqual({ drawn: sum, spared: (shown.length * countOf(knot)) / 3 - sum });
    },
  );

  it.each([0, 2])('with a maxError of %d, set while it runs', async (maxError) => {
    const mesh = forest(100, 8);
    const crowd = await settled(mesh);
    crowd.index.maxError = maxError;
    const camera = lens();
    const used = expectLevels(crowd, mesh, drawn(crowd, camera), camera, [inPicture(camera, maxError)]);
    if (maxError === 0) expect(used).toEqual(new Set([0]));
  });

  it.each([false, true])('shadow maps, kept ones: %s', async (keepShadows) => {
    const mesh = forest(200, 9);
    const crowd = new Crowd([mesh], {}, { keepShadows });
    const lights = [new DirectionalLight(), new SpotLight(0xffffff, 1, 0, 0.6)];
    lights[0].position.set(0, 300, -100);
    const { shadow } = lights[0] as DirectionalLight;
    Object.assign(shadow.camera, { left: -90, right: 90, top: 90, bottom: -90, far: 600 }).updateProjectionMatrix();
    // Nearer to the far instances than the cameras.
    lights[1].position.set(0, 60, -420);
    for (const light of lights) {
      light.target.position.set(0, 0, light.position.z);
      light.target.position.z += 20;
      light.castShadow = true;
      crowd.scene.add(light, light.target);
    }
    await crowd.settle(lens());
    const draw = (camera: Camera): Map<Object3D, Object3D[]> =>
      casterPasses(crowd.renderer as never, crowd.scene, camera);
    for (let i = 0; i < 10; i++) draw(lens());
    const cameras = [0, -90, 50, 300, 60, 250].map(lens);
    for (const away of cameras.slice(2)) away.rotation.y = Math.PI;
    for (const [i, camera] of cameras.entries()) {
      // A kept map is drawn when something in it has changed.
      mesh.setMatrixAt(0, new Matrix4().makeTranslation(0, 0, -60 - i));
      mesh.instanceMatrix.needsUpdate = true;
      const passes = draw(camera);
      const seen = passes.get(camera) as Object3D[];
      if (i < 2) expectLevels(crowd, mesh, seen, camera, [inPicture(camera)]);
      else expect(instancesOf(mesh, seen).size).toBe(0);
      for (const light of lights) {
        const limits = keepShadows ? [inMap(light)] : [inMap(light), inPicture(camera)];
        const used = expectLevels(crowd, mesh, passes.get(light) as Object3D[], light.shadow?.camera as Camera, limits);
        expect(used.size).toBeGreaterThan(3);
      }
    }
  });

  it('a camera that goes back and forth changes no level twice', async () => {
    const mesh = forest(250, 10);
    const crowd = await settled(mesh);
    const camera = lens();
    const last = new Map<number, number>();
    let changes = 0;
    for (let step = 0; step < 40; step++) {
      camera.position.z = 2 * Math.sin(step);
      camera.updateMatrixWorld();
      const [sight] = inPicture(camera);
      const { errors, counts } = levelsOf(crowd, mesh);
      for (const [id, { count }] of expectAllShown(mesh, drawn(crowd, camera), camera)) {
        const { ball, scale } = ballOf(mesh, id);
        const near = ball.center.distanceTo(camera.position) - ball.radius;
        const before = last.get(id) ?? count;
        if (step > 8 && near > 60 && before !== count) changes++;
        last.set(id, count);
        const off = errors[counts.indexOf(count)] ?? 0;
        expect(off * scale * sight.unitOf(ball)).toBeLessThanOrEqual(0.5 * (1 + 1e-5));
      }
    }
    expect(last.size).toBeGreaterThan(30);
    expect(changes).toBe(0);
  });
});

const thick = new TorusKnotGeometry(1, 0.5, 90, 20);
const inGroups = (geometry: BufferGeometry, split: number): BufferGeometry => {
  const grouped = geometry.clone();
  grouped.addGroup(0, split, 0);
  grouped.addGroup(split, Number.POSITIVE_INFINITY, 1);
  return grouped;
};

/** Edits of a mesh that is drawn by levels, the sentence said at once, and whether levels come again. */
const EDITS: readonly [
  what: string,
  edit: (mesh: InstancedMesh, crowd: Crowd) => unknown,
  says: RegExp,
  isAgain: boolean,
][] = [
  [
    'positions that are scaled',
    ({ geometry }) => {
      geometry.attributes.position.applyMatrix4(new Matrix4().makeScale(2, 2, 2));
      geometry.attributes.position.needsUpdate = true;
      geometry.computeBoundingSphere();
    },
    /changed a short time ago/,
    true,
  ],
  [
    'another index',
    ({ geometry }) => geometry.setIndex([...(knot.index as never as { array: number[] }).array].slice(0, 9000)),
    /changed a short/,
    true,
  ],
  ['no index', ({ geometry }) => geometry.setIndex(null), /levels/, false],
  [
    'another geometry',
    (mesh) => Object.assign(mesh, { geometry: thick.clone() }) && mesh.geometry.computeBoundingSphere(),
    /yet to be made/,
    true,
  ],
  [
    'a geometry whose buffers are freed',
    ({ geometry }) => geometry.dispose(),
    /levels of detail: in the last picture/,
    true,
  ],
  [
    'another attribute',
    ({ geometry }) => geometry.setAttribute('normal', geometry.attributes.normal.clone()),
    /changed a short/,
    true,
  ],
  [
    'another material',
    (mesh) => Object.assign(mesh, { material: new MeshStandardMaterial() }),
    /in the last picture/,
    true,
  ],
  ['a part of the geometry', ({ geometry }) => geometry.setDrawRange(0, 300), /part of its geometry/, false],
  ['alphaTest', ({ material }) => Object.assign(material, { alphaTest: 0.5 }), /alphaTest/, false],
  [
    'a transparent material',
    ({ material }) => Object.assign(material, { transparent: true }),
    /depend on their order/,
    false,
  ],
  ['frustumCulled', (mesh) => Object.assign(mesh, { frustumCulled: false }), /frustumCulled/, false],
  ['onBeforeRender', (mesh) => Object.assign(mesh, { onBeforeRender() {} }), /onBeforeRender/, false],
  [
    'an instanced attribute',
    ({ geometry }) => geometry.setAttribute('extra', new InstancedBufferAttribute(new Float32Array(600), 1)),
    /instanced/,
    false,
  ],
  [
    'morph targets',
    (mesh) => {
      mesh.geometry = mesh.geometry.clone();
      mesh.geometry.morphAttributes.position = [mesh.geometry.attributes.position.clone() as never];
      mesh.updateMorphTargets();
    },
    /morph/,
    false,
  ],
  ['a rule', (mesh, { index }) => index.levels(mesh, false), /switched off/, false],
  ['a rule for all', (_, { index, scene }) => index.levels(scene, false), /switched off/, false],
  ['fewer instances', (mesh) => Object.assign(mesh, { count: 5 }), /in the last picture/, true],
  [
    'an instance that has moved',
    (mesh) => {
      mesh.setMatrixAt(3, new Matrix4().makeTranslation(0, 0, -4));
      mesh.instanceMatrix.needsUpdate = true;
    },
    /in the last picture/,
    true,
  ],
  [
    'other matrices',
    (mesh) => Object.assign(mesh, { instanceMatrix: forest(80, 12).instanceMatrix }),
    /in the last picture/,
    true,
  ],
  ['a mesh that is turned', (mesh) => mesh.rotation.set(0, 0.2, 0), /in the last picture/, true],
];

it.each(EDITS)('%s: drawn as it is at once', async (_what, edit, says, isAgain) => {
  const mesh = forest(80, 11, knot.clone());
  const crowd = await settled(mesh);
  const camera = lens();
  expect(isAllFine(mesh, drawn(crowd, camera))).toBe(false);
  edit(mesh, crowd);
  const objects = drawn(crowd, camera);
  expectAllShown(mesh, objects, camera);
  const isLeveled = /in the last picture/.test(String(says));
  if (!isLeveled) expect(isAllFine(mesh, objects)).toBe(true);
  expect(crowd.say(mesh, camera)).toMatch(says);
  await crowd.settle(camera);
  const fresh = lens();
  const later = drawn(crowd, fresh);
  expect(isAllFine(mesh, later)).toBe(!isAgain);
  if (isAgain) expectLevels(crowd, mesh, later, fresh, [inPicture(fresh)]);
  else expectAllShown(mesh, later, fresh);
});

/** Triangles of what is drawn of a mesh, by material, each as its corners. */
function expectCovers(mesh: InstancedMesh, geometry: BufferGeometry): void {
  if (!Array.isArray(mesh.material)) {
    expect(geometry.groups).toEqual(geometry === mesh.geometry ? mesh.geometry.groups : []);
    return;
  }
  const kinds = ({ groups }: BufferGeometry): (number | undefined)[] =>
    groups.map(({ materialIndex }) => materialIndex);
  expect(kinds(geometry)).toEqual(kinds(mesh.geometry));
  let end = 0;
  for (const { start, count } of geometry.groups) {
    expect(start).toBe(end);
    end = Math.min(start + count, countOf(geometry));
    expect(end).toBeGreaterThan(start);
  }
  expect(end).toBe(countOf(geometry));
}

it.each<[what: string, make: () => BufferGeometry, paints: number]>([
  ['a geometry without an index', () => knot.toNonIndexed(), 1],
  ['two materials', () => inGroups(knot, 6000), 2],
  ['two materials, one of which has few triangles', () => inGroups(knot, 300), 2],
  ['two materials and no index', () => inGroups(knot.toNonIndexed(), 6000), 2],
  ['groups of one material', () => inGroups(knot, 6000), 1],
])('%s', async (_what, make, paints) => {
  const mesh = forest(120, 13, make());
  if (paints > 1) mesh.material = Array.from({ length: paints }, () => new MeshStandardMaterial()) as never;
  const crowd = await settled(mesh);
  const camera = lens();
  const shown = expectAllShown(mesh, drawn(crowd, camera), camera);
  const geometries = new Set([...shown.values()].map(({ geometry }) => geometry));
  expect(geometries.size).toBeGreaterThan(3);
  for (const geometry of geometries) expectCovers(mesh, geometry);
  expect(crowd.say(mesh, camera)).toMatch(/\d+ levels of detail: in the last picture/);
  if (paints === 1) expectLevels(crowd, mesh, drawn(crowd, lens()), camera, [inPicture(camera)]);
});

const sum = (shown: ReadonlyMap<number, DrawnInstance>): number =>
  [...shown.values()].reduce((total, { count }) => total + count, 0);

it('a mesh comes and goes, and its children are drawn once', async () => {
  const mesh = forest(60, 14);
  const child = new Mesh(new BoxGeometry(), new MeshStandardMaterial());
  child.position.z = -20;
  const grandchild = child.clone();
  mesh.add(child.add(grandchild));
  const crowd = await settled(mesh);
  const camera = lens();
  const expectOnce = (isHere: boolean): void => {
    const objects = drawn(crowd, camera);
    if (isHere) expectAllShown(mesh, objects, camera);
    else expect(instancesOf(mesh, objects).size).toBe(0);
    for (const one of [child, grandchild])
      expect(objects.filter((object) => object === one || Object.getPrototypeOf(object) === one).length).toBe(
        Number(isHere),
      );
  };
  expectOnce(true);
  const first = sum(instancesOf(mesh, drawn(crowd, camera)));
  for (let i = 0; i < 3; i++) {
    mesh.removeFromParent();
    expectOnce(false);
    expect(report(crowd.index).filter(({ triangles }) => triangles)).toEqual([]);
    crowd.scene.add(mesh);
    for (let k = 0; k < 4; k++) expectOnce(true);
    expect(sum(instancesOf(mesh, drawn(crowd, lens())))).toBe(first);
  }
  crowd.index.dispose();
  expect(drawn(crowd, camera).filter((object) => isOf(mesh, object))).toEqual([mesh]);
});

/** Edits while a picture has been listed, and is not drawn yet. */
const AMID: readonly [what: string, act: (mesh: InstancedMesh, crowd: Crowd) => unknown][] = [
  ['the mesh is removed', (mesh) => mesh.removeFromParent()],
  ['the index is disposed', (_, { index }) => index.dispose()],
  [
    'another picture is drawn with another material',
    (mesh, crowd) => {
      const { material } = mesh;
      mesh.material = new MeshStandardMaterial({ alphaTest: 0.5 });
      drawn(crowd, lens(3));
      mesh.material = material;
    },
  ],
  [
    'another picture is drawn of another geometry',
    (mesh, crowd) => {
      const { geometry } = mesh;
      mesh.geometry = thick;
      drawn(crowd, lens(3));
      mesh.geometry = geometry;
    },
  ],
  [
    'a rule is set, and another picture is drawn',
    (mesh, crowd) => {
      crowd.index.levels(mesh, false);
      drawn(crowd, lens(3));
    },
  ],
  [
    'levels are edited away by a flag, and another picture is drawn',
    (mesh, crowd) => {
      mesh.frustumCulled = false;
      drawn(crowd, lens(3));
    },
  ],
];

it.each(AMID)('a picture in progress shows all instances where %s', async (_what, act) => {
  const mesh = forest(60, 15, knot.clone());
  const crowd = await settled(mesh);
  const camera = lens();
  const { renderer, scene } = crowd;
  withinRender(renderer, scene, camera, () => {
    const objects = cameraPass(scene, camera, frustumOf(camera)).drawn.map(({ object }) => object);
    // Renderers keep the geometry of what they have listed.
    const listed = objects.map((object) => (object as Mesh).geometry);
    expect(new Set(listed).size).toBeGreaterThan(3);
    act(mesh, crowd);
    for (const geometry of listed) {
      expect(geometry.attributes.position).toBeDefined();
      expect(geometry.index).not.toBeNull();
    }
    expectAllShown(mesh, objects, camera);
  });
  for (let i = 0; i < 3; i++) drawn(crowd, camera);
});

it('the report counts what the last picture shows', async () => {
  const mesh = forest(60, 16);
  const crowd = await settled(mesh);
  const count = (): object | undefined => report(crowd.index).find(({ triangles }) => triangles)?.triangles;
  drawn(crowd, lens());
  expect(count()).not.toEqual({ drawn: 0, spared: 0 });
  drawn(crowd, lens(5000));
  expect(count()).toEqual({ drawn: 0, spared: 0 });
  mesh.visible = false;
  drawn(crowd, lens());
  expect(count()).toEqual({ drawn: 0, spared: 0 });
});

it('instances are hidden behind a wall as without levels', async () => {
  await loadOcclusion();
  const mesh = forest(300, 17);
  const wall = new Mesh(new PlaneGeometry(60, 40), new MeshStandardMaterial());
  wall.position.z = -30;
  const crowd = new Crowd([mesh, wall], {}, { occlusion: true, batch: true });
  Object.assign(crowd.renderer, new CanvasStandIn(), {
    getContext: () => ({ getContextAttributes: () => ({ antialias: false, depth: true }), getParameter: () => 24 }),
    getRenderTarget: () => null,
    getCurrentViewport: (to: { set(...given: number[]): unknown }) => to.set(0, 0, 2 * HEIGHT, HEIGHT),
    render() {},
  });
  const camera = lens();
  await crowd.settle(camera);
  for (let i = 0; i < 5; i++) drawn(crowd, camera);
  const shown = instancesOf(mesh, drawn(crowd, camera));
  const ray = new Raycaster();
  let hidden = 0;
  for (let id = 0; id < mesh.count; id++) {
    if (!isSeen(mesh, id, camera) || shown.has(id)) continue;
    hidden++;
    const { ball } = ballOf(mesh, id);
    ray.set(camera.position, ball.center.clone().normalize());
    expect(ray.intersectObject(wall).length, String(id)).toBe(1);
    expect(ball.center.z).toBeLessThan(-30);
  }
  expect(hidden).toBeGreaterThan(20);
});

it('a mesh that has come back keeps its levels when those from before are disposed of', async () => {
  const mesh = forest(300, 5);
  const crowd = await settled(mesh);
  const instances = crowd.batches.groups.levels?.instances as Map<Object3D, { dispose(): void }>;
  const before = instances.get(mesh);
  mesh.removeFromParent();
  drawn(crowd, lens());
  crowd.scene.add(mesh);
  for (let i = 0; i < 3; i++) drawn(crowd, lens());
  const now = instances.get(mesh);
  expect([before, now].map(Boolean)).toEqual([true, true]);
  expect(now).not.toBe(before);
  before?.dispose();
  expect(instances.get(mesh)).toBe(now);
});
