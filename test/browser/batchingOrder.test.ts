import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { openStudio, tellStory } from './batching.js';

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

const TOLERANCE = { most: 8, levels: 8, frames: 2 };
const MASKED = { stencilWrite: true, stencilRef: 1, stencilFunc: THREE.NotEqualStencilFunc };
const boxesWith = ([label, between]: (typeof ORDERED)[number]): Boxes =>
  new Boxes(between, label === 'a stencil' ? MASKED : {});
const show =
  (isShown: boolean): ((boxes: Boxes) => void) =>
  ({ wall }) => {
    wall.visible = isShown;
  };

describe('colours are not merged across', () => {
  it.each(ORDERED)('%s', async (...ordered) => {
    const { settled } = await tellStory(
      studio,
      camera,
      [
        () => boxesWith(ordered),
        ({ wall }) => Object.assign(wall, { renderOrder: -1 }),
        ({ wall }) => wall.removeFromParent(),
        ({ wall, scene }) => scene.add(wall),
      ],
      TOLERANCE,
    );
    expect(settled).toBe(3);
  });

  it.each(WALLS)('%s', async (_label, wall) => {
    const make = () => new Boxes(ORDERED[0][1], {}, wall);
    expect((await tellStory(studio, camera, [make], TOLERANCE)).settled).toBe(3);
  });
});

it.each(ORDERED)(
  'colours that are merged part in the picture in which something comes between them: %s',
  async (...ordered) => {
    const make = () => {
      const boxes = boxesWith(ordered);
      show(false)(boxes);
      return boxes;
    };
    expect(await tellStory(studio, camera, [make, show(true)], TOLERANCE)).toEqual({ settled: 1, batched: 3 });
    // A member of the family is like it.
    const alike = (boxes: Boxes): void => {
      boxes.materials[1].colorWrite = false;
      show(false)(boxes);
    };
    await tellStory(studio, camera, [make, show(true), alike], TOLERANCE);
  },
);

it.each(ORDERED)('what a renderer draws as it lies in the scene keeps its order: %s', async (...ordered) => {
  const make = () => {
    const boxes = boxesWith(ordered);
    // After half of the boxes.
    boxes.scene.children.splice(36, 0, boxes.scene.children.pop() as THREE.Object3D);
    return boxes;
  };
  studio.renderer.sortObjects = false;
  try {
    await tellStory(studio, camera, [make, () => {}], TOLERANCE);
  } finally {
    studio.renderer.sortObjects = true;
  }
});
