import { type Camera, Group, Mesh, MeshLambertMaterial, OrthographicCamera, PlaneGeometry, Scene } from 'three';
import { expect, vi } from 'vitest';
import { BatchMemory } from '../../src/batching/BatchMemory.js';
import { MeshBatch } from '../../src/batching/MeshBatch.js';
import { batchReports } from '../../src/batching/MeshBatching.js';
import { howBatched } from '../../src/explain/report.js';
import type { AcceleratedScene } from '../../src/index.js';
import { accelerate } from '../../src/index.js';
import { partsOf } from '../../src/scene/SceneIndex.js';
import { drawnTriangles, plainTriangles } from '../helpers/drawnTriangles.js';
import { loadBatching } from '../helpers/loadBatching.js';

/** How a mesh is when something happens to it. */
export const ROWS = ['new', 'few', 'next', 'seated', 'alone'] as const;
export type Row = (typeof ROWS)[number];

/** By what is said of a mesh, its state in a word. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^It is drawn in /, 'seated'],
  [/no frame has shown it yet/, 'new'],
  [/too few others are similar/, 'few'],
  [/joins in the next frame/, 'next'],
  [/is checked in the next/, 'unseen'],
  [/differs from the one it joined with/, 'away'],
  [/memory limit/, 'full'],
  [/onAfterRender/, 'alone'],
  [/onBeforeCompile/, 'compiles'],
  [/matrix shears/, 'sheared'],
  [/morph/, 'morphs'],
  [/batches are switched off/, 'forbidden'],
  [/lacks a material/, 'unpainted'],
  [/wireframe: true/, 'wireframe'],
];

const batches = new Set<MeshBatch>();
const memories = new Set<BatchMemory>();

/** Notes the batches that are made, and what memory they take. */
export function watchBatches(): void {
  const { setMatrix, dispose } = MeshBatch.prototype;
  const { allocate } = BatchMemory.prototype;
  vi.spyOn(MeshBatch.prototype, 'setMatrix').mockImplementation(function (this: MeshBatch, ...given) {
    batches.add(this);
    setMatrix.apply(this, given);
  });
  vi.spyOn(MeshBatch.prototype, 'dispose').mockImplementation(function (this: MeshBatch) {
    batches.delete(this);
    dispose.call(this);
  });
  vi.spyOn(BatchMemory.prototype, 'allocate').mockImplementation(function (this: BatchMemory, bytes) {
    memories.add(this);
    return allocate.call(this, bytes);
  });
}

/** Loads what draws meshes in batches, transparent ones as well: else that would be on its way when the last test is over. */
export async function loadAllBatching(): Promise<void> {
  await import('../../src/batching/transparentRuns.js');
  await loadBatching();
}

/** A camera in front of what it looks at, so many units to each side. */
export function cameraAt(reach: number): OrthographicCamera {
  const camera = new OrthographicCamera(-reach, reach, reach, -reach, 0, 100);
  camera.position.z = 50;
  camera.updateMatrixWorld();
  return camera;
}

/** A scene with a mesh in one of the states, among others that are like it. Each picture of it is compared with plain three's. */
export class Stage {
  readonly scene = new Scene();
  readonly camera = cameraAt(10);
  readonly sun = cameraAt(5e4);
  readonly index: AcceleratedScene;
  readonly holder = new Group();
  readonly kin: Mesh[] = [];
  readonly paint = new MeshLambertMaterial({ color: 0x336699 });
  readonly plane = new PlaneGeometry();
  readonly mesh: Mesh = new Mesh(this.plane, this.paint);
  memory: BatchMemory | null = null;

  private constructor(row: Row) {
    batches.clear();
    memories.clear();
    const others = row === 'few' ? 2 : 5;
    // Of a batch that is not about it, so that nothing depends on its being the first.
    const paints = [this.paint, new MeshLambertMaterial({ color: 0x993366 })];
    for (let i = 0; i < others; i++) this.#add(new Mesh(this.plane, paints[i % 2]), -8 + 2 * i);
    for (let i = 0; i < 4; i++)
      this.#add(new Mesh(this.plane, new MeshLambertMaterial({ emissive: 0x222222 })), -8 + 2 * i, 4);
    this.mesh.name = 'subject';
    this.mesh.position.set(3, 5, 1);
    this.mesh.castShadow = true;
    this.scene.add(this.holder);
    if (row === 'alone') this.mesh.onAfterRender = () => {};
    this.index = accelerate(this.scene, { batch: { atLeast: 4 } });
  }

  /** A stage whose mesh is in a state. */
  static of(row: Row): Stage {
    const stage = new Stage(row);
    if (row === 'few' || row === 'seated' || row === 'alone') stage.holder.add(stage.mesh);
    for (let i = 0; i < 3; i++) stage.draw();
    if (stage.mesh.parent === null) stage.holder.add(stage.mesh);
    stage.scene.updateMatrixWorld();
    if (row === 'next') stage.draw();
    [stage.memory] = memories;
    expect(stage.state, 'at the beginning').toBe(row);
    return stage;
  }

  /**
   * Makes a picture, which has to show what plain three's does.
   * @param within Done once it is listed, and before its shadows.
   */
  draw(within: () => void = () => {}, camera: Camera = this.camera): void {
    const { scene, sun } = this;
    scene.updateMatrixWorld();
    const { main } = plainTriangles(scene, camera, sun);
    const drawn = drawnTriangles(scene, camera, sun, within);
    const { shadow } = plainTriangles(scene, camera, sun);
    expect(drawn).toMatchObject({ main, shadow });
  }

  /** Makes a picture, and tells the state of the mesh by then. */
  drawn(): string {
    this.draw();
    return this.state;
  }

  /** Makes a picture in which others are made. */
  drawWithin(within: () => void): void {
    this.scene.updateMatrixWorld();
    drawnTriangles(this.scene, this.camera, this.sun, within);
  }

  /** Disposes the index, after which nothing is left of its batches. */
  dispose(): void {
    this.index.dispose();
    expect([this.slots, this.bytes], 'slots and bytes at the end').toEqual([0, 0]);
  }

  /** What is said of the mesh, in a word. The slots of all meshes have to be as many as those that batches have in use. */
  get state(): string {
    const batches = batchReports.get(this.scene)?.made;
    const taken = [...this.kin, this.mesh].flatMap((mesh) => batches?.states.get(mesh)?.draws ?? []);
    expect(taken.filter(({ slot }) => slot >= 0).length, 'slots').toBe(this.slots);
    const record = partsOf(this.index, 'Stage').follower.hierarchy.recordOf(this.mesh);
    return stateOf((record && howBatched(this.scene, record)) ?? '');
  }

  get slots(): number {
    return [...batches].reduce((sum, { slots }) => sum + slots.size, 0);
  }

  get bytes(): number {
    return [...memories].reduce((sum, { used }) => sum + used, 0);
  }

  #add(mesh: Mesh, x: number, y = 0): void {
    mesh.position.set(x, y, 0);
    mesh.castShadow = true;
    this.scene.add(mesh);
    this.kin.push(mesh);
  }
}

function stateOf(said: string): string {
  return said === '' ? 'none' : (WORDS.find(([words]) => words.test(said))?.[1] ?? said);
}
