import * as THREE from 'three';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { accelerate, explain } from '../../src/index.js';
import { differences, readPicture } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { eyeAt, loadBatching } from './batching.js';

const SIZE = 96;
let renderer: THREE.WebGLRenderer;
beforeEach(() => {
  renderer = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
  renderer.setSize(SIZE, SIZE);
});
afterEach(() => renderer.dispose());

const camera = eyeAt(10, 8, 14);

const COUNT = 100;

function crowd(): { scene: THREE.Scene; meshes: THREE.Mesh[]; group: THREE.Group } {
  const next = random(9);
  const scene = new THREE.Scene();
  scene.add(new THREE.DirectionalLight(0xffffff, 3));
  const group = new THREE.Group();
  scene.add(group);
  const geometries = [new THREE.BoxGeometry(), new THREE.SphereGeometry(0.6, 12, 8)];
  const materials = [0xcc8844, 0x4488cc].map((color) => new THREE.MeshLambertMaterial({ color }));
  const meshes: THREE.Mesh[] = [];
  for (let i = 0; i < COUNT; i++) {
    const mesh = new THREE.Mesh(geometries[i % 2], materials[(i >> 1) % 2]);
    mesh.position.set(next() * 12 - 6, next() * 8 - 4, next() * 12 - 6);
    (i < COUNT / 2 ? group : scene).add(mesh);
    meshes.push(mesh);
  }
  return { scene, meshes, group };
}

function draw(scene: THREE.Scene): { pixels: Uint8Array; calls: number } {
  renderer.render(scene, camera);
  return { pixels: readPicture(renderer), calls: renderer.info.render.calls };
}

async function settle(scene: THREE.Scene): Promise<void> {
  await loadBatching();
  for (let frame = 0; frame < 3; frame++) draw(scene);
}

