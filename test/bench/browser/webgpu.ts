/** Measures frames of WebGPURenderer in the browser, in several ways on equal scenes in turns. Called by webgpu.mjs. */
import { type Camera, type Frustum, type Mesh, type Object3D, type Scene, type Sphere, Vector3 } from 'three';
import { StandardDrawingPipeline, WebGPURenderer } from 'three/webgpu';
import { accelerate, type SceneIndex } from '../../../src/index.js';
import { World } from './world.js';

type Project = Parameters<StandardDrawingPipeline['project']>;
type RenderList = Project[3];
type Clipping = Project[4];
interface Internals {
  _frustum: Frustum;
  _projScreenMatrix: Camera['projectionMatrix'];
}

/**
 * Has the scene's list in its hands, where an accelerated scene otherwise hands it to three's walk: what a library could
 * do that had a drawing pipeline of its own.
 */
class IndexDrawingPipeline extends StandardDrawingPipeline {
  readonly #isTrusting: boolean;

  /** @param isTrusting Draws what the index found without asking again whether it is in view: less than three does. */
  constructor(isTrusting: boolean) {
    super();
    this.#isTrusting = isTrusting;
  }

  override project(object: Object3D, camera: Camera, groupOrder: number, list: RenderList, clipping: Clipping): void {
    if ((object as Scene).isScene !== true) {
      super.project(object, camera, groupOrder, list, clipping);
      return;
    }
    // The first of what the scene shows to a pass; asked about a frustum, it has the list, or the real children.
    object.layers.test(camera.layers);
    const [proxy, end] = object.children;
    proxy.intersectsFrustum((this as unknown as Internals)._frustum);
    for (const child of proxy.children as Mesh[]) {
      if (this.#isTrusting && child.isMesh && child.children.length === 0) {
        this.#push(child, camera, groupOrder, list, clipping);
      } else this.project(child, camera, groupOrder, list, clipping);
    }
    end?.layers.test(camera.layers);
  }

  #push(mesh: Mesh, camera: Camera, groupOrder: number, list: RenderList, clipping: Clipping): void {
    const { geometry, material } = mesh;
    if (!mesh.visible || Array.isArray(material) || !mesh.layers.test(camera.layers)) return;
    if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
    const { center } = geometry.boundingSphere as Sphere;
    place.copy(center).applyMatrix4(mesh.matrixWorld);
    place.applyMatrix4((this as unknown as Internals)._projScreenMatrix);
    this.pushRenderItem(list, mesh, geometry, material, groupOrder, place.z, null, clipping);
  }
}

const place = new Vector3();

/** Ways to draw a scene: whether it is accelerated, and the drawing pipeline. */
const PIPELINES: Record<string, [isFast: boolean, make: () => StandardDrawingPipeline]> = {
  three: [false, () => new StandardDrawingPipeline()],
  accelerated: [true, () => new StandardDrawingPipeline()],
  pipeline: [true, () => new IndexDrawingPipeline(false)],
  trusting: [true, () => new IndexDrawingPipeline(true)],
};

const renderer = new WebGPURenderer({ antialias: false });
renderer.setSize(4, 3);

/** Pictures that are not measured: code is loaded and compiled. */
const WARM_UP = 12;
/** Radians by which the camera turns. */
const TURN = 0.01;
/** Milliseconds that a sample lasts at least. */
const SAMPLE = 12;

/** Times of each way, in milliseconds of a picture. */
async function measure(count: number, share: number, names: string[], rounds: number): Promise<number[][]> {
  await renderer.init();
  const { backend } = renderer as unknown as { backend: { draw?: unknown } };
  // Else each frame lasts as long as the GPU, which is a program here.
  backend.draw = () => {};
  // Of two equal scenes one may take a fifth longer, by where it lies in memory: so all that can share one do.
  const worlds = [false, true].map((isFast) => open(isFast, count, share));
  const ways = names.map((name) => {
    const [isFast, make] = PIPELINES[name];
    return { ...worlds[Number(isFast)], pipeline: make() };
  });
  const times: number[][] = names.map(() => []);
  /** The last turn of the camera of a world. */
  const turns = new Map<World, number>();
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const i of shuffled(ways.length)) {
      const { world, pipeline } = ways[i];
      renderer.drawingPipeline = pipeline;
      let spent = 0;
      let pictures = 0;
      while (spent < SAMPLE) {
        // To and fro, so that nothing is drawn for the first time while it is measured.
        const turn = -(turns.get(world) ?? TURN);
        turns.set(world, turn);
        world.camera.rotateY(turn);
        const start = performance.now();
        renderer.render(world.scene, world.camera);
        spent += performance.now() - start;
        pictures++;
        if (round < 0) break;
      }
      await new Promise((resolve) => setTimeout(resolve));
      if (round < 0) continue;
      times[i].push(spent / pictures);
    }
  }
  for (const { pipeline } of ways) pipeline.dispose();
  worlds[1].index?.dispose();
  delete backend.draw;
  return times;
}

function open(isFast: boolean, count: number, share: number): { world: World; index: SceneIndex | null } {
  const world = new World(count, 'flat');
  world.show(share);
  const index = isFast ? accelerate(world.scene) : null;
  index?.setStatic(world.scene);
  return { world, index };
}

/** The numbers below `count`, each time in another order. */
function shuffled(count: number): number[] {
  const keys = Array.from({ length: count }, () => Math.random());
  return [...keys.keys()].sort((a, b) => keys[a] - keys[b]);
}

Object.assign(globalThis, { bench: { measure } });
