import { BoxGeometry, Group, MathUtils, MeshBasicMaterial } from 'three';
import { HERD, MOST_ENTITIES } from '../../state/controls/worldControls.js';
import { disposeTree } from '../../views/drawings/Drawing.js';
import { NumberedMesh, numberTexture } from '../../views/drawings/NumberedMesh.js';

/** Half a side of the square in which they wander, in metres. */
export const HALF = 200;

/** Numbers per entity: start x and z, velocity x and z. */
const WAY = 4;
const SEED = 5;

/**
 * Entities that wander over a square. Each walks straight on and turns back at the border. Its position depends on the
 * time alone.
 */
export class Crowd {
  readonly root = new Group();
  /** x, z, height and width of each, as the towers of a map have them. */
  readonly places = numberTexture(MOST_ENTITIES);
  /** Number of entities; their numbers are below it. */
  count = 0;
  readonly #herds: NumberedMesh[][] = [];
  readonly #ways = new Float32Array(WAY * MOST_ENTITIES);
  readonly #shape = new BoxGeometry().translate(0, 0.5, 0);
  readonly #material = new MeshBasicMaterial();
  #seconds = 0;

  constructor(count: number) {
    this.root.name = 'Crowd';
    MathUtils.seededRandom(SEED);
    for (let i = 0; i < MOST_ENTITIES; i++) this.#draw(i);
    this.resize(count);
  }

  /** Adds or removes herds. */
  resize(count: number): void {
    const herds = Math.min(MOST_ENTITIES, Math.max(HERD, count)) / HERD;
    while (this.root.children.length > herds) this.root.remove(this.root.children.at(-1)!);
    while (this.root.children.length < herds) {
      const herd = new Group();
      herd.name = `Herd ${this.root.children.length + 1}`;
      herd.add(...this.#herd(this.root.children.length));
      this.root.add(herd);
    }
    this.count = HERD * this.root.children.length;
    this.moveTo(this.#seconds);
  }

  moveTo(seconds: number): void {
    this.#seconds = seconds;
    const { data } = this.places.image;
    const ways = this.#ways;
    for (let i = 0; i < this.count; i++) {
      const o = WAY * i;
      const x = fold(ways[o]! + ways[o + 2]! * seconds);
      const z = fold(ways[o + 1]! + ways[o + 3]! * seconds);
      data[4 * i] = x;
      data[4 * i + 1] = z;
      const entity = this.#herds[(i / HERD) | 0]![i % HERD]!;
      entity.position.set(x, 0, z);
    }
    this.places.needsUpdate = true;
  }

  dispose(): void {
    this.places.dispose();
    disposeTree(this.root);
  }

  #herd(number: number): NumberedMesh[] {
    const { data } = this.places.image;
    this.#herds[number] ??= Array.from({ length: HERD }, (_, k) => {
      const i = HERD * number + k;
      const entity = new NumberedMesh(this.#shape, this.#material, i);
      entity.name = `Entity ${i + 1}`;
      entity.scale.set(data[4 * i + 3]!, data[4 * i + 2]!, data[4 * i + 3]!);
      return entity;
    });
    return this.#herds[number]!;
  }

  /** Draws start, path and size of an entity at random. */
  #draw(i: number): void {
    const chance = MathUtils.seededRandom;
    const angle = 2 * Math.PI * chance();
    const speed = 0.6 + 2.2 * chance();
    const start = [2 * HALF * (chance() - 0.5), 2 * HALF * (chance() - 0.5)];
    this.#ways.set([...start, speed * Math.sin(angle), speed * Math.cos(angle)] as number[], WAY * i);
    this.places.image.data[4 * i + 2] = 1.3 + 0.9 * chance();
    this.places.image.data[4 * i + 3] = 0.7 + 0.3 * chance();
  }
}

/** Folds an unbounded path back into the square. */
function fold(at: number): number {
  const share = (at + HALF) / (4 * HALF);
  const back = share - Math.floor(share);
  return 4 * HALF * (back < 0.5 ? back : 1 - back) - HALF;
}