describe('batches', () => {
  test('leave nothing behind in the renderer', async () => {
    const { scene, meshes } = crowd();
    const { pixels } = draw(scene);
    const { geometries, textures } = renderer.info.memory;
    const index = accelerate(scene, { batch: true });
    await settle(scene);
    expect(renderer.info.memory.textures).toBeGreaterThan(textures);
    // Batches that grow, and lose all they have.
    for (const mesh of meshes.slice(10)) mesh.removeFromParent();
    for (let frame = 0; frame < 3; frame++) draw(scene);
    scene.add(...meshes);
    for (let frame = 0; frame < 3; frame++) draw(scene);
    index.dispose();
    expect(differences(draw(scene).pixels, pixels)).toBe(0);
    expect(renderer.info.memory).toMatchObject({ geometries, textures });
  });

  test('outlive a lost context', async () => {
    const { scene, meshes } = crowd();
    const index = accelerate(scene, { batch: true });
    await settle(scene);
    const loss = renderer.getContext().getExtension('WEBGL_lose_context') as WEBGL_lose_context;
    const heard = (name: string): Promise<unknown> =>
      new Promise((done) => renderer.domElement.addEventListener(name, done, { once: true }));
    const [lost, restored] = [heard('webglcontextlost'), heard('webglcontextrestored')];
    loss.loseContext();
    await lost;
    await new Promise((done) => setTimeout(done));
    // Changes that nobody could upload.
    meshes[3].position.x += 2;
    renderer.render(scene, camera);
    loss.restoreContext();
    await restored;
    const { calls, pixels } = draw(scene);
    expect(calls).toBeLessThan(5);
    index.dispose();
    expect(differences(draw(scene).pixels, pixels)).toBe(0);
  });

  test('of a second renderer have what the first was given', async () => {
    const { scene, meshes } = crowd();
    const index = accelerate(scene, { batch: true });
    await settle(scene);
    const other = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
    other.setSize(SIZE, SIZE);
    for (let frame = 0; frame < 6; frame++) {
      meshes[frame].position.y += 1;
      // The second misses some of what the first uploads.
      draw(scene);
      if (frame % 2 === 0) continue;
      other.render(scene, camera);
      expect(differences(readPicture(other), draw(scene).pixels)).toBe(0);
    }
    const { pixels } = draw(scene);
    index.dispose();
    expect(differences(draw(scene).pixels, pixels)).toBe(0);
    other.dispose();
  });

  test('take no more memory than they may, and say so once', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    for (const maxBytes of [0, 6_000]) {
      warn.mockClear();
      const { scene, meshes } = crowd();
      const plain = draw(scene);
      const index = accelerate(scene, { batch: { maxBytes } });
      await settle(scene);
      const { calls, pixels } = draw(scene);
      expect(differences(pixels, plain.pixels)).toBe(0);
      if (maxBytes === 0) expect(calls).toBe(plain.calls);
      expect(warn).toHaveBeenCalledTimes(1);
      expect(warn.mock.calls[0][0]).toMatch(/more than \d+ bytes/);
      expect(meshes.some((mesh) => /no more memory/.test(explain(index, mesh, camera).join()))).toBe(true);
      index.dispose();
    }
    warn.mockRestore();
  });

  test('are left and joined again as the user decides, in the same frame', async () => {
    const { scene, meshes, group } = crowd();
    const plain = draw(scene);
    const index = accelerate(scene);
    expect(draw(scene).calls).toBe(plain.calls);
    expect(index.batch(scene)).toBe(true);
    await settle(scene);
    expect(draw(scene).calls).toBe(1);
    expect(index.batch(group, false)).toBe(true);
    const half = draw(scene);
    expect(half.calls).toBeGreaterThan(COUNT / 2 - 20);
    expect(half.calls).toBeLessThan(plain.calls);
    expect(explain(index, meshes[0], camera).join()).toMatch(/not to be drawn in batches/);
    expect(explain(index, meshes[COUNT - 1], camera).join()).toMatch(/^It is drawn in a batch of \d+ draws\.$/);
    index.batch(meshes[0], true);
    for (let frame = 0; frame < 2; frame++) draw(scene);
    expect(explain(index, meshes[0], camera).join()).toMatch(/^It is drawn in a batch/);
    index.batch(scene, false);
    const none = draw(scene);
    expect(none.calls).toBe(plain.calls);
    expect(explain(index, meshes[0], camera)).toEqual([]);
    index.batch(scene);
    expect(draw(scene).calls).toBeLessThan(plain.calls);
    expect(differences(draw(scene).pixels, plain.pixels)).toBe(0);
    expect(index.batch(new THREE.Mesh())).toBe(false);
    index.dispose();
    expect(() => index.batch(scene)).toThrow(/disposed/);
  });

  test('are not for what has no geometry or no material, nor in the way of it', async () => {
    const { scene, meshes } = crowd();
    const lod = new THREE.LOD();
    lod.addLevel(meshes[1], 0);
    const bare = new THREE.Mesh(new THREE.BoxGeometry(), []);
    scene.add(lod, bare, new THREE.Sprite(new THREE.SpriteMaterial({ color: 0x33aa66 })));
    const plain = draw(scene);
    const index = accelerate(scene, { batch: true });
    await settle(scene);
    expect(draw(scene).calls).toBeLessThan(plain.calls / 4);
    expect(differences(draw(scene).pixels, plain.pixels)).toBe(0);
    index.dispose();
  });

  test('take a mesh again that has lost its callback', async () => {
    const { scene, meshes } = crowd();
    const index = accelerate(scene, { batch: true });
    await settle(scene);
    meshes[0].onBeforeRender = () => {};
    for (let frame = 0; frame < 2; frame++) draw(scene);
    expect(explain(index, meshes[0], camera).join()).toMatch(/onBeforeRender/);
    meshes[0].onBeforeRender = THREE.Mesh.prototype.onBeforeRender;
    for (let frame = 0; frame < 2; frame++) draw(scene);
    expect(explain(index, meshes[0], camera).join()).toMatch(/^It is drawn in a batch/);
    index.dispose();
  });

  test('may go in the midst of a picture', async () => {
    const { scene } = crowd();
    const plain = draw(scene).pixels;
    const index = accelerate(scene, { batch: true });
    const caller = new THREE.Mesh(new THREE.BoxGeometry(0.01, 0.01, 0.01), new THREE.MeshLambertMaterial());
    scene.add(caller);
    await settle(scene);
    caller.onBeforeRender = () => index.dispose();
    expect(differences(draw(scene).pixels, plain)).toBeLessThan(12);
    caller.removeFromParent();
    expect(differences(draw(scene).pixels, plain)).toBe(0);
  });
});
