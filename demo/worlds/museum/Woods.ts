import { Color, Group, InstancedMesh, MathUtils, Matrix4, MeshLambertMaterial, Quaternion, Vector3 } from 'three';
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

const UP = new Vector3(0, 1, 0);

interface Tree {
  readonly kind: number;
  readonly matrix: Matrix4;
  readonly tint: Color;
}

/** The forest: an instanced mesh for each kind of tree. */
export class Woods {
  readonly object = new Group();
  readonly #kinds: readonly Kind[] = kinds();
  readonly #material = new MeshLambertMaterial({ vertexColors: true });

  constructor(count: number) {
    this.object.name = 'Forest';
    this.plant(count);
  }

  get meshes(): readonly InstancedMesh[] {
    return this.object.children as InstancedMesh[];
  }

  /** Replaces all trees by so many; the first ones stand where they stood. */
  plant(count: number): void {
    this.#clear();
    MathUtils.seededRandom(SEED);
    const trees = Array.from({ length: count }, () => this.#grow());
    this.#kinds.forEach(({ name, geometry }, kind) => {
      const these = trees.filter((tree) => tree.kind === kind);
      const mesh = new InstancedMesh(geometry, this.#material, these.length);
      mesh.name = name;
      these.forEach(({ matrix, tint }, i) => {
        mesh.setMatrixAt(i, matrix);
        mesh.setColorAt(i, tint);
      });
      this.object.add(mesh);
    });
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

  #grow(): Tree {
    const chance = MathUtils.seededRandom;
    const [x, z] = place();
    const cast = chance();
    const sum = (upTo: number): number => this.#kinds.slice(0, upTo + 1).reduce((all, { share }) => all + share, 0);
    const kind = this.#kinds.findIndex((_, i) => cast < sum(i) || i === this.#kinds.length - 1);
    const [least, most] = this.#kinds[kind]!.height;
    const height = MathUtils.lerp(least, most, chance());
    const girth = height * (0.9 + 0.3 * chance());
    const matrix = new Matrix4().compose(
      new Vector3(x, heightAt(x, z) - 0.15, z),
      new Quaternion().setFromAxisAngle(UP, 2 * Math.PI * chance()),
      new Vector3(girth, height, girth),
    );
    return { kind, matrix, tint: new Color().setHSL(0.02 + 0.12 * chance(), 0.25, 0.74 + 0.16 * chance()) };
  }
}

/** More of them near the museum than far away, and behind it than before it; none on the path. */
function place(): [x: number, z: number] {
  const chance = MathUtils.seededRandom;
  for (;;) {
    const far = NEAREST + (REACH - NEAREST) * chance() ** 1.9;
    const angle = 2 * Math.PI * chance();
    const [x, z] = [far * Math.cos(angle), far * Math.sin(angle) + MIDDLE];
    const wanted = coverAt(x, z) * (0.86 - 0.14 * Math.sin(angle));
    if (chance() < wanted && offPath(x, z) > BESIDE) return [x, z];
  }
}
