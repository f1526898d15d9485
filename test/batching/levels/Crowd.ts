import {
  type BufferGeometry,
  type Camera,
  type Frustum,
  type Material,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  Scene,
  TorusKnotGeometry,
  type Vector4,
} from 'three';
// @ts-expect-error three has no types of it.
import { MeshoptSimplifier } from 'three/addons/libs/meshopt_simplifier.module.js';
import type { BatchedMeshState } from '../../../src/batching/BatchedMeshState.js';
import type { LevelMaker } from '../../../src/batching/LevelQueue.js';
import { levelsOf } from '../../../src/batching/levels/makeLevels.js';
import type { MeshBatch } from '../../../src/batching/MeshBatch.js';
import { batchReports } from '../../../src/batching/MeshBatching.js';
import type { SceneBatches } from '../../../src/batching/SceneBatches.js';
import { type AcceleratedScene, type AccelerateOptions, explain, type LevelOptions } from '../../../src/index.js';
import { accelerated } from '../../helpers/indexed.js';
import { cameraPass, frustumOf, intoShadowMap, withinRender } from '../../helpers/passes.js';
import { cameraAt } from '../Stage.js';

/** Makes levels without a worker. */
const make: LevelMaker = async (source, _, take) => levelsOf(source, MeshoptSimplifier, take);
export const HEIGHT = 400;

/** A scene that is drawn by levels of detail, and what stands in for its renderer. */
export class Crowd {
  readonly scene: Scene = new Scene();
  readonly index: AcceleratedScene;
  /** Height of the picture, in pixels, and its width. */
  height = HEIGHT;
  width = 2 * HEIGHT;
  readonly renderer: object = {
    isWebGLRenderer: true,
    sortObjects: true,
    getCurrentViewport: (to: Vector4): Vector4 => to.set(0, 0, this.width, this.height),
  };
  sun: Camera = cameraAt(300);
  /** What the camera of the last picture was shown. */
  shown: readonly Object3D[] = [];

  constructor(meshes: readonly Mesh[], levels: LevelOptions = {}, options: AccelerateOptions = {}) {
    this.scene.add(...meshes);
    this.scene.updateMatrixWorld();
    this.index = accelerated(this.scene, { batch: { atLeast: 2 }, levels: { make, ...levels }, ...options });
  }

  draw(camera: Camera, width = this.width, height = this.height): void {
    Object.assign(this, { width, height });
    if (camera.matrixWorldAutoUpdate) camera.updateMatrixWorld();
    this.scene.updateMatrixWorld();
    const { scene, sun, renderer } = this;
    withinRender(renderer, scene, camera, () => {
      const { drawn } = cameraPass(scene, camera, frustumOf(camera));
      this.shown = drawn.map(({ object }) => object);
      intoShadowMap(renderer, () => cast(scene, frustumOf(sun), camera, sun, renderer));
      for (const { object } of drawn as never as { object: Mesh }[]) {
        const { geometry, material } = object;
        object.onBeforeRender(renderer as never, scene, camera, geometry, material as Material, null as never);
      }
    });
  }

  /** Draws until all levels have been made, and are drawn. */
  async settle(camera: Camera): Promise<this> {
    await this.index.ready;
    for (let calm = 0, n = 0; calm < 4; calm++, n++) {
      if (n > 5000) throw new Error(this.say(this.scene.children[0] as Mesh, camera));
      this.draw(camera);
      await new Promise((resolve) => setTimeout(resolve, 5));
      const isWaiting = (mesh: unknown): boolean =>
        /yet to be made|changed a short/.test(this.say(mesh as Mesh, camera));
      if (this.scene.children.some(isWaiting)) calm = 0;
    }
    return this;
  }

  say(mesh: Mesh, camera: Camera): string {
    return explain(this.index, mesh, camera).join(' ');
  }

  /** The numbers of the index that the last pass drew of a mesh, and those of its levels with their errors. */
  drawnOf(mesh: Mesh): { count: number; counts: readonly number[]; errors: readonly number[] } {
    const { batch, slot } = this.placeOf(mesh);
    // Before a picture has shown it.
    if (slot < 0) return { counts: [], errors: [], count: 0 };
    const { _indirectTexture: texture, _multiDrawCounts: drawn, _multiDrawCount: length } = batch.mesh;
    const at = texture.image.data.subarray(0, length).indexOf(slot);
    return { counts: [], errors: [], ...batch.slots.levelsAt(slot), count: at < 0 ? 0 : drawn[at] };
  }

  get batches(): SceneBatches {
    return batchReports.get(this.scene)?.made as SceneBatches;
  }

  placeOf(mesh: Mesh): { batch: MeshBatch; slot: number } {
    const [draw] = (this.batches.states.get(mesh) as BatchedMeshState).draws;
    return { batch: draw?.group.batch as MeshBatch, slot: draw?.slot ?? -1 };
  }

  /** The level that the last pass drew of a mesh. */
  levelOf(mesh: Mesh): number {
    const { count, counts } = this.drawnOf(mesh);
    return counts.indexOf(count) + 1;
  }
}

function cast(object: Object3D, frustum: Frustum, camera: Camera, sun: Camera, renderer: object): void {
  const { geometry, material, isMesh } = object as Mesh;
  if (object.layers.test(camera.layers) && isMesh && object.castShadow && (object as Mesh).intersectsFrustum(frustum)) {
    const light = object as never;
    object.onBeforeShadow(renderer as never, light, camera, sun, geometry, material as Material, null as never);
  }
  for (const child of object.children) cast(child, frustum, camera, sun, renderer);
}

export const knot: BufferGeometry = new TorusKnotGeometry(1, 0.3, 120, 16);
export const paint = new MeshStandardMaterial();

const farAway = ({ position }: Mesh, i: number): unknown => position.set(i, 0, -500);

/** So many knots, placed by a function, as a rule far from the origin. */
export function knots(count: number, place: (mesh: Mesh, i: number) => void = farAway, geometry = knot): Mesh[] {
  return Array.from({ length: count }, (_, i) => {
    const mesh = new Mesh(geometry, paint);
    mesh.castShadow = true;
    place(mesh, i);
    mesh.updateMatrixWorld();
    return mesh;
  });
}
