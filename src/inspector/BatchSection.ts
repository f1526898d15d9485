import type { Object3D } from 'three';
import { Item } from 'three/addons/inspector/ui/Item.js';
import type { UnbatchedReport } from '../explain/report.js';
import { button, inCount, wide } from './widgets.js';

/** How many reasons are shown, the most frequent. */
const MOST_REASONS = 12;

/** What is not drawn in batches, and why; a click on a reason explains an example. */
export class BatchSection {
  readonly item: Item = new Item('Not in batches', '');
  readonly #select: (object: Object3D) => void;
  readonly #list = document.createElement('div');
  #shown = '';

  /** @param select Called with the object that is to be explained. */
  constructor(select: (object: Object3D) => void) {
    this.#select = select;
    this.item.itemRow.classList.add('no-hover');
    this.item.add(wide(this.#list));
  }

  /** @param rows The report of now. */
  show(rows: readonly UnbatchedReport[]): void {
    const shown = rows.map(({ count, reason, advice }) => `${count} ${reason} ${advice}`).join();
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#list.replaceChildren(
      ...rows.slice(0, MOST_REASONS).map(({ count, reason, example, advice }) => {
        // It may leave the scene while the list is shown.
        const ref = new WeakRef(example);
        const row = button(`${inCount(count)}: ${reason}`, () => {
          const object = ref.deref();
          if (object !== undefined) this.#select(object);
        });
        row.title = advice;
        Object.assign(row.style, { display: 'block', width: '100%', textAlign: 'left', whiteSpace: 'normal' });
        return row;
      }),
    );
  }
}
