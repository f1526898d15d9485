import { createIndex, enableSimd, type SpatialIndex } from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { VARIANTS } from '../helpers/variants.js';
import { checkNear } from './checkNear.js';
import type { Edit, EditScript } from './EditScript.js';
import { MAINTENANCE } from './maintenance.js';
import { type Box, commonBox } from './randomBox.js';
import { Truth } from './Truth.js';

/** Says at which edit a script went wrong, and how. */
export class ScriptFailure extends Error {
  readonly step: number;

  constructor(step: number, cause: unknown) {
    super(`step ${step}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.step = step;
  }
}

/**
 * Does all edits to an index and to the truth, and compares them after each.
 * @param isSparse Among many items, compares after some edits only: a fault shows a few steps later as well.
 */
export function runScript({ structure, edits }: EditScript, isSparse = false): void {
  const truth = new Truth();
  let index = create(structure);
  const before = enableSimd(true);
  try {
    edits.forEach((edit, step) => {
      try {
        const { version } = index;
        let near: Box;
        if (edit.do === 'swap') {
          const from = index;
          index = create(edit.to);
          near = moveOver(from, index, truth, edit.atOnce, edit.probe);
        } else {
          near = apply(edit, index, truth);
          // Maintenance may find nothing to do, and of an empty index nothing can be updated or removed.
          const isChange = edit.do !== 'maintenance' && near !== NOWHERE;
          if (isChange && index.version <= version) throw new Error('the version has not grown');
        }
        if (edit.maintenance !== undefined) MAINTENANCE[edit.maintenance](index);
        const isLooked = !isSparse || truth.boxes.size <= MANY || step % SELDOM === 0 || step === edits.length - 1;
        if (isLooked) checkNear(index, truth, near, edit.probe);
      } catch (cause) {
        throw new ScriptFailure(step, cause);
      }
    });
  } finally {
    // Kernels are few; a cleared index gives its own back.
    index.clear();
    enableSimd(before);
  }
}

/** More items than that are many, and so seldom they are compared then. */
const MANY = 40;
const SELDOM = 5;
const NOWHERE: Box = [0, 0, 0, 1, 1, 1];
/** Nothing grows beyond this. */
const MOST = 1e100;
const { POSITIVE_INFINITY: EVER } = Number;

/** Changes both; returns a box near which something changed. */
function apply(edit: Exclude<Edit, { do: 'swap' }>, index: SpatialIndex, truth: Truth): Box {
  const { boxes } = truth;
  switch (edit.do) {
    case 'add':
      truth.add(index, edit.box);
      return edit.box;
    case 'addAll':
      truth.addAll(index, edit.boxes);
      return edit.boxes[edit.boxes.length - 1];
    case 'crowd': {
      const next = random(edit.seed);
      const crowd = Array.from({ length: edit.count }, () => commonBox(next, 80));
      if (edit.endless) for (const box of crowd) Object.assign(box, { 1: -EVER, 4: EVER });
      if (edit.oneByOne) for (const box of crowd) truth.add(index, box);
      else truth.addAll(index, crowd);
      return crowd[crowd.length - 1];
    }
    case 'ladder':
      for (let i = 0; i < edit.count; i++) {
        const point = [0, 1, 2, 0, 1, 2].map((axis) => (axis === edit.axis ? edit.by ** i : 0));
        truth.add(index, point);
      }
      return boxes.get(truth.pick(boxes.size - 1)) as Box;
    case 'maintenance':
      MAINTENANCE[edit.name](index);
      if (edit.name === 'clear') boxes.clear();
      return boxes.size > 0 ? (boxes.get(truth.pick(edit.probe)) as Box) : NOWHERE;
  }
  if (boxes.size === 0) return NOWHERE;
  const first = truth.pick(edit.item);
  const old = boxes.get(first) as Box;
  switch (edit.do) {
    case 'update':
      truth.update(index, first, edit.box);
      return edit.probe & 1 ? old : edit.box;
    case 'moveBy': {
      const moved = old.map((c, i) => c + edit.by[i % 3]);
      truth.update(index, first, moved);
      return moved;
    }
    case 'updateAll': {
      const ids = edit.boxes.map((_, i) => truth.pick(edit.item + i));
      truth.updateAll(index, ids, edit.boxes);
      return edit.probe & 1 ? old : edit.boxes[0];
    }
    case 'remove':
      if (edit.atOnce) truth.removeAll(index, inARow(truth, edit));
      else for (let left = edit.count; left > 0 && boxes.size > 0; left--) truth.remove(index, truth.pick(edit.item));
      return old;
    case 'thin':
      return boxes.size > 1 ? thin(index, truth, edit.item % edit.of, edit) : NOWHERE;
    case 'migrate':
      return changeEach(index, truth, edit, (box) => box.map((c, i) => c + edit.by[i % 3]));
    case 'translate':
      index.translate(edit.by[0], edit.by[1], edit.by[2]);
      for (const [id, box] of boxes)
        boxes.set(
          id,
          box.map((c, i) => c + edit.by[i % 3]),
        );
      return boxes.get(first) as Box;
    case 'scale':
      return changeEach(index, truth, edit, (box) => box.map((c) => scaled(c, edit.by)));
    case 'scatter': {
      const next = random(edit.seed);
      return changeEach(index, truth, edit, () => commonBox(next, edit.world));
    }
  }
}

/** Removes all items but one for so many; one stays in any case. */
function thin(index: SpatialIndex, truth: Truth, first: number, { of, atOnce }: { of: number; atOnce?: boolean }): Box {
  const all = [...truth.boxes.keys()];
  const gone = all.filter((_, i) => i % of !== first);
  if (gone.length === all.length) gone.pop();
  if (gone.length === 0) return NOWHERE;
  const near = truth.boxes.get(gone[gone.length - 1]) as Box;
  if (atOnce) truth.removeAll(index, gone);
  else for (const id of gone) truth.remove(index, id);
  return near;
}

/** Ids of items in a row, all if there are no more. */
function inARow({ boxes }: Truth, { item, count }: { item: number; count: number }): number[] {
  const all = [...boxes.keys()];
  return Array.from({ length: Math.min(count, all.length) }, (_, i) => all[(item + i) % all.length]);
}

/** Gives items in a row other boxes; returns one of the new ones. */
function changeEach(
  index: SpatialIndex,
  truth: Truth,
  some: { item: number; count: number; atOnce: boolean; probe: number },
  change: (box: Box) => Box,
): Box {
  const { atOnce, probe } = some;
  const ids = inARow(truth, some);
  const boxes = ids.map((id) => change(truth.boxes.get(id) as Box));
  if (atOnce) truth.updateAll(index, ids, boxes);
  else for (const [i, id] of ids.entries()) truth.update(index, id, boxes[i]);
  return boxes[probe % boxes.length];
}

/** A coordinate times a number, but no farther out than it is or than distances can be told. */
function scaled(c: number, by: number): number {
  const most = Math.max(MOST, Math.abs(c));
  return Math.max(-most, Math.min(most, c * by));
}

function moveOver(from: SpatialIndex, to: SpatialIndex, truth: Truth, atOnce: boolean, probe: number): Box {
  const boxes = [...truth.boxes.keys()].map((id) => [...from.getBox(id)]);
  truth.boxes.clear();
  from.clear();
  if (boxes.length === 0) return NOWHERE;
  if (atOnce) truth.addAll(to, boxes);
  else for (const box of boxes) truth.add(to, box);
  return boxes[probe % boxes.length];
}

function create(label: string): SpatialIndex {
  const variant = VARIANTS.find((v) => v.label === label);
  if (!variant) throw new Error(`no structure ${label}`);
  return createIndex(variant.name, variant.options);
}
