import {
  BoxGeometry,
  type BufferGeometry,
  type Camera,
  Frustum,
  Group,
  InstancedMesh,
  type Material,
  type Matrix4,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  PerspectiveCamera,
  Scene,
  type Vector4,
} from 'three';
import { accelerate } from '../../src/render/accelerate.js';
import { cameraPass, withinRender } from './passes.js';
import { random } from './random.js';

/** Loads the code of `occlusion` and of limits; until then nothing is left out. */
export async function loadOcclusion(): Promise<void> {
  const index = accelerate(new Scene(), { occlusion: true, minPixels: 1 });
  await index.ready;
  index.dispose();
}

/** What passes ask a `WebGLRenderer`, of a canvas with one sample a pixel unless told otherwise. */
export class CanvasStandIn {
  readonly isWebGLRenderer = true;
  readonly render = (): void => {};
  readonly sortObjects = true;
  readonly clippingPlanes: unknown[] = [];
  readonly capabilities = { logarithmicDepthBuffer: false };
  readonly #context;
  width = 1280;
  height = 720;

  constructor(context: object = {}) {
    const attributes = { antialias: false, depth: true, ...context };
    this.#context = { getContextAttributes: () => attributes, getParameter: () => 24 };
  }

  getContext(): object {
    return this.#context;
  }

  getRenderTarget(): null {
    return null;
  }

  getCurrentViewport(out: Vector4): Vector4 {
    return out.set(0, 0, this.width, this.height);
  }
}

/** The objects that a camera's pass draws. */
export function drawn(scene: Scene, camera: Camera, renderer: object = new CanvasStandIn()): Object3D[] {
  scene.updateMatrixWorld();
  if (camera.matrixWorldAutoUpdate) camera.updateMatrixWorld();
  return withinRender(renderer, scene, camera, () =>
    cameraPass(scene, camera, new Frustum()).drawn.map(({ object }) => object),
  );
}

const box = new BoxGeometry();

/** A wall across the view, and things: in front of it, named "near …", and behind it, named "far …". */
export function wallScene(count = 100, seed = 1): { scene: Scene; wall: Mesh; camera: PerspectiveCamera } {
  const next = random(seed);
  const scene = new Scene();
  const material = new MeshBasicMaterial();
  const wall = new Mesh(box, new MeshBasicMaterial());
  wall.name = 'Wall 17';
  wall.scale.set(60, 40, 1);
  wall.position.z = -20;
  scene.add(wall);
  for (let i = 0; i < count; i++) {
    const isFar = i % 4 > 0;
    const thing = new Mesh(box, material);
    thing.name = `${isFar ? 'far' : 'near'} ${i}`;
    thing.position.set(next() * 10 - 5, next() * 8 - 4, isFar ? -25 - next() * 20 : -8 - next() * 6);
    scene.add(thing);
  }
  const camera = new PerspectiveCamera(50, 16 / 9, 0.1, 200);
  return { scene, wall, camera };
}

/**
 * Puts things to places in the world, below a group that lies somewhere, up to a distance: instances of one mesh, or a mesh
 * each.
 */
export function strew(
  scene: Scene,
  next: () => number,
  far: number,
  [geometry, material]: readonly [BufferGeometry, Material],
  places: readonly Matrix4[],
  isInstanced: boolean,
): InstancedMesh | Mesh[] {
  const parent = new Group();
  parent.position.set((2 * next() - 1) * far, 0, (2 * next() - 1) * far);
  parent.rotation.set(next() * 6, next() * 6, 0);
  parent.scale.setScalar(0.1 + next() * 3);
  scene.add(parent);
  parent.updateMatrixWorld();
  const inverse = parent.matrixWorld.clone().invert();
  const instances = new InstancedMesh(geometry, material, places.length);
  const meshes = places.map((place, i) => {
    const mesh = Object.assign(new Mesh(geometry, material), { matrixAutoUpdate: false });
    instances.setMatrixAt(i, mesh.matrix.multiplyMatrices(inverse, place));
    // In single precision.
    instances.getMatrixAt(i, mesh.matrix);
    return mesh;
  });
  if (isInstanced) parent.add(instances);
  else parent.add(...meshes);
  return isInstanced ? instances : meshes;
}

/** A place in the world with random turns, and sides from one size to another. */
export function anyPlace(
  next: () => number,
  at: readonly [x: number, y: number, z: number],
  least: number,
  most: number,
): Matrix4 {
  const place = new Object3D();
  place.position.set(...at);
  place.rotation.set(next() * 6, next() * 6, next() * 6);
  place.scale.set(...([0, 0, 0].map(() => least + next() * (most - least)) as [number, number, number]));
  place.updateMatrix();
  return place.matrix;
}
