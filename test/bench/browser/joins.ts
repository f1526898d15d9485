import {
  BoxGeometry,
  Color,
  ConeGeometry,
  Mesh,
  MeshLambertMaterial,
  Scene,
  SphereGeometry,
  type WebGLRenderer,
} from 'three';
import { accelerate } from '../../../src/index.js';
import { leaveOutGpu } from './leaveOut.js';
import type { Measured } from './takeTurns.js';
import { World } from './world.js';

/** What happens to the meshes of a scene whose batches come: see rows.mjs. */
export type Story = 'rest' | 'moving' | 'materials' | 'highlight' | 'on demand';

/** Pictures of a page that draws on demand, at most. */
const PICTURES = 5;

/** The draw calls of the third picture after the code of batches is there, of so many similar meshes. */
export async function joins(renderer: WebGLRenderer, count: number, story: Story): Promise<Measured> {
  renderer.shadowMap.enabled = false;
  const { scene, camera, meshes, show, move } = worldOf(count, story);
  show();
  const draw = (): number => {
    if (story === 'moving') move();
    renderer.render(scene, camera);
    return renderer.info.render.calls;
  };
  const plain = draw();
  let pictures = 0;
  let calls = 0;
  const onChange = (): void => {
    if (story === 'on demand' && ++pictures < PICTURES) calls = draw();
  };
  const index = accelerate(scene, { batch: true, onChange });
  await index.ready;
  if (story === 'on demand') onChange();
  if (story === 'on demand') await new Promise((done) => setTimeout(done, 100));
  else for (let picture = 0; picture < 3; picture++) calls = draw();
  if (story === 'highlight') {
    const highlight = new MeshLambertMaterial({ color: 'orange' });
    for (const mesh of meshes.slice(0, 200)) mesh.material = highlight;
    for (let picture = 0; picture < 3; picture++) calls = draw();
  }
  index.dispose();
  return { plain: [plain], fast: [calls], seen: count };
}

function worldOf(count: number, story: Story) {
  const world = new World(count, 'kinds');
  const meshes: Mesh[] = world.meshes;
  if (story === 'materials') {
    meshes.forEach((mesh, i) => {
      mesh.material = new MeshLambertMaterial({ color: new Color().setHSL(i / count, 0.5, 0.5) });
    });
  }
  const { scene, camera } = world;
  return { scene, camera, meshes, show: () => world.show(1), move: () => world.move(1) };
}

/** Pictures in which batches come. */
const COMING = 12;

/**
 * The longest picture while batches come, beside a usual one of plain three.
 * @param vertices Of each geometry; there are as many geometries as meshes divided by ten.
 */
export async function longest(renderer: WebGLRenderer, count: number, vertices: number): Promise<Measured> {
  renderer.shadowMap.enabled = false;
  const world = new World(0);
  const scene = new Scene().add(...crowd(count, vertices));
  world.show(1);
  const restore = leaveOutGpu(renderer, true);
  const time = async (): Promise<number> => {
    await new Promise((done) => setTimeout(done, 5));
    renderer.getContext().finish();
    const start = performance.now();
    renderer.render(scene, world.camera);
    return performance.now() - start;
  };
  const times = async (): Promise<number[]> => {
    const all: number[] = [];
    for (let picture = 0; picture < COMING; picture++) all.push(await time());
    return all;
  };
  const plain = (await times()).sort((a, b) => a - b)[COMING >> 1];
  const index = accelerate(scene, { batch: true });
  await index.ready;
  const longest = Math.max(...(await times()));
  restore();
  if (renderer.info.render.calls > 1) throw new Error(`${renderer.info.render.calls} draw calls`);
  index.dispose();
  return { plain: [plain], fast: [longest], seen: count };
}

function crowd(count: number, vertices: number): Mesh[] {
  const material = new MeshLambertMaterial();
  const rows = Math.round(Math.sqrt(vertices));
  const geometries =
    vertices > 0
      ? Array.from({ length: count / 10 }, () => new SphereGeometry(0.5, rows - 1, rows - 1))
      : [new BoxGeometry(), new ConeGeometry(), new SphereGeometry(0.6, 8, 6), new BoxGeometry(1, 2, 1)];
  return Array.from({ length: count }, (_, i) => {
    const mesh = new Mesh(geometries[i % geometries.length], material);
    return mesh.translateY((i % 50) * 10 - 250).translateZ(Math.floor(i / 50) * 10 - 200);
  });
}
