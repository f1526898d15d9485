import { Vector2 } from 'three';

/** Pixels that a pointer may travel between down and up: a hand is not steady, and a drag is longer. */
const SLACK = 5;

/** Tells of clicks on a canvas, which are no drags. Whoever else listens there gets all events as before. */
export class CanvasClicks {
  readonly #canvas: HTMLElement;
  readonly #clicked: (point: Vector2) => void;
  #down: PointerEvent | null = null;

  /** @param clicked Called with the point in normalised device coordinates. */
  constructor(canvas: HTMLElement, clicked: (point: Vector2) => void) {
    this.#canvas = canvas;
    this.#clicked = clicked;
    // Before those of the user's, which may stop events.
    for (const type of EVENTS) canvas.addEventListener(type, this.#heard, { capture: true, passive: true });
  }

  dispose(): void {
    for (const type of EVENTS) this.#canvas.removeEventListener(type, this.#heard, { capture: true });
  }

  readonly #heard = (event: PointerEvent): void => {
    const down = this.#down;
    this.#down = null;
    if (event.type === 'pointerdown') {
      if (event.isPrimary && event.button === 0) this.#down = event;
      return;
    }
    if (event.type !== 'pointerup' || down === null || event.pointerId !== down.pointerId) return;
    if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > SLACK) return;
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    const x = (2 * (event.clientX - left)) / width - 1;
    this.#clicked(new Vector2(x, 1 - (2 * (event.clientY - top)) / height));
  };
}

const EVENTS = ['pointerdown', 'pointerup', 'pointercancel'] as const;
