import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { random } from '../helpers/random.js';
import { BatchTwin, openStudio, type Story, tellStory } from './batching.js';

/** Edges may differ by rounding; stripes are hundreds of pixels. */
const studio = openStudio(160);
const TOLERANCE = { most: 24, levels: 8 };

/** Where a single number of single precision is some 8e-6. */
const PLACE = new THREE.Vector3(100, 20, -60);

const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 100);
camera.position.set(0.3, 0.2, 9).add(PLACE);
camera.lookAt(PLACE);

interface Look {
  readonly base?: () => THREE.Material;
  readonly count?: number;
}

/** Knots, each of which may get another mesh of the same triangles. */
class Knots {
  readonly scene: THREE.Scene = new THREE.Scene();
  readonly geometry: THREE.BufferGeometry = new THREE.TorusKnotGeometry(0.6, 0.25, 40, 8);
  readonly group: THREE.Group = new THREE.Group();
  readonly meshes: THREE.Mesh[] = [];
  readonly overlays: THREE.Mesh[] = [];

  constructor({ base = () => new THREE.MeshBasicMaterial({ color: '#888' }), count = 24 }: Look = {}) {
    this.scene.background = new THREE.Color('#fff');
    const next = random(5);
    const material = base();
    this.group.position.copy(PLACE);
    this.scene.add(this.group);
    for (let i = 0; i < count; i++) {
      const mesh = new THREE.Mesh(this.geometry, material);
      mesh.position.set((i % 5) * 1.5 - 3, Math.floor(i / 5) * 1.5 - 3, next());
      mesh.rotation.set(next() * 6, next() * 6, 0);
      mesh.scale.setScalar(0.9 + next() / 3);
      this.group.add(mesh);
      this.meshes.push(mesh);
    }
  }

  /** Draws some knots once more. */
  overlay(material: THREE.Material, { every = 5, geometry = this.geometry, order = 0 } = {}): this {
    for (let i = 0; i < this.meshes.length; i += every) {
      const overlay = new THREE.Mesh(geometry, material);
      overlay.renderOrder = order;
      this.meshes[i].add(overlay);
      this.overlays.push(overlay);
    }
    return this;
  }
}

const red = (properties: object = {}): THREE.Material => new THREE.MeshBasicMaterial({ color: '#f00', ...properties });
const glass = (properties: object = {}): THREE.Material => red({ transparent: true, opacity: 0.5, ...properties });
const lit = (color: string): THREE.Material => new THREE.MeshLambertMaterial({ color, emissive: color });

/** Geometries that draw the triangles of another. */
const COPIES: [string, (geometry: THREE.BufferGeometry) => THREE.BufferGeometry][] = [
  ['the same geometry', (geometry) => geometry],
  [
    'another geometry with the same attributes',
    (g) => Object.assign(new THREE.BufferGeometry(), { attributes: g.attributes }).setIndex(g.index),
  ],
  [
    'another index on the same positions',
    ({ attributes, index }) => {
      const half = Array.from((index as THREE.BufferAttribute).array).slice(0, 600);
      return new THREE.BufferGeometry().setAttribute('position', attributes.position).setIndex(half);
    },
  ],
  ['a copy', (geometry) => geometry.clone()],
];

const OVERLAYS: [string, () => THREE.Material, order?: number][] = [
  ['see-through', glass],
  ['see-through where depths are equal', () => glass({ depthFunc: THREE.EqualDepth })],
  ['opaque', red],
  ['opaque of another kind', () => lit('#f00')],
  ['opaque where depths are equal', () => red({ depthFunc: THREE.EqualDepth })],
  ['a wireframe', () => red({ wireframe: true })],
  ['a wireframe moved by polygonOffset', () => red({ wireframe: true, polygonOffset: true, polygonOffsetUnits: -1 })],
  ['moved by polygonOffset', () => red({ polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -1 })],
  ['a mask, drawn first', () => red({ colorWrite: false }), -1],
];

type Edit = (knots: Knots) => void;
const nothing: Edit = () => {};
const overlays =
  (change: (overlay: THREE.Mesh, i: number) => void): Edit =>
  (knots) =>
    knots.overlays.forEach(change);
