import type { Counters } from '../contract/SpatialIndex.js';
import { Lazy } from '../core/Lazy.js';
import type { PackedRows } from './PackedRows.js';
import type { SimdPacked } from './SimdPacked.js';

/** State shared by the queries of one index: its rows, its counters, and the kernel that does their work faster. */
export class PackedQueryState implements Counters {
  nodesVisited = 0;
  itemsTested = 0;
  /** A private field, as users get this object as `counters`, with its two numbers. */
  readonly #rows: PackedRows;
  #testedBefore = 0;
  #kernel: SimdPacked | null = null;

  constructor(rows: PackedRows) {
    this.#rows = rows;
  }

  get rows(): PackedRows {
    return this.#rows;
  }

  /** Items tested so far by all queries and joins. */
  get tested(): number {
    return this.#testedBefore + this.itemsTested;
  }

  beginQuery(): void {
    this.#testedBefore += this.itemsTested;
    this.nodesVisited = this.itemsTested = 0;
  }

  /** Null until the code of the kernels has loaded. */
  get kernel(): SimdPacked | null {
    const code = this.#kernel === null ? kernels() : null;
    if (code !== null) this.#kernel = new code.SimdPacked(this.#rows, this);
    return this.#kernel;
  }
}

type Kernels = Pick<typeof import('./SimdPacked.js'), 'SimdPacked'>;

const chunk = /* @__PURE__ */ new Lazy<Kernels>(async () => {
  const code = await import('./SimdPacked.js');
  await code.prepareKernel();
  return code;
});
let kernels = (): Kernels | null => chunk.get();

/** Makes the code of kernels available to all indices, without loading a chunk. */
export function bringKernels(code: Kernels): void {
  kernels = () => code;
}
