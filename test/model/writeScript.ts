import { random } from '../helpers/random.js';
import { VARIANTS } from '../helpers/variants.js';
import type { Edit, EditScript } from './EditScript.js';
import { MAINTENANCE, type Maintain, type Maintenance } from './maintenance.js';
import { type Box, randomBox } from './randomBox.js';
import { ALL, STORIES } from './stories.js';

/**
 * A script from a seed. Most are about a few items, as faults need no more; some about hundreds, as kernels do. In some all
 * items move or most go at a time, and in some maintenance follows each edit.
 */
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
  const masses = [0, 0.03, 0.2][upTo(3)];
  const maintenance = [0, 0.3, 1][upTo(3)];
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
    } else edits.push({ do: 'remove', item: upTo(1000), count: count - most, atOnce: next() < 0.5, probe: probe() });
    items = kind === 0 ? count : most;
  }
  if (masses > 0 && kind % 4 === 3) {
    edits.push(...STORIES[(kind >> 2) % STORIES.length](probe()));
    items = most = 100;
    length = edits.length + 30;
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
    if (items > 0 && next() < masses) {
      const edit = massEdit(next, world, item, probe());
      if (edit.do === 'thin') items = Math.ceil(items / edit.of);
      if (edit.do === 'ladder') items += edit.count;
      // A drift takes many steps.
      for (let left = isDrift(edit) ? 1 + upTo(40) : 1; left > 0; left--) edits.push({ ...edit, probe: probe() });
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
      grow({ do: 'remove', item, count, atOnce: next() < 0.4, probe: probe() }, -count);
    } else if (what < 0.7) {
      const reach = [0.01, 0.25, 2][upTo(3)];
      const by = [0, 0, 0].map(() => (next() < 0.3 ? 0 : Math.round((next() - 0.5) * reach * 64) / 64));
      edits.push({ do: 'moveBy', item, by: next() < 0.5 ? by : by.map((c) => c * 1.1), probe: probe() });
    } else if (what < 0.9) edits.push({ do: 'update', item, box: box(), probe: probe() });
    else if (what < 0.98) edits.push({ do: 'updateAll', item, boxes: list(12), probe: probe() });
    else {
      const name = next() < 0.2 ? 'clear' : everyday[upTo(everyday.length)];
      edits.push({ do: 'maintenance', name, probe: probe() });
      if (name === 'clear') items = 0;
    }
  }
  for (const edit of edits) if (next() < maintenance) edit.maintenance ??= maintains[upTo(maintains.length)];
  return { structure, edits };
}

/** An edit of all items, or of some in a row. */
function massEdit(next: () => number, world: number, item: number, seed: number): Edit {
  const pick = <T>(values: T[]): T => values[Math.floor(next() * values.length)];
  const some = { item, count: next() < 0.7 ? ALL : 1 + Math.floor(next() * 8), atOnce: next() < 0.4, probe: seed };
  const way = pick([0.25, 2, 12, world, 1e4]);
  return pick<() => Edit>([
    () => ({ do: 'thin', item, of: pick([2, 10, 25]), atOnce: next() < 0.5, probe: seed }),
    () => ({ do: 'thin', item, of: 10, atOnce: next() < 0.5, probe: seed }),
    () => ({ do: 'migrate', by: [0, 0, 0].map(() => (next() < 0.5 ? way : (next() - 0.5) * way)), ...some }),
    () => ({ do: 'translate', item, by: [0, 0, 0].map(() => (next() - 0.5) * way), probe: seed }),
    () => ({ do: 'scatter', world: world * pick([1e-3, 1, 1, 1e3]), seed, ...some }),
    () => ({ do: 'scale', by: pick([1e-3, 0.99, 1.01, 1.01, 1e3]), ...some }),
    () => ({
      do: 'ladder',
      count: pick([3, 20, 60]),
      by: pick([2, 2.01, 8, 1e3]),
      axis: Math.floor(next() * 3),
      probe: seed,
    }),
  ])();
}

function isDrift(edit: Edit): boolean {
  return edit.do === 'migrate' || (edit.do === 'scale' && Math.abs(edit.by - 1) < 0.1);
}

const maintains: Maintain[] = ['maintain', 'maintainBriefly', 'maintainShortly'];
const everyday = (Object.keys(MAINTENANCE) as Maintenance[]).filter((name) => name !== 'clear');
