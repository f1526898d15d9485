import { LRUCache, TilesRenderer } from '3d-tiles-renderer';
import * as THREE from 'three';
import { type AcceleratedScene, accelerate, explain } from 'three-scene-index';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadBatching } from '../helpers/loadBatching.js';
import { differences, endRenderer, makeRenderer, otherPixels, readPicture } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { validateScene } from '../helpers/validateScene.js';

const TILESET = new URL('../../assets/tiles/tileset.json', import.meta.url).href;

/** A scene with a set of 3D Tiles that are loaded as its camera flies, and let go soon after they are out of view. */
class TileFlight {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(50, 1, 1, 900);
  readonly tiles = new TilesRenderer(TILESET);
  loaded = 0;
  unloaded = 0;
  readonly #renderer: THREE.WebGLRenderer;

  /** @param culls Whether the renderer is to cull tiles, too: as a rule that is left to `TilesRenderer`. */
  constructor(renderer: THREE.WebGLRenderer, culls: boolean) {
    this.#renderer = renderer;
    const sun = new THREE.DirectionalLight('#fff1d6', 2.2);
    sun.position.set(2, 4, 1);
    this.scene.background = new THREE.Color(0x334455);
    this.scene.add(new THREE.HemisphereLight('#eaf4ff', '#6d6a60', 2), sun);
    const { tiles } = this;
    tiles.group.rotation.x = -Math.PI / 2;
    tiles.autoDisableRendererCulling = !culls;
    // All share one as a rule. This one keeps nothing that is not in use, and refuses nothing: what is shown once all is
    // loaded depends on the camera alone.
    const { unloadPriorityCallback } = tiles.lruCache;
    tiles.lruCache = Object.assign(new LRUCache(), { unloadPriorityCallback, minSize: 0 });
    tiles.addEventListener('load-model', () => this.loaded++);
    tiles.addEventListener('dispose-model', () => this.unloaded++);
    tiles.setCamera(this.camera);
    tiles.setResolutionFromRenderer(this.camera, renderer);
    this.scene.add(tiles.group);
  }

  /** Flies a way, from 0 to 1, in a bow over the city. */
  moveTo(way: number): void {
    const angle = 5 * way;
    this.camera.position.set(330 * Math.sin(angle), 40 + 300 * way * way, 260 * Math.cos(angle));
    this.camera.lookAt(110 * Math.cos(2 * angle), 0, 60 * Math.sin(angle));
    this.camera.updateMatrixWorld();
  }

