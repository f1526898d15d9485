import { BufferGeometry, Float32BufferAttribute, Mesh, MeshBasicMaterial, type PerspectiveCamera, Scene } from 'three';
import { ItemBuffer } from './ItemBuffer.js';
import { PICTURE } from './occlude.js';
import type { World } from './worlds.js';

/** Where samples lie in a pixel: four of them, as most graphics cards have them. */
const SAMPLES = [
  [0.375, 0.125],
  [0.875, 0.375],
  [0.125, 0.625],
  [0.625, 0.875],
] as const;

/** What is truly seen of a world, by pictures of ids. */
export class WorldTruth {
  /** Samples that were looked at. */
  samples = 0;
  readonly #world: World;
  readonly #picture = new ItemBuffer(PICTURE.viewportWidth, PICTURE.viewportHeight);

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * Tells of each id whether any sample shows it. In the last picture those are drawn last that are said to be hidden, as
   * where depths are equal the last is seen.
   */
  seen(camera: PerspectiveCamera, ids: Iterable<number>, isHidden: (id: number) => boolean): Uint8Array {
    const { geometries, geometryOf, matrices, size } = this.#world;
    const picture = this.#picture;
    const seen = new Uint8Array(size);
    const order = this.#nearestFirst(camera, ids);
    const hiddenLast = [...order.filter((id) => !isHidden(id)), ...order.filter(isHidden)];
    SAMPLES.forEach(([x, y], i) => {
      picture.begin(camera.projectionMatrix.elements, x, y);
      for (const id of i === SAMPLES.length - 1 ? hiddenLast : order) {
        const { positions } = geometries[geometryOf[id]];
        picture.draw(positions, matrices, 16 * id, camera.matrixWorldInverse.elements, id);
      }
      picture.mark(seen);
      this.samples += picture.ids.length;
    });
    return seen;
  }

  /** So that few pixels are written twice. */
  #nearestFirst({ position }: PerspectiveCamera, ids: Iterable<number>): number[] {
    const { boxes } = this.#world;
    const eye = position.toArray();
    const farness = (id: number): number =>
      eye.reduce((sum, x, k) => sum + Math.max(boxes[6 * id + k] - x, 0, x - boxes[6 * id + 3 + k]) ** 2, 0);
    return Array.from(ids, (id) => [farness(id), id])
      .sort(([a], [b]) => a - b)
      .map(([, id]) => id);
  }
}

/** A world as a scene of meshes, which bear their ids as names. */
export function sceneOf(world: World): Scene {
  const { geometries, geometryOf, size } = world;
  const scene = new Scene();
  const material = new MeshBasicMaterial();
  const shapes = geometries.map(({ positions }) =>
    new BufferGeometry().setAttribute('position', new Float32BufferAttribute(positions, 3)),
  );
  for (let id = 0; id < size; id++) {
    const mesh = new Mesh(shapes[geometryOf[id]], material);
    mesh.name = `${id}`;
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(world.matrixOf(id));
    scene.add(mesh);
  }
  return scene;
}
