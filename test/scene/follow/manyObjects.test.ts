import * as THREE from 'three';
import { expect, it } from 'vitest';
import { SceneIndex } from '../../../src/index.js';
import { boxOf } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import { allOf } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';

/** More than fit in one page of what an update remembers, in two, and in many. */
const SIZES = [4_090, 8_300, 20_000];

const geometry = new THREE.SphereGeometry(1, 4, 3);
geometry.computeBoundingBox();

/** A scene and all meshes that were ever in it; the same seed makes the same one, and the same of it. */
class World {
  readonly scene: THREE.Scene = new THREE.Scene();
  readonly meshes: THREE.Mesh[] = [];
  readonly #next: () => number;

  constructor(size: number, seed: number) {
    this.#next = random(seed);
    this.add(size);
  }

  add(count: number): void {
    const next = this.#next;
    for (let i = 0; i < count; i++) {
      const mesh = new THREE.Mesh(geometry);
      mesh.position.set(next() * 100, next() * 100, next() * 100);
      mesh.rotation.y = next() * 6;
      const isBelow = this.meshes.length > 0 && next() < 0.5;
      (isBelow ? this.meshes[Math.floor(next() * this.meshes.length)] : this.scene).add(mesh);
      this.meshes.push(mesh);
    }
  }

  /** Moves some, takes some out and puts others back, and hangs some elsewhere. */
  edit(): void {
    const next = this.#next;
    for (const mesh of this.meshes) {
      const chance = next();
      if (chance < 0.1) mesh.position.x += next();
      else if (chance < 0.2) mesh.removeFromParent();
      else if (mesh.parent === null && chance < 0.5) this.scene.add(mesh);
      else if (chance > 0.99 && mesh.children.length === 0) this.scene.attach(mesh);
    }
    if (next() < 0.3) this.scene.children.reverse();
  }
}

it.each(SIZES.map((size, seed) => [size, seed + 1]))(
  'each update of very many objects leaves what plain three leaves: %i of them, seed %i',
  (size, seed) => {
    const [plain, indexed] = [new World(size, seed), new World(size, seed)];
    plain.scene.updateMatrixWorld();
    const index = new SceneIndex(indexed.scene);
    for (let frame = 0; frame < 12; frame++) {
      for (const world of [plain, indexed]) {
        world.edit();
        if (frame % 4 === 2) world.add(size >> 2);
      }
      plain.scene.updateMatrixWorld();
      index.update();
      plain.meshes.forEach(({ matrixWorld }, i) => {
        const isEqual = matrixWorld.equals(indexed.meshes[i].matrixWorld);
        if (!isEqual) throw new Error(`mesh ${i} is elsewhere in frame ${frame}`);
      });
      const all = allOf(indexed.scene).slice(1);
      expect(index.size).toBe(all.length);
      expect(validateScene(index)).toEqual([]);
      const box = geometry.boundingBox as THREE.Box3;
      for (let i = 0; i < all.length; i += 97) {
        expect(boxOf(index, all[i])).toEqual(box.clone().applyMatrix4(all[i].matrixWorld));
      }
    }
  },
);
