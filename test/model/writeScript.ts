import { random } from '../helpers/random.js';
import { VARIANTS } from '../helpers/variants.js';
import type { Edit, EditScript } from './EditScript.js';
import { type Box, randomBox } from './randomBox.js';
import { UPKEEP, type Upkeep } from './upkeep.js';

/** A script from a seed. Most are about a few items, as faults need no more; some about hundreds, as kernels do. */
export function writeScript(seed: number, structure: string): EditScript {
  const next = random(seed);
  const upTo = (n: number): number => Math.floor(next() * n);
  const probe = (): number => upTo(2 ** 31);
  const edits: Edit[] = [];
  const world = [6, 24, 80][upTo(3)];
  const box = (): Box => randomBox(next, world);
  const list = (most: number): Box[] => {
    const length = 1 + upTo(most);
    return next() < 0.15 ? new Array<Box>(length).fill(box()) : Array.from({ length }, box);
  };
  const kind = upTo(60);
  let most = [3, 8, 16, 50][upTo(4)];
  let length = 150 + upTo(250);
  let items = 0;
  const grow = (edit: Edit, count: number): void => {
    edits.push(edit);
    items += count;
  };
  if (kind < 3) {
    // What a tree has grown to it keeps until it is built anew: then kernels walk a small world as well.
    const count = 600 + upTo(1200);
    grow({ do: 'crowd', count, seed: probe(), probe: probe() }, count);
    if (kind === 0) {
      most = 2000;
      length = 20;
    } else edits.push({ do: 'remove', item: upTo(1000), count: count - most, probe: probe() });
    items = kind === 0 ? count : most;
  }
  let home = structure;
  let untilSwap = 20 + upTo(200);
  while (edits.length < length) {
    const item = upTo(1000);
    if (untilSwap-- === 0) {
      const away = VARIANTS[upTo(VARIANTS.length)].label;
      home = home === structure ? away : structure;
      untilSwap = home === structure ? 40 + upTo(300) : 5 + upTo(25);
      edits.push({ do: 'swap', to: home, atOnce: next() < 0.7, probe: probe() });
      continue;
    }
    const what = next();
    // Until there are many, more come than go, and the other way round.
    if (items === 0 || what < (items < most ? 0.25 : 0.1)) {
      if (next() < 0.8) {
        grow({ do: 'add', box: box(), probe: probe() }, 1);
        continue;
      }
      const boxes = list(Math.min(20, most));
      grow({ do: 'addAll', boxes, probe: probe() }, boxes.length);
    } else if (what < 0.4) {
      const count = next() < 0.8 ? 1 : Math.min(items, 1 + upTo(12));
      grow({ do: 'remove', item, count, probe: probe() }, -count);
    } else if (what < 0.7) {
      const reach = [0.01, 0.25, 2][upTo(3)];
      const by = [0, 0, 0].map(() => (next() < 0.3 ? 0 : Math.round((next() - 0.5) * reach * 64) / 64));
      edits.push({ do: 'moveBy', item, by: next() < 0.5 ? by : by.map((c) => c * 1.1), probe: probe() });
    } else if (what < 0.9) edits.push({ do: 'update', item, box: box(), probe: probe() });
    else if (what < 0.98) edits.push({ do: 'updateAll', item, boxes: list(12), probe: probe() });
    else {
      const name = next() < 0.2 ? 'clear' : everyday[upTo(everyday.length)];
      edits.push({ do: 'upkeep', name, probe: probe() });
      if (name === 'clear') items = 0;
    }
  }
  return { structure, edits };
}

const everyday = (Object.keys(UPKEEP) as Upkeep[]).filter((name) => name !== 'clear');
