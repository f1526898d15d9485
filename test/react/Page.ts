import { _roots, act, type RootState } from '@react-three/fiber';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

/** Pictures of the display after which something that is waited for will never be. */
const PATIENCE = 1000;

/** A page with React in it, of a fixed size. */
export class Page {
  readonly element: HTMLDivElement = document.createElement('div');
  readonly #root = createRoot(this.element);

  constructor() {
    Object.assign(this.element.style, { width: '120px', height: '120px' });
    document.body.append(this.element);
  }

  async render(children: ReactNode): Promise<void> {
    await act(async () => this.#root.render(children));
  }

  /** Waits for what fiber does in its own time: measuring, rendering, disposing. */
  async until(isSo: () => unknown): Promise<void> {
    for (let picture = 0; !isSo(); picture++) {
      if (picture > PATIENCE) throw new Error(`never: ${isSo}`);
      await act(() => new Promise<void>((done) => requestAnimationFrame(() => done())));
    }
  }

  /** Waits for that many pictures. */
  async pictures(count: number): Promise<void> {
    let left = count;
    await this.until(() => left-- <= 0);
  }

  /** The states of the canvases in the page, in its order. */
  get states(): RootState[] {
    return [...this.element.querySelectorAll('canvas')].flatMap((canvas) => _roots.get(canvas)?.store.getState() ?? []);
  }

  async close(): Promise<void> {
    await act(async () => this.#root.unmount());
    this.element.remove();
  }
}
