import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { BatchTwin, openStudio } from './batching.js';

const studio = openStudio(128, { stencil: true });
const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 100);

type Between = () => THREE.Material;
const basic =
  (properties: object): Between =>
  () =>
    new THREE.MeshBasicMaterial({ color: '#0f0', ...properties });

/** Materials with which it matters when something is drawn. */
const ORDERED: [string, Between][] = [
  ['a mask', basic({ colorWrite: false })],
  ['a backdrop', basic({ depthWrite: false })],
  ['drawn through walls', basic({ depthTest: false })],
  ['drawn behind what is there', basic({ depthFunc: THREE.GreaterDepth })],
  ['added to what is there', basic({ blending: THREE.AdditiveBlending })],
  ['drawn over what is there', basic({ depthFunc: THREE.AlwaysDepth })],
  [
    'a stencil',
    basic({
      colorWrite: false,
      depthWrite: false,
      stencilWrite: true,
      stencilRef: 1,
      stencilZPass: THREE.ReplaceStencilOp,
    }),
  ],
];

/** Boxes of two colours, of which the second were made after a wall in front of them. */
class Boxes {
  readonly scene: THREE.Scene = new THREE.Scene();
  readonly wall: THREE.Mesh;
  readonly materials: THREE.MeshBasicMaterial[];

  constructor(between: Between, stencil: object = {}, wall: (material: THREE.Material) => THREE.Object3D = plane) {
    this.scene.background = new THREE.Color('#024');
    const first = new THREE.MeshBasicMaterial({ color: '#888', ...stencil });
    const material = between();
    this.materials = [first, new THREE.MeshBasicMaterial({ color: '#f00', ...stencil })];
    this.wall = wall(material) as THREE.Mesh;
    this.wall.position.z = -6;
    const geometry = new THREE.BoxGeometry();
    for (let i = 0; i < 72; i++) {
      const box = new THREE.Mesh(geometry, this.materials[Math.floor(i / 36)]);
      box.position.set((i % 6) * 1.3 - 3.2, (Math.floor(i / 6) % 6) * 1.3 - 3.2, i < 36 ? -12 : -9);
      this.scene.add(box);
    }
    this.scene.add(this.wall);
  }
}

const plane = (material: THREE.Material): THREE.Object3D => new THREE.Mesh(new THREE.PlaneGeometry(3, 3), material);

const WALLS: [string, (material: THREE.Material) => THREE.Object3D][] = [
  ['a mesh with a callback', (material) => Object.assign(plane(material), { onBeforeRender() {} })],
  [
    'an InstancedMesh',
    (material) => {
      const mesh = new THREE.InstancedMesh(new THREE.PlaneGeometry(3, 3), material, 1);
      mesh.setMatrixAt(0, new THREE.Matrix4());
      return mesh;
    },
  ],
  ['a level of a LOD', (material) => new THREE.LOD().addLevel(plane(material))],
  ['a mesh that is never culled', (material) => Object.assign(plane(material), { frustumCulled: false })],
  ['a child of a group', (material) => new THREE.Group().add(plane(material))],
];

const TOLERANCE = { most: 8, levels: 8 };

describe('colours are not merged across', () => {
  it.each(ORDERED)('%s', async (label, between) => {
    const stencil =
      label === 'a stencil' ? { stencilWrite: true, stencilRef: 1, stencilFunc: THREE.NotEqualStencilFunc } : {};
    const twin = new BatchTwin(studio, () => new Boxes(between, stencil), TOLERANCE);
    await twin.settle(camera);
    twin.frames(2, 'settled', camera);
    expect(twin.calls.batched).toBe(3);
    twin.frame('with its own order', camera, ({ wall }) => {
      wall.renderOrder = -1;
    });
    twin.frame('without it', camera, ({ wall }) => wall.removeFromParent());
    twin.frame('with it again', camera, ({ wall, scene }) => scene.add(wall));
  });

  it.each(WALLS)('%s', async (_label, wall) => {
    const twin = new BatchTwin(studio, () => new Boxes(ORDERED[0][1], {}, wall), TOLERANCE);
    await twin.settle(camera);
    twin.frames(2, 'settled', camera);
    expect(twin.calls.batched).toBe(3);
  });
});

it.each(ORDERED)(
  'colours that are merged part in the picture in which something comes between them: %s',
  async (label, between) => {
    const stencil =
      label === 'a stencil' ? { stencilWrite: true, stencilRef: 1, stencilFunc: THREE.NotEqualStencilFunc } : {};
    const make = () => {
      const world = new Boxes(between, stencil);
      world.wall.visible = false;
      return world;
    };
    const twin = new BatchTwin(studio, make, TOLERANCE);
    await twin.settle(camera);
    expect(twin.calls.batched).toBe(1);
    twin.frame('it comes', camera, ({ wall }) => {
      wall.visible = true;
    });
    twin.frames(3, 'it is there', camera);
    expect(twin.calls.batched).toBe(3);
    twin.frame('a member of the family is like it', camera, ({ materials, wall }) => {
      materials[1].colorWrite = false;
      wall.visible = false;
    });
    twin.frames(2, 'it stays', camera);
  },
);

it.each(ORDERED)('what a renderer draws as it lies in the scene keeps its order: %s', async (label, between) => {
  const stencil =
    label === 'a stencil' ? { stencilWrite: true, stencilRef: 1, stencilFunc: THREE.NotEqualStencilFunc } : {};
  const make = () => {
    const world = new Boxes(between, stencil);
    // After half of the boxes.
    world.scene.children.splice(36, 0, world.scene.children.pop() as THREE.Object3D);
    return world;
  };
  studio.renderer.sortObjects = false;
  try {
    const twin = new BatchTwin(studio, make, TOLERANCE);
    await twin.settle(camera);
    twin.frames(2, 'settled', camera);
  } finally {
    studio.renderer.sortObjects = true;
  }
});
