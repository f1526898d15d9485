import { Box3, type Mesh, type Vector3 } from 'three';
import { Packed } from '../../../src/index.js';
import { IdList } from '../../../src/standalone.js';

/** How close the player comes to a wall, and between which heights one is in the way; in metres. */
const RADIUS = 0.35;
const LOW = 0.4;
const HIGH = 1.7;

/** What a walker does not pass: houses and walls, by an index of their boxes. */
export class Obstacles {
  readonly #index = new Packed();
  readonly #found = new IdList();
  readonly #box = new Float64Array(6);

  constructor(meshes: readonly Mesh[]) {
    const box = new Box3();
    const boxes = meshes.flatMap((mesh) => {
      box.setFromObject(mesh);
      return [...box.min, ...box.max];
    });
    this.#index.addAll(boxes);
  }

  /** Moves a position out of what it is in, by the shortest way along an axis. */
  keepOut(position: Vector3): void {
    const { x, z } = position;
    this.#index.queryBox([x - RADIUS, LOW, z - RADIUS, x + RADIUS, HIGH, z + RADIUS], this.#found);
    const { ids, length } = this.#found;
    for (let i = 0; i < length; i++) {
      const box = this.#index.getBox(ids[i]!, this.#box) as unknown as [number, number, number, number, number, number];
      const ways: [step: number, axis: 'x' | 'z'][] = [
        [box[0] - RADIUS - position.x, 'x'],
        [box[3] + RADIUS - position.x, 'x'],
        [box[2] - RADIUS - position.z, 'z'],
        [box[5] + RADIUS - position.z, 'z'],
      ];
      // Another one may have moved it out already.
      if (ways[0]![0] >= 0 || ways[1]![0] <= 0 || ways[2]![0] >= 0 || ways[3]![0] <= 0) continue;
      const [step, axis] = ways.reduce((best, way) => (Math.abs(way[0]) < Math.abs(best[0]) ? way : best));
      position[axis] += step;
    }
  }
}
