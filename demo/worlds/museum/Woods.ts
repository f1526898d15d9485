import { Color, Group, InstancedMesh, MathUtils, MeshLambertMaterial, Object3D } from 'three';
import { coverAt, HALF, heightAt } from './land.js';
import { offPath } from './plan.js';
import { type Kind, kinds } from './trees.js';

const SEED = 29;
/** Trees stand at least so far from the path. */
const BESIDE = 7;
/** They stand so far from the middle of the clearing at most, and at least. */
const REACH = 0.68 * HALF;
const NEAREST = 64;
/** The middle of the clearing, along z. */
const MIDDLE = -8;

const chance = MathUtils.seededRandom;

/** The woods around the clearing: an instanced mesh for each kind of tree. */
export class Woods {
  readonly object = new Group();
  readonly #kinds: readonly Kind[] = kinds();
  readonly #material = new MeshLambertMaterial({ vertexColors: true });

  constructor(count: number) {
    this.object.name = 'Woods';
    this.plant(count);
  }

  get meshes(): readonly InstancedMesh[] {
    return this.object.children as InstancedMesh[];
  }

  /** Replaces all trees by so many; the first ones of each kind stand where they stood. */
  plant(count: number): void {
    this.#clear();
    const tree = new Object3D();
    const tint = new Color();
    for (const [i, kind] of this.#kinds.entries()) {
      const mesh = new InstancedMesh(kind.geometry, this.#material, Math.round(kind.share * count));
      mesh.name = kind.name;
      chance(SEED + i);
      for (let n = 0; n < mesh.count; n++) {
        place(tree, kind);
        mesh.setMatrixAt(n, tree.matrix);
        mesh.setColorAt(n, tint.setHSL(0.02 + 0.12 * chance(), 0.25, 0.74 + 0.16 * chance()));
      }
      this.object.add(mesh);
    }
    this.object.updateMatrixWorld(true);
  }

  dispose(): void {
    this.#clear();
    for (const { geometry } of this.#kinds) geometry.dispose();
    this.#material.dispose();
  }

  #clear(): void {
    for (const mesh of this.meshes) mesh.dispose();
    this.object.clear();
  }
}

/** Chooses the place, turn and size of a tree. */
function place(tree: Object3D, kind: Kind): void {
  const [x, z] = somewhere();
  const height = MathUtils.lerp(...kind.height, chance());
  const girth = height * (0.9 + 0.3 * chance());
  tree.position.set(x, heightAt(x, z) - 0.15, z);
  tree.rotation.y = 2 * Math.PI * chance();
  tree.scale.set(girth, height, girth);
  tree.updateMatrix();
}

/** More of them near the museum than far away, and behind it than before it; none on the path. */
function somewhere(): [x: number, z: number] {
  for (;;) {
    const far = NEAREST + (REACH - NEAREST) * chance() ** 1.9;
    const angle = 2 * Math.PI * chance();
    const [x, z] = [far * Math.cos(angle), far * Math.sin(angle) + MIDDLE];
    const wanted = coverAt(x, z) * (0.86 - 0.14 * Math.sin(angle));
    if (chance() < wanted && offPath(x, z) > BESIDE) return [x, z];
  }
}
