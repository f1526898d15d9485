import type { Matrix4 } from 'three';
import { Draws } from '../instances/drawn/drawLists.js';
import type { PassLevels } from '../instances/drawn/LevelViews.js';
import type { PlacedCells } from './PlacedGeometry.js';

/** Share by which programs round the places of vertices, in single precision. */
const SINGLE = 2 ** -20;
/** Numbers of the four planes at the sides of a view. What lies before or behind it is left to the graphics card. */
const SIDES = 16;

/** The cells of one slot that a pass draws. */
interface ShownCells {
  readonly starts: number[];
  readonly counts: number[];
  /** Numbers of the index that are drawn. */
  numbers: number;
}

/** The slots of a batch that a pass draws in cells: those of its cells that are in view, each by its level. */
export class CellDraws {
  readonly #bySlot = new Map<number, ShownCells>();
  readonly #draws = new Draws();

  begin(): void {
    this.#bySlot.clear();
  }

  /** The cells that are drawn of a slot; undefined for one that is drawn whole. */
  of(slot: number): { readonly cells: number; readonly numbers: number } | undefined {
    const shown = this.#bySlot.get(slot);
    return shown && { cells: shown.counts.length, numbers: shown.numbers };
  }

  /**
   * Has a slot drawn in cells if these have fewer triangles.
   * @param world The matrix of the slot, and the largest scale of that.
   * @param whole Numbers of the index that are drawn of it else.
   */
  choose(slot: number, cells: PlacedCells, world: Matrix4, scale: number, whole: number, pass: PassLevels): void {
    const { balls, least, firsts, offsets, place, of } = cells;
    const { elements: e } = world;
    const shown: ShownCells = { starts: [], counts: [], numbers: 0 };
    for (let cell = 0; cell < firsts.length && shown.numbers < whole; cell++) {
      const b = 4 * cell;
      const [x, y, z] = [balls[b], balls[b + 1], balls[b + 2]];
      const wx = e[0] * x + e[4] * y + e[8] * z + e[12];
      const wy = e[1] * x + e[5] * y + e[9] * z + e[13];
      const wz = e[2] * x + e[6] * y + e[10] * z + e[14];
      const radius = scale * balls[b + 3];
      if (!pass.planes.some((planes) => isBetween(planes, wx, wy, wz, radius))) continue;
      const at = firsts[cell] + pass.levelAt(least[cell], scale, wx, wy, wz, radius);
      shown.starts.push(place + offsets[at]);
      shown.counts.push(of.counts[at]);
      shown.numbers += of.counts[at];
    }
    if (shown.numbers < whole) this.#bySlot.set(slot, shown);
  }

  /** The same draws, with those of cells in the place of slots that are drawn in such. */
  expand(draws: Draws): Draws {
    if (this.#bySlot.size === 0) return draws;
    const all = this.#draws;
    const { ids, length } = draws.ids;
    let count = length;
    for (const { counts } of this.#bySlot.values()) count += counts.length;
    all.reserve(count);
    const slots = all.ids.reserve(count);
    let n = 0;
    for (let i = 0; i < length; i++) {
      const shown = this.#bySlot.get(ids[i]);
      for (let k = 0; k < (shown?.counts.length ?? 1); k++) {
        slots[n] = ids[i];
        all.starts[n] = shown?.starts[k] ?? draws.starts[i];
        all.counts[n++] = shown?.counts[k] ?? draws.counts[i];
      }
    }
    all.ids.length = n;
    return all;
  }
}

/** False for a ball of which nothing is drawn between the planes at the sides of a view. */
function isBetween(planes: Float64Array, x: number, y: number, z: number, radius: number): boolean {
  const size = Math.abs(x) + Math.abs(y) + Math.abs(z) + radius;
  for (let p = 0; p < SIDES; p += 4) {
    const constant = planes[p + 3];
    const rounded = SINGLE * (size + Math.abs(constant));
    if (planes[p] * x + planes[p + 1] * y + planes[p + 2] * z + constant < -radius - rounded) return false;
  }
  return true;
}
