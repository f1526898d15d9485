import { Vector2 } from 'three';

/** A press that moves farther than this, or lasts longer, is a drag. */
const CLICK_PIXELS = 5;
const CLICK_MILLISECONDS = 600;

export interface PointerAt {
  pane: HTMLElement;
  /** From -1 to 1, as three's raycaster wants it. */
  ndc: Vector2;
  /** Pixels within the stage. */
  x: number;
  y: number;
}

/** Where the pointer is, over which pane, and what counts as a click. */
export class Pointer {
  /** Null while the pointer is elsewhere, dragging, or not a mouse. */
  hover: PointerAt | null = null;
  #down: { x: number; y: number; time: number; id: number } | null = null;

  /** @param onClick Told of clicks, and of Enter as a click in the middle of the pane. */
  constructor(panes: HTMLElement[], onClick: (at: PointerAt, byKey: boolean) => void) {
    for (const pane of panes) {
      pane.addEventListener('pointermove', (event) => {
        const pressed = event.buttons !== 0;
        this.hover = event.pointerType === 'mouse' && !pressed ? locate(pane, event) : null;
      });
      pane.addEventListener('pointerleave', () => {
        this.hover = null;
      });
      pane.addEventListener('pointerdown', (event) => {
        // With a second finger it is a gesture, not a click.
        const { clientX: x, clientY: y, timeStamp: time, pointerId: id } = event;
        this.#down = event.isPrimary && event.button === 0 ? { x, y, time, id } : null;
      });
      pane.addEventListener('pointerup', (event) => {
        const down = this.#down;
        this.#down = null;
        if (!down || down.id !== event.pointerId || event.timeStamp - down.time > CLICK_MILLISECONDS) return;
        if (Math.hypot(event.clientX - down.x, event.clientY - down.y) > CLICK_PIXELS) return;
        onClick(locate(pane, event), false);
      });
      pane.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' && event.target === pane) onClick(locate(pane, middleOf(pane)), true);
      });
    }
  }
}

function middleOf(pane: HTMLElement): { clientX: number; clientY: number } {
  const { left, top, width, height } = pane.getBoundingClientRect();
  return { clientX: left + width / 2, clientY: top + height / 2 };
}

/** Where an event lies in a pane. */
export function locate(pane: HTMLElement, event: { clientX: number; clientY: number }): PointerAt {
  const { left, top, width, height } = pane.getBoundingClientRect();
  const x = event.clientX - left;
  const y = event.clientY - top;
  const ndc = new Vector2((2 * x) / width - 1, 1 - (2 * y) / height);
  return { pane, ndc, x: x + pane.offsetLeft, y: y + pane.offsetTop };
}
