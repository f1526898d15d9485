import { Group, MathUtils, Mesh } from 'three';
import { coldAt, coverAt, HALF, heightAt } from './land.js';
import { TreeShapes } from './TreeShapes.js';

/** Trees are grouped by squares, so many along an edge. */
const WOODS = 14;
const SEED = 23;
/** Tries for a place in the woods; after that any dry place will do. */
const TRIES = 12;

/** Each tree is a group of two meshes, as from an editor. Nothing is instanced. */
export class Trees {
  readonly object = new Group();
  readonly #shapes = new TreeShapes();
  /** The crowns of all trees. */
  crowns: Mesh[] = [];
  #count = 0;

  constructor() {
    this.object.name = 'Forest';
  }

  get count(): number {
    return this.#count;
  }

  /** Replaces all trees by so many new ones, the same each time. */
  plant(count: number): void {
    this.object.clear();
    this.crowns = [];
    this.#count = count;
    const woods = Array.from({ length: WOODS * WOODS }, (_, i) => {
      const wood = new Group();
      wood.name = `Wood ${i + 1}`;
      return wood;
    });
    MathUtils.seededRandom(SEED);
    for (let i = 0; i < count; i++) {
      const [x, z] = place();
      const tree = this.#grow(x, z);
      tree.name = `Tree ${i + 1}`;
      woods[woodAt(x) + WOODS * woodAt(z)]!.add(tree);
    }
    this.object.add(...woods.filter(({ children }) => children.length > 0));
  }

  dispose(): void {
    this.#shapes.dispose();
  }

  #grow(x: number, z: number): Group {
    const chance = MathUtils.seededRandom;
    const { trunk, conifers, crowns, needles, leaves, bark } = this.#shapes;
    const isConifer = chance() < coldAt(x, z);
    const height = isConifer ? 7 + 7 * chance() : 5 + 4.5 * chance();
    const stem = new Mesh(trunk, anyOf(bark));
    const top = isConifer ? new Mesh(anyOf(conifers), anyOf(needles)) : new Mesh(anyOf(crowns), anyOf(leaves));
    const girth = height * (0.9 + 0.35 * chance());
    top.scale.set(girth, height, girth);
    stem.scale.set(height, height, height);
    for (const part of [stem, top]) {
      part.castShadow = true;
      part.receiveShadow = true;
    }
    stem.name = 'Trunk';
    top.name = 'Crown';
    this.crowns.push(top);
    const tree = new Group();
    tree.add(stem, top);
    tree.position.set(x, heightAt(x, z), z);
    tree.rotation.y = 2 * Math.PI * chance();
    return tree;
  }
}

function place(): [x: number, z: number] {
  const chance = MathUtils.seededRandom;
  for (let tries = 0; ; tries++) {
    const x = 1.6 * HALF * (chance() - 0.5);
    const z = 1.6 * HALF * (chance() - 0.5);
    if (chance() < coverAt(x, z) || (tries > TRIES && heightAt(x, z) > 1.5)) return [x, z];
  }
}

function woodAt(c: number): number {
  return Math.floor(((c + HALF) / (2 * HALF)) * WOODS);
}

function anyOf<T>(list: readonly T[]): T {
  return list[Math.floor(MathUtils.seededRandom() * list.length)]!;
}
