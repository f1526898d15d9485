import * as THREE from 'three';
import { EffectComposer } from 'three/addons/postprocessing/EffectComposer.js';
import { OutlinePass } from 'three/addons/postprocessing/OutlinePass.js';
import { RenderPass } from 'three/addons/postprocessing/RenderPass.js';
import { outline } from 'three/addons/tsl/display/OutlineNode.js';
import { RenderPipeline, RenderTarget, WebGPURenderer } from 'three/webgpu';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type AccelerateOptions, accelerate, cullOutlines } from '../../src/index.js';
import { loadBatching } from '../helpers/loadBatching.js';
import { differences, endRenderer, makeRenderer, readPicture } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { addSun, colour } from './stories.js';
import { BACKENDS } from './webgpuPictures.js';

const SIZE = 128;
const COUNT = 400;
const renderer = makeRenderer(SIZE);
beforeAll(loadBatching);
afterAll(() => endRenderer(renderer));

/** Boxes everywhere, some below others, and an object of each kind that outlines care about. */
function makeScene(seed: number): { scene: THREE.Scene; meshes: THREE.Mesh[]; others: THREE.Object3D[] } {
  const next = random(seed);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x223344);
  scene.add(new THREE.AmbientLight());
  const box = new THREE.BoxGeometry();
  const materials = Array.from({ length: 4 }, () => new THREE.MeshLambertMaterial({ color: colour(next) }));
  const meshes = Array.from({ length: COUNT }, (_, i) => {
    const mesh = new THREE.Mesh(box, materials[i % 4]);
    mesh.position.set(next() * 40 - 20, next() * 40 - 20, next() * 40 - 20);
    mesh.rotation.set(next(), next(), next());
    return mesh;
  });
  const group = new THREE.Group();
  for (const [i, mesh] of meshes.entries()) (i % 9 === 8 ? meshes[i - 1] : i % 5 === 0 ? group : scene).add(mesh);
  const lod = new THREE.LOD();
  for (const i of [0, 1]) lod.addLevel(new THREE.Mesh(box, materials[i]), 30 * i);
  const ends = [new THREE.Vector3(-9, 0, 0), new THREE.Vector3(9, 4, 0)];
  const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints(ends), new THREE.LineBasicMaterial());
  const sprite = new THREE.Sprite();
  sprite.position.set(1, 2, 3);
  const everywhere = new THREE.Mesh(box, materials[2]);
  everywhere.frustumCulled = false;
  everywhere.position.set(2, 1, 8);
  const others = [lod, line, sprite, everywhere];
  scene.add(group, ...others);
  meshes[6].add(new THREE.Line(line.geometry, line.material));
  return { scene, meshes, others };
}

type Made = ReturnType<typeof makeScene>;

/** Frames of a story: who is selected, and what happens to the scene before. */
const FRAMES: ((made: Made) => THREE.Object3D[])[] = [
  ({ meshes }) => [meshes[3]],
  ({ meshes }) => [meshes[3], meshes[7]],
  ({ meshes }) => [meshes[6], meshes[8]],
  ({ meshes }) => meshes.slice(20, 60),
  ({ others }) => [others[0]],
  ({ others }) => [others[3]],
  ({ others }) => [others[1], others[2]],
  () => [],
  ({ scene }) => [scene.children[1]],
  ({ meshes }) => {
    meshes[3].position.set(0, 0, 9);
    meshes[4].position.set(0.3, 0.2, 12);
    meshes[5].position.set(0.2, -0.4, 5);
    meshes[9].visible = false;
    return [meshes[3], meshes[9]];
  },
  ({ meshes }) => {
    // The camera is in it.
    meshes[3].position.set(0, 0, 25);
    return [meshes[3]];
  },
  ({ scene, meshes }) => {
    scene.add(meshes[8]);
    meshes[7].removeFromParent();
    return [meshes[8], meshes[7]];
  },
];

function eyeOf(frame: number): THREE.PerspectiveCamera {
  const camera = new THREE.PerspectiveCamera(50, 1, 0.5, 100);
  camera.position.set(frame % 3, 1, 25);
  camera.lookAt(0, 0, 0);
  return camera;
}

/** Meshes that are drawn by themselves, and in batches. */
const VARIANTS: AccelerateOptions[] = [{}, { batch: { atLeast: 2 } }];

