import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { random } from '../helpers/random.js';
import { BatchTwin, eyeAt, openStudio, type Story, tellStory, type World, world } from './batching.js';

/** Edges may differ by rounding; stripes are hundreds of pixels. */
const studio = openStudio(160, { stencil: true });
const TOLERANCE = { most: 24, levels: 8 };

type Make = () => THREE.Material;
const basic = (properties: object): THREE.Material => new THREE.MeshBasicMaterial({ color: '#0f0', ...properties });

describe('colours are not merged across what is drawn between them', () => {
  const { AdditiveBlending: blending, ReplaceStencilOp: stencilZPass } = THREE;
  /** Materials with which it matters when something is drawn. */
  const ORDERED: [string, Make][] = [
    ['a mask', () => basic({ colorWrite: false })],
    ['a backdrop', () => basic({ depthWrite: false })],
    ['drawn through walls', () => basic({ depthTest: false })],
    ['drawn behind what is there', () => basic({ depthFunc: THREE.GreaterDepth })],
    ['added to what is there', () => basic({ blending })],
    ['drawn over what is there', () => basic({ depthFunc: THREE.AlwaysDepth })],
    [
      'a stencil',
      () => basic({ colorWrite: false, depthWrite: false, stencilWrite: true, stencilRef: 1, stencilZPass }),
    ],
  ];

  const camera = eyeAt(10, 8, 14);
  const plane = (material: THREE.Material) => new THREE.Mesh(new THREE.PlaneGeometry(6, 6), material);

  /** Meshes of two colours, of which the second was made after that of a wall through the midst of them. */
  function walled(between: Make, make: (material: THREE.Material) => THREE.Object3D = plane, isShown = true) {
    const [first, material, last] = [basic({ color: '#888' }), between(), basic({ color: '#f00' })];
    const stencilFunc = THREE.NotEqualStencilFunc;
    if (material.stencilWrite)
      for (const one of [first, last]) Object.assign(one, { stencilWrite: true, stencilRef: 1, stencilFunc });
    const made = world([first, last]);
    const wall = make(material);
    wall.lookAt(camera.position);
    wall.visible = isShown;
    made.scene.add(wall);
    return { ...made, wall };
  }
  type Walled = ReturnType<typeof walled>;
  const tell = (...story: Story<Walled>) => tellStory(studio, camera, story, { most: 8, levels: 8, frames: 2 });
  const show = ({ wall }: Walled): unknown => Object.assign(wall, { visible: true });

  it.each(ORDERED)('%s: they part in the picture in which it comes', async (_label, between) => {
    expect(await tell(() => walled(between, plane, false), show)).toEqual({ settled: 1, batched: 3 });
    await tell(
      () => walled(between),
      ({ wall }) => Object.assign(wall, { renderOrder: -1 }),
      ({ wall }) => wall.removeFromParent(),
      ({ wall, scene }) => scene.add(wall),
      // A member of the family is like it.
      ({ wall, materials }) =>
        Object.assign(materials[1], { colorWrite: false }) && Object.assign(wall, { visible: false }),
    );
  });

  it.each<[string, (material: THREE.Material) => THREE.Object3D]>([
    ['a mesh with a callback', (material) => Object.assign(plane(material), { onBeforeRender() {} })],
    [
      'an InstancedMesh',
      (material) => {
        const mesh = new THREE.InstancedMesh(new THREE.PlaneGeometry(6, 6), material, 1);
        mesh.setMatrixAt(0, new THREE.Matrix4());
        return mesh;
      },
    ],
    ['a level of a LOD', (material) => new THREE.LOD().addLevel(plane(material))],
    ['a mesh that is never culled', (material) => Object.assign(plane(material), { frustumCulled: false })],
    ['a child of a group', (material) => new THREE.Group().add(plane(material))],
  ])('%s', async (_label, wall) => {
    expect((await tell(() => walled(ORDERED[0][1], wall))).settled).toBe(3);
  });

  it.each(ORDERED)('%s, and what a renderer draws as it lies in the scene keeps its order', async (_label, between) => {
    studio.renderer.sortObjects = false;
    await tell(() => {
      const made = walled(between);
      // After half of the meshes.
      made.scene.children.splice(7, 0, made.scene.children.pop() as THREE.Object3D);
      return made;
    }, show);
    studio.renderer.sortObjects = true;
  });
});

