import { BoxGeometry, Group, MathUtils, Mesh, MeshStandardMaterial } from 'three';
import { disposeTree } from '../../views/drawings/Drawing.js';
import { statues } from './shapes.js';

/** Metres from one statue to the next, and their number in a row. */
const STEP = 7;
const ROW = 20;
const HEIGHT = 0.9;
const SEED = 11;
const STONES = ['#e8e4da', '#b9c2c4', '#c98a68', '#8f9c7f'];

/** Half the width of the park, and half its depth with so many statues, in metres. */
export const HALF_WIDTH = (STEP * (ROW + 1)) / 2;
export const halfDepth = (count: number): number => (STEP * (Math.ceil(count / ROW) + 1)) / 2;

/** Rows of statues on plinths, of a few shapes with thousands of triangles each. */
export class Park {
  readonly root = new Group();
  /** Those that stand there now. */
  statues: readonly Mesh[] = [];
  readonly #stones = STONES.map((color) => new MeshStandardMaterial({ color, roughness: 0.6 }));
  readonly #shapes = statues();
  readonly #block = new BoxGeometry().translate(0, 0.5, 0);
  readonly #lawn: Mesh;
  readonly #rows = new Group();
  readonly #paths = new Group();

  constructor(count: number) {
    this.root.name = 'Park';
    this.#rows.name = 'Statues';
    this.#paths.name = 'Paths';
    this.#lawn = new Mesh(this.#block, new MeshStandardMaterial({ color: '#7c9163', roughness: 1 }));
    this.#lawn.name = 'Lawn';
    this.root.add(this.#lawn, this.#rows, this.#paths);
    const gravel = new MeshStandardMaterial({ color: '#cdc3ad', roughness: 1 });
    for (let k = 0; k <= ROW; k += 2) {
      const path = new Mesh(this.#block, gravel);
      path.name = `Path ${k / 2 + 1}`;
      path.position.x = STEP * (k + 0.5) - HALF_WIDTH;
      this.#paths.add(path);
    }
    this.resize(count);
  }

  /** Puts up so many statues. */
  resize(count: number): void {
    MathUtils.seededRandom(SEED);
    this.#rows.clear();
    const depth = halfDepth(count);
    this.#lawn.position.y = -0.2;
    this.#lawn.scale.set(2 * HALF_WIDTH, 0.2, 2 * depth);
    for (const path of this.#paths.children) path.scale.set(2.4, 0.02, 2 * depth);
    this.statues = Array.from({ length: count }, (_, i) => {
      const x = STEP * ((i % ROW) + 1) - HALF_WIDTH;
      const z = STEP * (Math.floor(i / ROW) + 1) - depth;
      return this.#putStatue(i, x, z);
    });
    this.root.updateMatrixWorld(true);
  }

  /** The stone that a statue is made of. */
  stoneOf(statue: Mesh): MeshStandardMaterial {
    return this.#stones[(statue.userData as { stone: number }).stone]!;
  }

  dispose(): void {
    disposeTree(this.root);
    for (const [, geometry] of this.#shapes) geometry.dispose();
    for (const stone of this.#stones) stone.dispose();
  }

  #putStatue(i: number, x: number, z: number): Mesh {
    const chance = MathUtils.seededRandom;
    const [name, shape] = this.#shapes[Math.floor(chance() * this.#shapes.length)]!;
    const stone = Math.floor(chance() * STONES.length);
    const plinth = new Mesh(this.#block, this.#stones[1]!);
    plinth.name = `Plinth ${i + 1}`;
    plinth.position.set(x, 0, z);
    plinth.scale.set(1.3, HEIGHT, 1.3);
    const statue = new Mesh(shape, this.#stones[stone]!);
    statue.name = `${name} ${i + 1}`;
    statue.userData.stone = stone;
    statue.position.set(x, HEIGHT, z);
    statue.rotation.y = 6 * chance();
    statue.scale.setScalar(1.6 + 0.9 * chance());
    this.#rows.add(plinth, statue);
    return statue;
  }
}