describe('outlines', () => {
  test('of an OutlinePass are those of plain three', () => {
    const tell = (options: AccelerateOptions | null): Uint8Array[] => {
      const made = makeScene(4);
      const sun = addSun(made.scene);
      renderer.shadowMap.enabled = true;
      const camera = eyeOf(0);
      const outlines = new OutlinePass(new THREE.Vector2(SIZE, SIZE), made.scene, camera);
      outlines.visibleEdgeColor.set(0xffffff);
      outlines.hiddenEdgeColor.set(0xff2200);
      const composer = new EffectComposer(renderer);
      composer.setSize(SIZE, SIZE);
      composer.addPass(new RenderPass(made.scene, camera));
      composer.addPass(outlines);
      const index = options && accelerate(made.scene, options);
      if (index !== null) cullOutlines(index, outlines);
      const taken = FRAMES.map((select, i) => {
        camera.copy(eyeOf(i));
        outlines.selectedObjects = select(made);
        composer.render(0);
        expect(made.meshes.filter(({ visible }) => !visible).length).toBe(i < 9 ? 0 : 1);
        expect([renderer.shadowMap.autoUpdate, made.scene.matrixWorldAutoUpdate]).toEqual([true, true]);
        return readPicture(renderer);
      });
      sun.shadow.dispose();
      index?.dispose();
      outlines.selectedObjects = [made.meshes[3]];
      composer.render(0);
      taken.push(readPicture(renderer));
      composer.dispose();
      outlines.dispose();
      renderer.setRenderTarget(null);
      return taken;
    };
    const plain = tell(null);
    // Sprites and lines have no outline.
    expect(new Set(plain.map(String)).size).toBe(plain.length - 1);
    for (const options of VARIANTS) expectSame(tell(options), plain);
  });

  test.each(VARIANTS)('of an OutlinePass take a tenth of the draw calls, and no walk over the scene, %o', (options) => {
    const { scene, meshes } = makeScene(5);
    const outlines = new OutlinePass(new THREE.Vector2(SIZE, SIZE), scene, eyeOf(0), [meshes[3]]);
    const composer = new EffectComposer(renderer);
    composer.setSize(SIZE, SIZE);
    composer.addPass(outlines);
    renderer.shadowMap.enabled = renderer.info.autoReset = false;
    const walk = vi.spyOn(scene, 'traverse');
    const cost = (): number[] => {
      for (let frame = 0; frame < 3; frame++) {
        renderer.info.reset();
        walk.mockClear();
        composer.render(0);
      }
      return [renderer.info.render.calls, walk.mock.calls.length];
    };
    const plain = cost();
    const index = accelerate(scene, options);
    const undo = cullOutlines(index, outlines);
    const culled = cost();
    undo();
    expect(cost()[1]).toBe(plain[1]);
    index.dispose();
    expect(cost()).toEqual(plain);
    expect(Object.keys(outlines)).not.toContain('render');
    expect([plain[1], culled[1]]).toEqual([2, 0]);
    expect(culled[0]).toBeLessThan(plain[0] / 10);
    renderer.info.autoReset = true;
    composer.dispose();
    renderer.setRenderTarget(null);
  });

  test.each(BACKENDS.filter(({ isMissing }) => !isMissing))(
    'of an OutlineNode are those of plain three, with a fifth of the draw calls, on $backend',
    async ({ forceWebGL }) => {
      const gpu = new WebGPURenderer({ antialias: false, forceWebGL });
      gpu.setSize(SIZE, SIZE);
      await gpu.init();
      const target = new RenderTarget(SIZE, SIZE);
      const tell = async (options: AccelerateOptions | null): Promise<[pictures: Uint8Array[], calls: number]> => {
        const made = makeScene(4);
        const camera = eyeOf(0);
        const outlines = outline(made.scene, camera, { selectedObjects: [] });
        const pipeline = new RenderPipeline(gpu, outlines.visibleEdge.add(outlines.hiddenEdge.mul(0.5)) as never);
        const index = options && accelerate(made.scene, options);
        if (index !== null) cullOutlines(index, outlines as never);
        const taken: Uint8Array[] = [];
        let calls = 0;
        for (const [i, select] of FRAMES.entries()) {
          camera.copy(eyeOf(i));
          outlines.selectedObjects = select(made);
          await new Promise(requestAnimationFrame);
          gpu.setRenderTarget(target);
          const before = gpu.info.render.drawCalls;
          pipeline.render();
          if (i === 0) calls = gpu.info.render.drawCalls - before;
          taken.push((await gpu.readRenderTargetPixelsAsync(target, 0, 0, SIZE, SIZE)) as Uint8Array);
        }
        gpu.setRenderTarget(null);
        index?.dispose();
        return [taken, calls];
      };
      const [plain, plainCalls] = await tell(null);
      expect(new Set(plain.map(String)).size).toBeGreaterThan(8);
      expect(plainCalls).toBeGreaterThan(100);
      for (const options of VARIANTS) {
        const [fast, calls] = await tell(options);
        expectSame(fast, plain);
        expect(calls).toBeLessThan(plainCalls / 5);
      }
      target.dispose();
      gpu.dispose();
    },
  );
});

function expectSame(fast: Uint8Array[], plain: Uint8Array[]): void {
  for (const [i, pixels] of fast.entries()) expect(differences(pixels, plain[i]), `frame ${i}`).toBe(0);
}
