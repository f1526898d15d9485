import type { ObserverOptions } from '../../src/interest.js';

type Box = readonly number[];

/** An item, as the same object for as long as it lives. */
export interface TrueItem {
  id: number;
  box: Box;
  mask: number;
  /** Of its own, or null. */
  range: number | null;
}

/** What an observer sees, by a test of each item. */
export class TrueView {
  readonly options: ObserverOptions;
  readonly own: TrueItem | null;
  readonly phase: number;
  position: number[];
  seen: Set<TrueItem> = new Set();
  due: Set<TrueItem> = new Set();
  entered: number[] = [];
  left: number[] = [];
  replaced: number[] = [];

  constructor(options: ObserverOptions, own: TrueItem | null, phase: number) {
    this.options = options;
    this.own = own;
    this.phase = phase;
    this.position = [...Array.from(options.position ?? [0, 0, 0])];
  }

  look(items: ReadonlySet<TrueItem>, tick: number): void {
    const { every = 1, nearRadius = 0, most = Number.POSITIVE_INFINITY, mask = -1 } = this.options;
    if (this.own !== null && items.has(this.own)) {
      const { box } = this.own;
      this.position = [0, 1, 2].map((c) => box[c] / 2 + box[c + 3] / 2);
    }
    const before = this.seen;
    const isFull = (tick + this.phase) % every === 0;
    const isNear = (item: TrueItem): boolean => this.#distance(item) <= nearRadius;
    const belongs = (item: TrueItem): boolean => {
      if (item === this.own || (item.mask & mask) === 0) return false;
      if (!isFull && before.has(item)) return true;
      return (isFull || isNear(item)) && this.#reaches(item, before.has(item));
    };
    const all = [...items].filter(belongs);
    const order = (item: TrueItem): number => (item.range === Number.POSITIVE_INFINITY ? -1 : this.#distance(item));
    all.sort((a, b) => order(a) - order(b) || a.id - b.id);
    this.seen = new Set(all.slice(0, most));
    this.due = new Set([...this.seen].filter((item) => isFull || isNear(item)));
    this.entered = [...this.seen].filter((item) => !before.has(item)).map(({ id }) => id);
    this.left = [...before].filter((item) => !this.seen.has(item)).map(({ id }) => id);
    this.replaced = this.left.filter((id) => this.entered.includes(id));
  }

  #reaches(item: TrueItem, isInView: boolean): boolean {
    const { radius, halfSize, hysteresis = 0 } = this.options;
    const more = isInView ? 1 + hysteresis : 1;
    if (item.range !== null) return this.#distance(item) <= item.range * more;
    if (radius !== undefined) return this.#distance(item) <= radius * more;
    return this.position.every(
      (p, c) => item.box[c] <= p + (halfSize?.[c] ?? 0) * more && item.box[c + 3] >= p - (halfSize?.[c] ?? 0) * more,
    );
  }

  #distance({ box }: TrueItem): number {
    // Not by `hypot`, which may round the distances of two items that are equally far away differently.
    return Math.sqrt(this.position.reduce((sum, p, c) => sum + Math.max(box[c] - p, p - box[c + 3], 0) ** 2, 0));
  }
}
