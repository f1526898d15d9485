import { Matrix4 } from 'three';
import { Draws } from '../instances/drawn/drawLists.js';
import { carryEyes, levelFor, type PassLevels, unitAt } from '../instances/drawn/LevelViews.js';
import { largestStretch } from '../scene/objects/distortion.js';
import type { PlacedCells } from './PlacedGeometry.js';

/** Share by which programs round the positions of vertices, in single precision. */
const VERTEX_ROUNDING = 2 ** -20;
/** Numbers of the four planes at the sides of a view. Cells before or behind the view are left to the graphics card. */
const VIEW_SIDES = 16;

interface ShownCells {
  readonly starts: number[];
  readonly counts: number[];
  /** Numbers of the index that are drawn. */
  numbers: number;
}

/** The slots that a pass draws in cells: the cells in view, each by a level of its own. */
export class CellDraws {
  readonly #bySlot = new Map<number, ShownCells>();
  readonly #draws = new Draws();

  beginPass(): void {
    this.#bySlot.clear();
  }

  /** The number of cells and index numbers that are drawn of a slot; undefined for a slot that is drawn whole. */
  of(slot: number): { readonly cells: number; readonly numbers: number } | undefined {
    const shown = this.#bySlot.get(slot);
    return shown && { cells: shown.counts.length, numbers: shown.numbers };
  }

  /**
   * Has a slot drawn in cells if the visible cells have fewer triangles.
   * @param world The matrix of the slot.
   * @param whole Numbers of the index that the slot draws without cells.
   */
  choose(slot: number, cells: PlacedCells, world: Matrix4, whole: number, pass: PassLevels): void {
    const { boxes, least, firsts, offsets, place, of } = cells;
    inverse.copy(world).invert();
    const [largest, smallest] = [largestStretch(world), 1 / largestStretch(inverse)];
    if (!(smallest > 0 && largest < Number.POSITIVE_INFINITY)) return;
    const views = pass.views.map(({ eyes }) => carryEyes(eyes, inverse, largest, smallest));
    const frusta = pass.planes.map((planes) => carrySides(planes, world));
    const shown: ShownCells = { starts: [], counts: [], numbers: 0 };
    for (let cell = 0; cell < firsts.length && shown.numbers < whole; cell++) {
      if (!frusta.some((sides) => isBetween(sides, boxes, 6 * cell))) continue;
      let level = least[cell].length;
      for (const eyes of views) level = Math.min(level, levelFor(least[cell], unitIn(eyes, boxes, 6 * cell), -1));
      const at = firsts[cell] + level;
      shown.starts.push(place + offsets[at]);
      shown.counts.push(of.counts[at]);
      shown.numbers += of.counts[at];
    }
    if (shown.numbers < whole) this.#bySlot.set(slot, shown);
  }

  /** Replaces each draw of a slot in cells by the draws of its cells. */
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

const inverse = /* @__PURE__ */ new Matrix4();

/** Size on the screen of a unit of a box, at the point of the box that is nearest to an eye. */
function unitIn(eyes: readonly Float64Array[], boxes: Float32Array, b: number): number {
  let largest = 0;
  for (let i = 0; i < eyes.length; i++) {
    const eye = eyes[i];
    const x = Math.min(Math.max(eye[0], boxes[b]), boxes[b + 3]);
    const y = Math.min(Math.max(eye[1], boxes[b + 1]), boxes[b + 4]);
    const z = Math.min(Math.max(eye[2], boxes[b + 2]), boxes[b + 5]);
    largest = Math.max(largest, unitAt(eye, x, y, z, 0));
  }
  return largest;
}

/** Carries the side planes of a view into the frame of a mesh, each followed by the size of its rounded terms. */
function carrySides(planes: Float64Array, { elements: e }: Matrix4): Float64Array {
  const sides = new Float64Array((VIEW_SIDES / 4) * 5);
  for (let p = 0, to = 0; p < VIEW_SIDES; p += 4) {
    const [x, y, z, constant] = planes.subarray(p, p + 4);
    for (let c = 0; c < 4; c++) sides[to++] = x * e[4 * c] + y * e[4 * c + 1] + z * e[4 * c + 2];
    sides[to - 1] += constant;
    sides[to++] = Math.abs(constant) + Math.abs(x * e[12]) + Math.abs(y * e[13]) + Math.abs(z * e[14]);
  }
  return sides;
}

/** False for a box that lies wholly outside of some plane. */
function isBetween(sides: Float64Array, boxes: Float32Array, b: number): boolean {
  for (let p = 0; p < sides.length; p += 5) {
    let [most, size] = [sides[p + 3], sides[p + 4]];
    for (let axis = 0; axis < 3; axis++) {
      const n = sides[p + axis];
      const [low, high] = [n * boxes[b + axis], n * boxes[b + 3 + axis]];
      most += Math.max(low, high);
      size += Math.max(Math.abs(low), Math.abs(high));
    }
    if (most < -VERTEX_ROUNDING * size) return false;
  }
  return true;
}
