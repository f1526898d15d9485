/** A view, in arrays with room for what a crowd can put into it. */
interface View {
  now: Int32Array;
  before: Int32Array;
  count: number;
  readonly entered: Int32Array;
  readonly left: Int32Array;
  enteredCount: number;
  leftCount: number;
}

/** The grid that one writes for points on a square: typed arrays, items sorted by cells in each tick, views told by marks. */
export class FlatGrid {
  readonly views: View[];
  readonly #cell: number;
  readonly #width: number;
  readonly #radius: number;
  readonly #far: number;
  readonly #starts: Int32Array;
  readonly #next: Int32Array;
  readonly #cellOf: Int32Array;
  readonly #ids: Int32Array;
  readonly #xs: Float64Array;
  readonly #zs: Float64Array;
  readonly #marks: Int32Array;
  #mark = 0;
  inView = 0;

  constructor(observers: number, items: number, edge: number, radius: number, hysteresis: number) {
    this.#cell = radius / 2;
    this.#width = Math.ceil(edge / this.#cell) + 1;
    this.#radius = radius;
    this.#far = radius * (1 + hysteresis);
    this.#starts = new Int32Array(this.#width ** 2 + 1);
    this.#next = new Int32Array(this.#width ** 2);
    [this.#cellOf, this.#ids, this.#marks] = [0, 1, 2].map(() => new Int32Array(items));
    [this.#xs, this.#zs] = [0, 1].map(() => new Float64Array(items));
    const list = (): Int32Array => new Int32Array(1024);
    this.views = Array.from({ length: observers }, () => {
      return { now: list(), before: list(), count: 0, entered: list(), left: list(), enteredCount: 0, leftCount: 0 };
    });
  }

  /** Returns how many have entered or left views. */
  tick(boxes: Float64Array): number {
    this.#sort(boxes);
    const every = Math.floor(this.#ids.length / this.views.length);
    let events = 0;
    this.inView = 0;
    for (let n = 0; n < this.views.length; n++) {
      this.#look(this.views[n], n * every, boxes);
      events += this.views[n].enteredCount + this.views[n].leftCount;
      this.inView += this.views[n].count;
    }
    return events;
  }

  #sort(boxes: Float64Array): void {
    const starts = this.#starts.fill(0);
    for (let i = 0; i < this.#ids.length; i++) {
      const cell = Math.floor(boxes[6 * i + 2] / this.#cell) * this.#width + Math.floor(boxes[6 * i] / this.#cell);
      this.#cellOf[i] = cell;
      starts[cell + 1]++;
    }
    for (let cell = 0; cell + 1 < starts.length; cell++) {
      starts[cell + 1] += starts[cell];
      this.#next[cell] = starts[cell];
    }
    for (let i = 0; i < this.#ids.length; i++) {
      const place = this.#next[this.#cellOf[i]]++;
      this.#ids[place] = i;
      this.#xs[place] = boxes[6 * i];
      this.#zs[place] = boxes[6 * i + 2];
    }
  }

  #look(view: View, own: number, boxes: Float64Array): void {
    const [ids, xs, zs, marks] = [this.#ids, this.#xs, this.#zs, this.#marks];
    const [x, z] = [boxes[6 * own], boxes[6 * own + 2]];
    const [near, far] = [this.#radius ** 2, this.#far ** 2];
    const { entered, left } = view;
    const [before, now] = [view.now, view.before];
    const had = view.count;
    this.#mark += 2;
    const mark = this.#mark;
    let [count, enters, leaves] = [0, 0, 0];
    for (let i = 0; i < had; i++) marks[before[i]] = mark;
    const cellOf = (at: number): number => Math.min(this.#width - 1, Math.max(0, Math.floor(at / this.#cell)));
    const [x0, x1] = [cellOf(x - this.#far), cellOf(x + this.#far)];
    for (let row = cellOf(z - this.#far); row <= cellOf(z + this.#far); row++) {
      const end = this.#starts[row * this.#width + x1 + 1];
      for (let k = this.#starts[row * this.#width + x0]; k < end; k++) {
        const dx = xs[k] - x;
        const dz = zs[k] - z;
        const d = dx * dx + dz * dz;
        if (d > far) continue;
        const id = ids[k];
        const isKnown = marks[id] === mark;
        if (id === own || (!isKnown && d > near)) continue;
        now[count++] = id;
        if (isKnown) marks[id] = mark + 1;
        else entered[enters++] = id;
      }
    }
    for (let i = 0; i < had; i++) if (marks[before[i]] === mark) left[leaves++] = before[i];
    [view.now, view.before, view.count] = [now, before, count];
    [view.enteredCount, view.leftCount] = [enters, leaves];
  }
}