describe('the same triangles drawn twice look as in plain three', () => {
  /** Where a single number of single precision is some 8e-6. */
  const PLACE = new THREE.Vector3(100, 20, -60);
  const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 100);
  camera.position.set(0.3, 0.2, 9).add(PLACE);
  camera.lookAt(PLACE);

  interface Knots extends World {
    readonly group: THREE.Group;
    readonly overlays: THREE.Mesh[];
  }

  function knots(base = basic({ color: '#888' })): Knots {
    const next = random(5);
    const made = world([base], [new THREE.TorusKnotGeometry(0.6, 0.25, 40, 8)], 24);
    const group = new THREE.Group().add(...made.meshes);
    group.position.copy(PLACE);
    made.scene.background = new THREE.Color('#fff');
    made.scene.add(group);
    for (const [i, mesh] of made.meshes.entries()) {
      mesh.position.set((i % 5) * 1.5 - 3, Math.floor(i / 5) * 1.5 - 3, next());
      mesh.rotation.set(next() * 6, next() * 6, 0);
      mesh.scale.setScalar(0.9 + next() / 3);
      mesh.castShadow = mesh.receiveShadow = false;
    }
    return { ...made, group, overlays: [] };
  }

  /** Draws some knots once more. */
  function overlay(
    made: Knots,
    material: THREE.Material,
    every: number,
    geometry = made.geometries[0],
    order = 0,
  ): Knots {
    for (let i = 0; i < made.meshes.length; i += every) {
      const mesh = Object.assign(new THREE.Mesh(geometry, material), { renderOrder: order });
      made.meshes[i].add(mesh);
      made.overlays.push(mesh);
    }
    return made;
  }

  const red = (properties: object = {}): THREE.Material => basic({ color: '#f00', ...properties });
  const glass = (properties: object = {}): THREE.Material => red({ transparent: true, opacity: 0.5, ...properties });
  const lit = (color: string): THREE.Material => new THREE.MeshLambertMaterial({ color, emissive: color });
  const wires = (properties: object = {}): THREE.Material => red({ wireframe: true, ...properties });
  const OFFSET = { polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -1 };
  const BASES = [red, () => lit('#999'), glass];

  it.each<[string, Make, order?: number]>([
    ['see-through', glass],
    ['see-through where depths are equal', () => glass({ depthFunc: THREE.EqualDepth })],
    ['opaque', red],
    ['opaque of another kind', () => lit('#f00')],
    ['opaque where depths are equal', () => red({ depthFunc: THREE.EqualDepth })],
    ['a wireframe', wires],
    ['a wireframe moved by polygonOffset', () => wires({ polygonOffset: true, polygonOffsetUnits: -1 })],
    ['moved by polygonOffset', () => red(OFFSET)],
    ['a mask, drawn first', () => red({ colorWrite: false }), -1],
  ])('%s', async (_label, make, order = 0) => {
    for (const [k, base] of BASES.entries()) {
      // On all knots or on one: of either in turns, as each pair is enough.
      const story: Story<Knots> = [() => overlay(knots(base()), make(), k === 1 ? 1 : 30, undefined, order), () => {}];
      await tellStory(studio, camera, story, TOLERANCE);
    }
  });

  /** Geometries that draw the triangles of another. */
  it.each<[string, (geometry: THREE.BufferGeometry) => THREE.BufferGeometry, Make]>([
    ['the same geometry', (geometry) => geometry, wires],
    [
      'another geometry with the same attributes',
      (g) => Object.assign(new THREE.BufferGeometry(), { attributes: g.attributes }).setIndex(g.index),
      glass,
    ],
    [
      'another index on the same positions',
      ({ attributes, index }) => {
        const half = Array.from((index as THREE.BufferAttribute).array).slice(0, 600);
        return new THREE.BufferGeometry().setAttribute('position', attributes.position).setIndex(half);
      },
      () => lit('#f00'),
    ],
    ['a copy', (geometry) => geometry.clone(), glass],
  ])('of %s', async (_label, copy, material) => {
    for (const every of [1, 30]) {
      const make = () => {
        const made = knots();
        return overlay(made, material(), every, copy(made.geometries[0]));
      };
      await tellStory(studio, camera, [make, () => {}], TOLERANCE);
    }
  });

  const overlays =
    (change: (overlay: THREE.Mesh, i: number) => void) =>
    (made: Knots): void =>
      made.overlays.forEach(change);
  const toggle = overlays((overlay, i) => {
    if (i % 2 === 0) overlay.visible = !overlay.visible;
  });
  const leave = (kept: number) => overlays((overlay, i) => i >= kept && overlay.removeFromParent());
  const atDepth = (z: number) => overlays(({ position }) => position.setZ(z));
  const move = ({ meshes, group }: Knots): void => {
    for (const mesh of meshes) mesh.rotation.x += 0.1;
    group.position.x += 0.01;
  };
  /** With every second knot of a colour that is drawn after what lies on them, which they replace. */
  const late = (z = 0): Knots => {
    const made = overlay(knots(), lit('#f00'), 1);
    const blue = basic({ color: '#00f' });
    for (let i = 0; i < made.meshes.length; i += 2) made.meshes[i].material = blue;
    atDepth(z)(made);
    return made;
  };
  const grouped = (second: THREE.Material): Knots => {
    const made = knots();
    const [geometry] = made.geometries;
    const { count } = geometry.index as THREE.BufferAttribute;
    geometry.addGroup(0, count, 0);
    geometry.addGroup(count / 2, count / 2, 1);
    for (const mesh of made.meshes) mesh.material = [mesh.material as THREE.Material, second];
    return made;
  };
  const casting = (isLate: boolean): Knots => {
    const [early, top, late] = ['#888', '#f00', '#0f0'].map((color) => basic({ color }));
    const made = knots(isLate ? late : early);
    for (const mesh of made.meshes) mesh.castShadow = true;
    return overlay(made, top, 1);
  };

  it.each(
    Object.entries<Story<Knots>>({
      'some are added to all at once, hidden and shown, moved, mirrored, and removed': [
        knots,
        (made) => overlay(made, lit('#f00'), 1),
        ...[toggle, toggle, toggle, leave(3), move, move],
        ({ group }) => group.scale.set(-1.1, 1.1, 1.1),
        leave(0),
      ],
      'colours are merged across what is drawn in between': [late],
      'batches that never shared a place come to share one': [() => late(-3), ...[0, -3, 0].map(atDepth)],
      'groups of one geometry overlap, seen through': [() => grouped(glass()), () => {}],
      'groups of one geometry overlap, with wires': [() => grouped(wires()), () => {}],
      'what lies on top casts no shadow': [() => casting(false), () => {}],
      'what lies on top of a colour that comes later casts no shadow': [() => casting(true), () => {}],
    }),
  )('where %s', async (_label, story) => {
    await tellStory(studio, camera, story, { ...TOLERANCE, frames: 3 });
  });

  it('where only one of two cameras sees what is drawn on top', async () => {
    const other = camera.clone();
    other.layers.enable(3);
    const make = () => {
      const made = overlay(knots(), glass(), 5);
      overlays((overlay) => overlay.layers.set(3))(made);
      return made;
    };
    const twin = new BatchTwin(studio, make, TOLERANCE);
    await twin.settle(camera);
    for (let i = 0; i < 3; i++) {
      twin.frame('without', camera);
      expect(twin.calls.batched).toBe(1);
      twin.frame('with', other);
    }
  });
});
