import { LRUCache, TilesRenderer } from '3d-tiles-renderer';
import * as THREE from 'three';
import { readPicture } from '../helpers/pictures.js';

const TILESET = new URL('../../assets/tiles/tileset.json', import.meta.url).href;

/** A scene with a set of 3D Tiles that are loaded as its camera flies, and let go soon after they are out of view. */
export class TileFlight {
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
export function describeHit({ object, distance, faceIndex, point }: THREE.Intersection): string {
  return [nameOf(object), object.name, distance, faceIndex, ...point].join(' ');
}
