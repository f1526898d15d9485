import * as THREE from 'three';
import { afterAll, expect, test } from 'vitest';
import { accelerate, type BatchOptions } from '../../src/index.js';
import { otherPixels, readPicture } from '../helpers/pictures.js';
import { eyeAt, loadBatching } from './batching.js';

const SIZE = 128;
const FEW = 4;
const renderer = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
renderer.setSize(SIZE, SIZE);
afterAll(() => renderer.dispose());

const camera = eyeAt(0, 0, 14);
const box = new THREE.BoxGeometry();

interface World {
  readonly scene: THREE.Scene;
  readonly materials: THREE.MeshStandardMaterial[];
}

/** 48 boxes, each of a material of its own, which is another colour. */
function world(): World {
  const scene = new THREE.Scene();
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(2, 4, 5);
  scene.add(sun, new THREE.HemisphereLight(0xffffff, 0x444444, 2));
  const materials: THREE.MeshStandardMaterial[] = [];
  for (let i = 0; i < 48; i++) {
    const material = new THREE.MeshStandardMaterial({ color: new THREE.Color().setHSL(i / 48, 0.7, 0.5) });
    const mesh = new THREE.Mesh(box, material);
    mesh.position.set((i % 8) * 1.6 - 6, Math.floor(i / 8) * 1.6 - 4, 0);
    mesh.rotation.set(i, i, 0);
    scene.add(mesh);
    materials.push(material);
  }
  return { scene, materials };
}

function draw({ scene }: World): { pixels: Uint8Array; calls: number } {
  renderer.render(scene, camera);
  return { pixels: readPicture(renderer), calls: renderer.info.render.calls };
}

/** Draws the same world plain and in batches, after each edit for some frames; returns the draw calls of the last one. */
async function compare(
  make: () => World,
  edits: ((world: World) => void)[],
  batch: BatchOptions = {},
): Promise<number> {
  const [plain, batched] = [make(), make()];
  const index = accelerate(batched.scene, { batch });
  await loadBatching();
  let calls = 0;
  for (const [step, edit] of [() => {}, ...edits].entries()) {
    for (const one of [plain, batched]) edit(one);
    for (let frame = 0; frame < 4; frame++) {
      const expected = draw(plain).pixels;
      const seen = draw(batched);
      expect(otherPixels(seen.pixels, expected), `edit ${step}, frame ${frame}`).toBeLessThanOrEqual(FEW);
      calls = seen.calls;
    }
  }
  index.dispose();
  return calls;
}

const first =
  (count: number, edit: (material: THREE.MeshStandardMaterial) => void) =>
  ({ materials }: World): void => {
    for (const material of materials.slice(0, count)) edit(material);
  };

test('a selection is shown by another emissive colour, and no longer', async () => {
  const select = first(8, ({ emissive }) => emissive.set(0x008800));
  expect(await compare(world, [select])).toBe(2);
  expect(await compare(world, [select, first(8, ({ emissive }) => emissive.set(0))])).toBe(1);
});

test('roughness fades in steps', async () => {
  const steps = [0, 0.2, 0.4, 0.6, 0.8].map((step) =>
    first(10, (material) => {
      material.roughness = material.metalness = step;
    }),
  );
  expect(await compare(world, steps)).toBe(2);
});

test('a batch of the user’s has a material of which meshes are', async () => {
  const make = (): World => {
    const made = world();
    const batch = new THREE.BatchedMesh(8, 100, 100, made.materials[0]);
    const id = batch.addGeometry(box);
    for (let i = 0; i < 8; i++) {
      const instance = batch.addInstance(id);
      batch.setMatrixAt(instance, new THREE.Mesh().translateX(i * 1.6 - 6).matrix.makeTranslation(i * 1.6 - 6, -5, 0));
      batch.setColorAt(instance, new THREE.Color(0xffffff));
    }
    made.scene.add(batch);
    return made;
  };
  expect(await compare(make, [])).toBe(2);
});

test('materials that frameworks and editors have marked are drawn as one', async () => {
  const make = (): World => {
    const made = world();
    made.materials.forEach((material, i) => {
      Object.assign(material, { __r3f: { material }, tag: `${i}`, userData: { i } });
    });
    return made;
  };
  expect(await compare(make, [])).toBe(1);
});

test('shaders that sway vertices are drawn in batches when their author says so', async () => {
  const make = (): World => {
    const made = world();
    const material = new THREE.MeshStandardMaterial({ color: 0x88aa44 });
    material.onBeforeCompile = (shader) => {
      shader.vertexShader = shader.vertexShader.replace(
        '#include <begin_vertex>',
        '$&\ntransformed.x += 0.3 * sin( 5.0 * position.y );',
      );
    };
    made.scene.traverse((object) => {
      if (object instanceof THREE.Mesh) object.material = material;
    });
    return made;
  };
  expect(await compare(make, [])).toBe(48);
  expect(await compare(make, [], { accept: () => true })).toBe(1);
});

test('a chunk of three’s that is patched to need the matrix of an object is drawn without batches', async () => {
  const own = THREE.ShaderChunk.begin_vertex;
  const patched = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
  patched.setSize(SIZE, SIZE);
  THREE.ShaderChunk.begin_vertex = `${own}\ntransformed.x += 0.3 * sin( modelMatrix[ 3 ].y );`;
  try {
    const [plain, batched] = [world(), world()];
    const index = accelerate(batched.scene, { batch: true });
    await loadBatching();
    for (let frame = 0; frame < 4; frame++) {
      const pictures = [plain, batched].map(({ scene }) => {
        patched.render(scene, camera);
        return readPicture(patched);
      });
      expect(otherPixels(pictures[1], pictures[0])).toBe(0);
    }
    expect(patched.info.render.calls).toBe(48);
    index.dispose();
  } finally {
    THREE.ShaderChunk.begin_vertex = own;
    patched.dispose();
  }
});
