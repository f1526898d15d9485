import * as THREE from 'three';
import { expect, test } from 'vitest';
import type { BatchOptions } from '../../src/index.js';
import { eyeAt, openStudio, sunlit, tellStory } from './batching.js';

const studio = openStudio();
const camera = eyeAt(0, 0, 14);
const box = new THREE.BoxGeometry();

interface World {
  readonly scene: THREE.Scene;
  readonly meshes: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>[];
}

/** 48 boxes, each of a material of its own, which is another colour. */
function world(): World {
  const meshes = Array.from({ length: 48 }, (_, i) => {
    const color = new THREE.Color().setHSL(i / 48, 0.7, 0.5);
    const mesh = new THREE.Mesh(box, new THREE.MeshStandardMaterial({ color }));
    mesh.position.set((i % 8) * 1.6 - 6, Math.floor(i / 8) * 1.6 - 4, 0);
    mesh.rotation.set(i, i, 0);
    return mesh;
  });
  return { scene: sunlit().add(new THREE.HemisphereLight(0xffffff, 0x444444, 2), ...meshes), meshes };
}

type Edit = (world: World) => void;
const nothing: Edit = () => {};
const first =
  (count: number, edit: (material: THREE.MeshStandardMaterial) => void): Edit =>
  ({ meshes }) => {
    for (const { material } of meshes.slice(0, count)) edit(material);
  };
const glow = (color: number): Edit => first(8, ({ emissive }) => emissive.set(color));
const fades = [0, 0.2, 0.4, 0.6, 0.8].map((step) =>
  first(10, (material) => {
    material.roughness = material.metalness = step;
  }),
);

/** A batch of the user's with the material of a mesh. */
const addBatch: Edit = ({ scene, meshes }) => {
  const batch = new THREE.BatchedMesh(8, 100, 100, meshes[0].material);
  const id = batch.addGeometry(box);
  for (let i = 0; i < 8; i++) {
    const instance = batch.addInstance(id);
    batch.setMatrixAt(instance, new THREE.Matrix4().makeTranslation(i * 1.6 - 6, -5, 0));
    batch.setColorAt(instance, new THREE.Color(0xffffff));
  }
  scene.add(batch);
};

const mark: Edit = ({ meshes }) =>
  meshes.forEach(({ material }, i) => {
    Object.assign(material, { __r3f: { material }, tag: `${i}`, userData: { i } });
  });

const sway: Edit = ({ meshes }) => {
  const material = new THREE.MeshStandardMaterial({ color: 0x88aa44 });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace(
      '#include <begin_vertex>',
      '$&\ntransformed.x += 0.3 * sin( 5.0 * position.y );',
    );
  };
  for (const mesh of meshes) mesh.material = material;
};

/** Draws the same world plain and in batches, before and after each edit; tells the last draw calls. */
async function callsAfter(prepare: Edit, edits: Edit[] = [], batch: BatchOptions = {}): Promise<number> {
  const make = (): World => {
    const made = world();
    prepare(made);
    return made;
  };
  return (await tellStory(studio, camera, [make, ...edits], { most: 4, frames: 3, batch })).batched;
}

test.each<[string, calls: number, prepare: Edit, edits?: Edit[], batch?: BatchOptions]>([
  ['a selection is shown by another emissive colour', 2, nothing, [glow(0x008800)]],
  ['a selection is shown no longer', 1, nothing, [glow(0x008800), glow(0)]],
  ['roughness fades in steps', 2, nothing, fades],
  ['a batch of the user’s has a material of which meshes are', 2, addBatch],
  ['materials that frameworks and editors have marked are drawn as one', 1, mark],
  ['shaders that sway vertices are drawn by themselves', 48, sway],
  ['shaders that sway vertices are drawn in batches when their author says so', 1, sway, [], { accept: () => true }],
])('%s: %i draw calls', async (_label, calls, ...given) => {
  expect(await callsAfter(...given)).toBe(calls);
});

test('a chunk of three’s that is patched to need the matrix of an object is drawn without batches', async () => {
  const own = THREE.ShaderChunk.begin_vertex;
  THREE.ShaderChunk.begin_vertex = `${own}\ntransformed.x += 0.3 * sin( modelMatrix[ 3 ].y );`;
  try {
    expect(await callsAfter(nothing)).toBe(48);
  } finally {
    THREE.ShaderChunk.begin_vertex = own;
  }
});
