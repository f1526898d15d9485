/**
 * The grid that one writes for points on a square: typed arrays, items sorted by cells in each tick, views told by marks.
 * @returns a tick, which says how many are in view, and how many have entered or left views.
 */
export function flatGrid(observers: number, items: number, edge: number, radius: number, hysteresis: number) {
  const size = radius / 2;
  const width = Math.ceil(edge / size) + 1;
  const reach = radius * (1 + hysteresis);
  const [near, far] = [radius ** 2, reach ** 2];
  /** Where the items of each cell begin in `ids`. */
  const starts = new Int32Array(width ** 2 + 1);
  const [cells, ids, marks] = [0, 1, 2].map(() => new Int32Array(items));
  const [xs, zs] = [0, 1].map(() => new Float64Array(items));
  const views = Array.from({ length: observers }, () => ({ seen: new Int32Array(1024), count: 0 }));
  let spare = new Int32Array(1024);
  let mark = 0;

  function sort(boxes: Float64Array): void {
    starts.fill(0);
    for (let i = 0; i < items; i++) {
      cells[i] = Math.floor(boxes[6 * i + 2] / size) * width + Math.floor(boxes[6 * i] / size);
      starts[cells[i]]++;
    }
    // Ends, from which each item of a cell takes one: beginnings are left.
    for (let cell = 1; cell < starts.length; cell++) starts[cell] += starts[cell - 1];
    for (let i = 0; i < items; i++) {
      const place = --starts[cells[i]];
      ids[place] = i;
      xs[place] = boxes[6 * i];
      zs[place] = boxes[6 * i + 2];
    }
  }

  const cellOf = (at: number): number => Math.min(width - 1, Math.max(0, Math.floor(at / size)));

  function look(view: (typeof views)[0], own: number, x: number, z: number): number {
    const [before, had, now] = [view.seen, view.count, spare];
    mark++;
    let count = 0;
    let entered = 0;
    for (let i = 0; i < had; i++) marks[before[i]] = mark;
    const [x0, x1] = [cellOf(x - reach), cellOf(x + reach)];
    for (let row = cellOf(z - reach); row <= cellOf(z + reach); row++) {
      const end = starts[row * width + x1 + 1];
      for (let k = starts[row * width + x0]; k < end; k++) {
        const dx = xs[k] - x;
        const dz = zs[k] - z;
        const d = dx * dx + dz * dz;
        if (d > far) continue;
        const id = ids[k];
        const isKnown = marks[id] === mark;
        if (id === own || (!isKnown && d > near)) continue;
        now[count++] = id;
        if (!isKnown) entered++;
      }
    }
    [view.seen, view.count, spare] = [now, count, before];
    return entered + had - (count - entered);
  }

  return (boxes: Float64Array): [inView: number, events: number] => {
    sort(boxes);
    const every = Math.floor(items / observers);
    let [inView, events] = [0, 0];
    for (let n = 0, own = 0; n < observers; n++, own += every) {
      events += look(views[n], own, boxes[6 * own], boxes[6 * own + 2]);
      inView += views[n].count;
    }
    return [inView, events];
  };
}
