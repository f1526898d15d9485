import * as THREE from 'three';
import { describe, expect, test, vi } from 'vitest';
import { type AcceleratedScene, type AccelerateOptions, accelerate, explain } from '../../src/index.js';
import { loadBatching } from '../helpers/loadBatching.js';
import { differences, renewContext } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { eyeAt, openStudio, sunlit } from './batching.js';

const SIZE = 96;
const COUNT = 100;
const studio = openStudio(SIZE);
const camera = eyeAt(10, 8, 14);
const draw = (scene: THREE.Scene) => studio.draw(scene, camera);

function crowd(): { scene: THREE.Scene; meshes: THREE.Mesh[]; group: THREE.Group } {
  const next = random(9);
  const geometries = [new THREE.BoxGeometry(), new THREE.SphereGeometry(0.6, 12, 8)];
  const materials = [0xcc8844, 0x4488cc].map((color) => new THREE.MeshLambertMaterial({ color }));
  const meshes = Array.from({ length: COUNT }, (_, i) => {
    const mesh = new THREE.Mesh(geometries[i % 2], materials[(i >> 1) % 2]);
    mesh.position.set(next() * 12 - 6, next() * 8 - 4, next() * 12 - 6);
    return mesh;
  });
  const group = new THREE.Group().add(...meshes.slice(0, COUNT / 2));
  return { scene: sunlit().add(group, ...meshes.slice(COUNT / 2)), meshes, group };
}

type Life = ReturnType<typeof crowd> & {
  plain: ReturnType<typeof draw>;
  index: AcceleratedScene;
  reasons(mesh: THREE.Mesh): string;
};

/** A crowd, as drawn by plain three and then accelerated, as a rule with all of it in batches. */
async function live(
  prepare: (made: ReturnType<typeof crowd>) => void = () => {},
  options: AccelerateOptions = { batch: { atLeast: 4 } },
): Promise<Life> {
  const made = crowd();
  prepare(made);
  const plain = draw(made.scene);
  const index = accelerate(made.scene, options);
  await settle(made.scene);
  return { ...made, plain, index, reasons: (mesh) => explain(index, mesh, camera).join() };
}

async function settle(scene: THREE.Scene): Promise<void> {
  await loadBatching();
  studio.draws(scene, camera, 3);
}

/** Fails unless the scene looks the same once its index is gone. */
function expectSameWithout({ scene, index }: Life, before: Uint8Array): void {
  index.dispose();
  expect(differences(draw(scene).pixels, before)).toBe(0);
}

describe('batches', () => {
  test('leave nothing behind in the renderer', async () => {
    const { memory } = studio.renderer.info;
    const before = { geometries: 0, textures: 0 };
    const life = await live(({ scene }) => {
      draw(scene);
      Object.assign(before, memory);
    });
    const { scene, meshes, plain } = life;
    expect(memory.textures).toBeGreaterThan(before.textures);
    // Batches that lose all they have, and grow.
    for (const mesh of meshes.slice(10)) mesh.removeFromParent();
    studio.draws(scene, camera, 3);
    scene.add(...meshes);
    studio.draws(scene, camera, 3);
    expectSameWithout(life, plain.pixels);
    expect(memory).toMatchObject(before);
  });

  test('outlive a lost context', async () => {
    const life = await live();
    const { renderer } = studio;
    await renewContext(renderer, () => {
      // Changes that nobody could upload.
      life.meshes[3].position.x += 2;
      renderer.render(life.scene, camera);
    });
    const { calls, pixels } = draw(life.scene);
    expect(calls).toBeLessThan(5);
    expectSameWithout(life, pixels);
  });

  test.each([0, 6_000])('take no more than %i bytes if they may not, and say so once', async (maxBytes) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { scene, meshes, plain, index, reasons } = await live(() => {}, { batch: { atLeast: 4, maxBytes } });
    const { calls, pixels } = draw(scene);
    expect(differences(pixels, plain.pixels)).toBe(0);
    if (maxBytes === 0) expect(calls).toBe(plain.calls);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0][0]).toMatch(/limit of \d+ bytes/);
    expect(meshes.some((mesh) => /memory limit/.test(reasons(mesh)))).toBe(true);
    index.dispose();
    warn.mockRestore();
  });

  test('are left and joined again as the user decides, in the same frame', async () => {
    const { scene, meshes, group, plain, index, reasons } = await live(() => {}, {});
    expect(draw(scene).calls).toBe(plain.calls);
    expect(index.batch(scene)).toBe(true);
    await settle(scene);
    expect(draw(scene).calls).toBe(1);
    expect(index.batch(group, false)).toBe(true);
    const half = draw(scene);
    expect(half.calls).toBeGreaterThan(COUNT / 2 - 20);
    expect(half.calls).toBeLessThan(plain.calls);
    expect(reasons(meshes[0])).toMatch(/batches are switched off/);
    expect(reasons(meshes[COUNT - 1])).toMatch(/^It is drawn in a batch of \d+ draws\.$/);
    index.batch(meshes[0], true);
    studio.draws(scene, camera, 2);
    expect(reasons(meshes[0])).toMatch(/^It is drawn in a batch/);
    index.batch(scene, false);
    expect(draw(scene).calls).toBe(plain.calls);
    expect(reasons(meshes[0])).toBe('It is drawn.');
    index.batch(scene);
    expect(draw(scene).calls).toBeLessThan(plain.calls);
    expect(differences(draw(scene).pixels, plain.pixels)).toBe(0);
    expect(index.batch(new THREE.Mesh())).toBe(false);
    index.dispose();
    expect(() => index.batch(scene)).toThrow(/disposed/);
  });

  test('are not for what has no geometry or no material, nor in the way of it', async () => {
    const { scene, plain, index } = await live(({ scene, meshes }) => {
      const bare = new THREE.Mesh(new THREE.BoxGeometry(), []);
      const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ color: 0x33aa66 }));
      scene.add(new THREE.LOD().addLevel(meshes[1], 0), bare, sprite);
    });
    expect(draw(scene).calls).toBeLessThan(plain.calls / 4);
    expect(differences(draw(scene).pixels, plain.pixels)).toBe(0);
    index.dispose();
  });

  test('take a mesh again that has lost its callback', async () => {
    const { scene, meshes, index, reasons } = await live();
    for (const [callback, reason] of [
      [() => {}, /onBeforeRender/],
      [THREE.Mesh.prototype.onBeforeRender, /^It is drawn in a batch/],
    ] as const) {
      meshes[0].onBeforeRender = callback;
      studio.draws(scene, camera, 2);
      expect(reasons(meshes[0])).toMatch(reason);
    }
    index.dispose();
  });
});
