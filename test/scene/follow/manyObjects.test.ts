import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { SceneIndex } from '../../../src/index.js';
import { random } from '../../helpers/random.js';
import { validateScene } from '../../helpers/validateScene.js';

/** More than fit in one page of what an update remembers, in two, and in many. */
const SIZES = [4_090, 8_300, 20_000];
const SHARES = { move: 0.1, leave: 0.3, come: 0.3, nest: 0.01 };

/** A scene and all meshes that were ever in it; the same numbers make the same one. */
class World {
  readonly scene: THREE.Scene = new THREE.Scene();
  readonly meshes: THREE.Mesh[] = [];
  readonly #geometries = [new THREE.BoxGeometry(), new THREE.SphereGeometry(1, 4, 3)];

  add(count: number, next: () => number): void {
    for (let i = 0; i < count; i++) {
      const mesh = new THREE.Mesh(this.#geometries[i % 2]);
      mesh.position.set(next() * 100, next() * 100, next() * 100);
      mesh.rotation.y = next() * 6;
      const isBelow = this.meshes.length > 0 && next() < 0.5;
      (isBelow ? this.meshes[Math.floor(next() * this.meshes.length)] : this.scene).add(mesh);
      this.meshes.push(mesh);
    }
  }

  /** Moves some, takes some out and puts others back, and hangs some below others. */
  edit(next: () => number): void {
    const { scene, meshes } = this;
    for (const mesh of meshes) {
      const chance = next();
      if (chance < SHARES.move) mesh.position.x += next();
      else if (chance < SHARES.move + SHARES.leave && next() < 0.3) mesh.removeFromParent();
      else if (mesh.parent === null && next() < SHARES.come) scene.add(mesh);
      else if (chance > 1 - SHARES.nest && mesh.children.length === 0) scene.attach(mesh);
    }
    if (next() < 0.3) scene.children.reverse();
  }
}

describe('each update of very many objects leaves what plain three leaves', () => {
  it.each(SIZES.map((size, seed) => [size, seed + 1]))('%i of them, seed %i', (size, seed) => {
    const [plain, indexed] = [new World(), new World()];
    const numbers = [random(seed), random(seed)] as const;
    plain.add(size, numbers[0]);
    indexed.add(size, numbers[1]);
    plain.scene.updateMatrixWorld();
    const index = new SceneIndex(indexed.scene);
    for (let frame = 0; frame < 12; frame++) {
      plain.edit(numbers[0]);
      indexed.edit(numbers[1]);
      if (frame % 4 === 2) {
        plain.add(size >> 2, numbers[0]);
        indexed.add(size >> 2, numbers[1]);
      }
      plain.scene.updateMatrixWorld();
      index.update();
      plain.meshes.forEach(({ matrixWorld }, i) => {
        const isEqual = matrixWorld.equals(indexed.meshes[i].matrixWorld);
        if (!isEqual) throw new Error(`mesh ${i} is elsewhere in frame ${frame}`);
      });
      expect(index.size).toBe(indexed.meshes.filter((mesh) => isIn(indexed.scene, mesh)).length);
      expect(validateScene(index)).toEqual([]);
      const [box, found] = [new THREE.Box3(), new THREE.Box3()];
      for (let i = 0; i < indexed.meshes.length; i += 97) {
        const mesh = indexed.meshes[i];
        if (isIn(indexed.scene, mesh)) {
          expect(index.getBox(mesh, found)).toEqual(
            box
              .copy(mesh.geometry.boundingBox ?? new THREE.Box3().setFromBufferAttribute(positions(mesh)))
              .applyMatrix4(mesh.matrixWorld),
          );
        }
      }
    }
  });
});

const positions = ({ geometry }: THREE.Mesh): THREE.BufferAttribute =>
  geometry.attributes.position as THREE.BufferAttribute;

function isIn(scene: THREE.Scene, mesh: THREE.Mesh): boolean {
  let top: THREE.Object3D = mesh;
  while (top.parent !== null) top = top.parent;
  return top === scene;
}