  /** Draws a frame, with the tiles that are there. */
  draw(): Uint8Array {
    this.tiles.update();
    this.#renderer.render(this.scene, this.camera);
    return readPicture(this.#renderer);
  }

  /** Lets frames pass until no tile is to come or go. */
  async settle(): Promise<void> {
    let before = '';
    for (let calm = 0; calm < 3; ) {
      this.draw();
      await new Promise(requestAnimationFrame);
      // Its own `isLoading` is false for a moment between the download of a tile and its parsing.
      const { itemList, loadedSet } = this.tiles.lruCache as unknown as Cache;
      const now = [itemList.length, ...this.shown()].join();
      calm = now === before && loadedSet.size === itemList.length && this.shown().length > 0 ? calm + 1 : 0;
      before = now;
    }
  }

  /** The tiles in the scene, by their files. */
  shown(): string[] {
    return this.tiles.group.children.map(nameOf).sort();
  }

  /** The meshes of these tiles. */
  get meshes(): THREE.Mesh[] {
    const meshes: THREE.Mesh[] = [];
    this.tiles.group.traverse((object) => {
      if ('isMesh' in object) meshes.push(object as THREE.Mesh);
    });
    return meshes;
  }

  dispose(): void {
    this.tiles.dispose();
  }
}

/** What its types leave out: tiles that are there or to come, and those that are there. */
interface Cache {
  readonly itemList: readonly unknown[];
  readonly loadedSet: ReadonlySet<unknown>;
}

/** The file of the tile that an object belongs to. */
function nameOf(object: THREE.Object3D): string {
  return object.userData.tile.content.uri;
}

/** A hit in words, the same for objects that were loaded twice. */
function describeHit({ object, distance, faceIndex, point }: THREE.Intersection): string {
  return [nameOf(object), object.name, distance, faceIndex, ...point].join(' ');
}

const SIZE = 160;
const STOPS = 5;
const FRAMES = 5;
const RAYS = 60;

let renderer: THREE.WebGLRenderer;
beforeAll(async () => {
  renderer = makeRenderer(SIZE);
  await loadBatching();
});
afterAll(() => endRenderer(renderer));

/** Hits of the same random rays in both scenes, in order. */
function expectSameHits(plain: TileFlight, fast: TileFlight, next: () => number): number {
  let count = 0;
  for (let ray = 0; ray < RAYS; ray++) {
    const point = new THREE.Vector2(2 * next() - 1, 2 * next() - 1);
    const [expected, found, among, first] = [plain, fast, fast, fast].map(({ scene, camera }, i) => {
      const raycaster = new THREE.Raycaster();
      raycaster.setFromCamera(point, camera);
      raycaster.firstHitOnly = i === 3;
      const hits = i === 2 ? raycaster.intersectObjects(scene.children) : raycaster.intersectObject(scene);
      return hits.map(describeHit);
    });
    expect(found).toEqual(expected);
    expect(among).toEqual(expected);
    // Of each mesh, where its own `raycast` knows of it.
    expect(first).toEqual(expected);
    count += expected.length;
  }
  return count;
}

function expectInOrder(index: AcceleratedScene, { meshes }: TileFlight): void {
  expect(validateScene(index)).toEqual([]);
  expect(index.size).toBe(meshes.length);
  for (const mesh of meshes) expect(index.has(mesh)).toBe(true);
}

describe.each([
  { culls: false, batch: false },
  { culls: true, batch: true },
])('3D Tiles, culled by the renderer: $culls, in batches: $batch', ({ culls, batch }) => {
  test('come and go while the camera flies, with the pictures and picks of plain three', async () => {
    const [plain, fast] = [new TileFlight(renderer, culls), new TileFlight(renderer, culls)];
    const index = accelerate(fast.scene, { batch: batch && { atLeast: 4 } });
    const next = random(11);
    const sets = new Set<string>();
    let batched = 0;
    for (let stop = 0; stop < STOPS; stop++) {
      for (let frame = 1; frame <= FRAMES; frame++) {
        for (const flight of [plain, fast]) {
          flight.moveTo((stop + frame / FRAMES - 1) / (STOPS - 1));
          flight.draw();
        }
        await new Promise(requestAnimationFrame);
        expectInOrder(index, fast);
      }
      await plain.settle();
      await fast.settle();
      expect(fast.shown()).toEqual(plain.shown());
      sets.add(fast.shown().join());
      const [expected, picture] = [plain.draw(), fast.draw()];
      expect(new Set(expected).size).toBeGreaterThan(20);
      if (batch) expect(otherPixels(picture, expected, 2)).toBeLessThan((SIZE * SIZE) / 1000);
      else expect(differences(picture, expected)).toBe(0);
      expect(expectSameHits(plain, fast, next)).toBeGreaterThan(RAYS / 3);
      expectInOrder(index, fast);
      for (const mesh of fast.meshes) {
        if (explain(index, mesh, fast.camera).join().includes('drawn in a batch')) batched++;
      }
    }
    expect(sets.size).toBeGreaterThan(STOPS / 2);
    expect(fast.loaded).toBeGreaterThan(10);
    expect(fast.unloaded).toBeGreaterThan(3);
    expect(batched > 0).toBe(batch);
    fast.dispose();
    fast.draw();
    expect(index.size).toBe(0);
    expect(validateScene(index)).toEqual([]);
    index.dispose();
    plain.dispose();
  });
});