const toggle = overlays((overlay, i) => {
  if (i % 2 === 0) overlay.visible = !overlay.visible;
});
const leave = (kept: number): Edit => overlays((overlay, i) => i >= kept && overlay.removeFromParent());
const move: Edit = ({ meshes, group }) => {
  for (const mesh of meshes) mesh.rotation.x += 0.1;
  group.position.x += 0.01;
};
/** With every second knot of a colour that is drawn after what lies on them, which they replace. */
const late = (z = 0): Knots => {
  const knots = new Knots().overlay(lit('#f00'), { every: 1 });
  const blue = new THREE.MeshBasicMaterial({ color: '#00f' });
  for (let i = 0; i < knots.meshes.length; i += 2) knots.meshes[i].material = blue;
  overlays(({ position }) => position.setZ(z))(knots);
  return knots;
};
const grouped = (second: THREE.Material): Knots => {
  const knots = new Knots();
  const { count } = knots.geometry.index as THREE.BufferAttribute;
  knots.geometry.addGroup(0, count, 0);
  knots.geometry.addGroup(count / 2, count / 2, 1);
  for (const mesh of knots.meshes) mesh.material = [mesh.material as THREE.Material, second];
  return knots;
};
const casting = (isGreen: boolean): Knots => {
  const knots = new Knots();
  const top = red();
  for (const mesh of knots.meshes) {
    if (isGreen) mesh.material = new THREE.MeshBasicMaterial({ color: '#0f0' });
    mesh.castShadow = true;
  }
  return knots.overlay(top, { every: 1 });
};

const STORIES = Object.entries<Story<Knots>>({
  'as some are added to all at once, hidden and shown, moved, mirrored, and removed': [
    () => new Knots(),
    (knots) => knots.overlay(lit('#f00'), { every: 1 }),
    ...[toggle, toggle, toggle, leave(3), move, move],
    ({ group }) => group.scale.set(-1.1, 1.1, 1.1),
    leave(0),
  ],
  'where colours are merged across what is drawn in between': [() => late()],
  'where batches that never shared a place come to share one': [
    () => late(-3),
    ...[0, -3, 0].map((z) => overlays(({ position }) => position.setZ(z))),
  ],
  ...Object.fromEntries(
    [glass(), lit('#f00'), red({ wireframe: true }), red({ depthFunc: THREE.EqualDepth })].map((second, i) => [
      `where groups of one geometry overlap, ${i}`,
      [() => grouped(second), nothing],
    ]),
  ),
  'where what lies on top casts no shadow': [() => casting(false), nothing],
  'where what lies on top of another colour casts no shadow': [() => casting(true), nothing],
});

describe('the same triangles drawn twice look as in plain three', () => {
  const bases = [() => red(), () => lit('#999'), glass];
  const tops = [glass, () => lit('#f00'), () => red({ wireframe: true })];
  /** On all knots or on one: of either in turns, as each pair is enough. */
  const every = (i: number, k: number): number => ((i + k) % 2 ? 1 : 30);

  it.each(OVERLAYS)('%s', async (label, make, order = 0) => {
    const i = OVERLAYS.findIndex(([one]) => one === label);
    for (const [k, base] of bases.entries()) {
      const knots = () => new Knots({ base }).overlay(make(), { every: every(i, k), order });
      await tellStory(studio, camera, [knots, nothing], TOLERANCE);
    }
  });

  it.each(COPIES)('of %s', async (label, copy) => {
    const i = COPIES.findIndex(([one]) => one === label);
    for (const [k, material] of tops.entries()) {
      const make = () => {
        const knots = new Knots();
        return knots.overlay(material(), { every: every(i, k), geometry: copy(knots.geometry) });
      };
      await tellStory(studio, camera, [make, nothing], TOLERANCE);
    }
  });

  it.each(STORIES)('%s', async (_label, story) => {
    await tellStory(studio, camera, story, { ...TOLERANCE, frames: 3 });
  });

  it('where only one of two cameras sees what is drawn on top', async () => {
    const other = camera.clone();
    other.layers.enable(3);
    const make = () => {
      const knots = new Knots().overlay(glass());
      overlays((overlay) => overlay.layers.set(3))(knots);
      return knots;
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
