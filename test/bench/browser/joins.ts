import { Color, type Mesh, MeshLambertMaterial, type WebGLRenderer } from 'three';
import { accelerate } from '../../../src/index.js';
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
