import type { Vector2 } from 'three';
import { locate } from '../../../control/Pointer.js';

/** Shorter drags, in pixels, are clicks. */
const LEAST = 4;

/** Rectangles drawn on a pane, with Shift held or while `armed`. It stops the events of these drags. */
export class RegionDrag {
  armed = false;
  readonly #pane: HTMLElement;
  readonly #onDrag: (from: Vector2, to: Vector2) => void;
  readonly #onClick: (at: Vector2) => void;
  #dragged = false;
  #start: PointerEvent | null = null;

  /**
   * @param onDrag Called with both corners, from -1 to 1, whenever the pointer moves.
   * @param onClick Called for a press without a drag.
   */
  constructor(pane: HTMLElement, onDrag: (from: Vector2, to: Vector2) => void, onClick: (at: Vector2) => void) {
    this.#pane = pane;
    this.#onDrag = onDrag;
    this.#onClick = onClick;
    pane.addEventListener('pointerdown', (event) => this.#down(event), { capture: true });
    pane.addEventListener('pointermove', (event) => this.#move(event), { capture: true });
    for (const type of ['pointerup', 'pointercancel'] as const) {
      pane.addEventListener(type, (event) => this.#up(event), { capture: true });
    }
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary || !(event.shiftKey || this.armed)) return;
    // Not for presses on buttons that overlay the pane.
    if (event.target !== this.#pane) return;
    event.stopImmediatePropagation();
    this.#pane.focus({ preventScroll: true });
    this.#pane.setPointerCapture(event.pointerId);
    this.#start = event;
    this.#dragged = false;
  }

  #move(event: PointerEvent): void {
    const start = this.#start;
    if (!start || event.pointerId !== start.pointerId) return;
    event.stopImmediatePropagation();
    if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) >= LEAST) this.#dragged = true;
    if (!this.#dragged) return;
    this.#onDrag(locate(this.#pane, start).ndc, locate(this.#pane, event).ndc);
  }

  #up(event: PointerEvent): void {
    if (!this.#start || event.pointerId !== this.#start.pointerId) return;
    event.stopImmediatePropagation();
    if (!this.#dragged && event.type === 'pointerup') this.#onClick(locate(this.#pane, event).ndc);
    this.#start = null;
  }
}
