import { type Camera, Euler, Vector3 } from 'three';

const KEYS: Record<string, [right: number, up: number, back: number]> = {
  KeyW: [0, 0, -1],
  ArrowUp: [0, 0, -1],
  KeyS: [0, 0, 1],
  ArrowDown: [0, 0, 1],
  KeyA: [-1, 0, 0],
  ArrowLeft: [-1, 0, 0],
  KeyD: [1, 0, 0],
  ArrowRight: [1, 0, 0],
  KeyE: [0, 1, 0],
  PageUp: [0, 1, 0],
  KeyQ: [0, -1, 0],
  PageDown: [0, -1, 0],
};
const LOOK = 0.0035;
const STEEPEST = 1.5;

const euler = new Euler(0, 0, 0, 'YXZ');
const wish = new Vector3();
const lift = new Vector3();
const UP = new Vector3(0, 1, 0);

/** Flying or walking by keys, mouse and fingers. */
export class FlyControls {
  /** Units a second. */
  speed = 10;
  /** Moves horizontally, even when looking up or down. */
  walks = false;
  /** Moves a position back to where the player may be. */
  confine: (position: Vector3) => void = () => {};
  readonly #body: Camera;
  readonly #onTakeOver: () => void;
  readonly #keys = new Set<string>();
  readonly #pointers = new Map<number, { x: number; y: number }>();
  readonly #velocity = new Vector3();
  #fast = false;

  constructor(body: Camera, pane: HTMLElement, onTakeOver: () => void) {
    this.#body = body;
    this.#onTakeOver = onTakeOver;
    addEventListener('keydown', (event) => this.#keyDown(event));
    addEventListener('keyup', (event) => this.#keys.delete(event.code));
    addEventListener('blur', () => this.#keys.clear());
    pane.addEventListener('pointerdown', (event) => {
      pane.focus({ preventScroll: true });
      pane.setPointerCapture(event.pointerId);
      this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    pane.addEventListener('pointermove', (event) => this.#pointerMove(event));
    for (const type of ['pointerup', 'pointercancel'] as const) {
      pane.addEventListener(type, (event) => this.#pointers.delete(event.pointerId));
    }
    pane.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
  }

  /** Moves according to the keys held. */
  fly(seconds: number): void {
    wish.set(0, 0, 0);
    for (const code of this.#keys) {
      const [right, up, back] = KEYS[code]!;
      wish.x += right;
      wish.y += up;
      wish.z += back;
    }
    wish.normalize().multiplyScalar(this.speed * (this.#fast ? 3 : 1));
    // Speed approaches its target exponentially, so it does not depend on the frame rate.
    this.#velocity.lerp(wish, 1 - Math.exp(-9 * seconds));
    if (this.#velocity.lengthSq() < 1e-8 * this.speed) return;
    this.#move(this.#velocity.x * seconds, this.#velocity.y * seconds, this.#velocity.z * seconds);
  }

  #keyDown(event: KeyboardEvent): void {
    this.#fast = event.shiftKey;
    // A card that is focused has taken its own.
    if (event.defaultPrevented || !(event.code in KEYS) || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = event.target as HTMLElement;
    // Arrows scroll what scrolls.
    if (at.closest('input, select, textarea, aside, dialog, [role=group]')) return;
    // In the other view these keys pan.
    if (event.code.startsWith('Arrow') && at.id === 'above') return;
    event.preventDefault();
    this.#keys.add(event.code);
    this.#onTakeOver();
  }

  #pointerMove(event: PointerEvent): void {
    const last = this.#pointers.get(event.pointerId);
    if (!last) return;
    const x = event.clientX - last.x;
    const y = event.clientY - last.y;
    if (x === 0 && y === 0) return;
    if (this.#pointers.size === 1) {
      this.#onTakeOver();
      this.#turn(x * LOOK, y * LOOK);
    } else {
      this.#onTakeOver();
      const other = [...this.#pointers].find(([id]) => id !== event.pointerId)![1];
      const before = Math.hypot(last.x - other.x, last.y - other.y);
      const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      const step = 0.006 * this.speed;
      // Both fingers send events, so each counts half.
      this.#move((-x * step) / 2, (y * step) / 2, -(after - before) * step);
    }
    last.x = event.clientX;
    last.y = event.clientY;
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    this.#onTakeOver();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    this.#move(0, 0, Math.max(-240, Math.min(240, event.deltaY * lines)) * 0.003 * this.speed);
  }

  #turn(right: number, down: number): void {
    euler.setFromQuaternion(this.#body.quaternion);
    euler.y += right;
    euler.x = Math.max(-STEEPEST, Math.min(STEEPEST, euler.x + down));
    euler.z = 0;
    this.#body.quaternion.setFromEuler(euler);
  }

  #move(right: number, up: number, back: number): void {
    const { position, quaternion } = this.#body;
    wish.set(right, 0, back);
    if (this.walks) wish.applyAxisAngle(UP, euler.setFromQuaternion(quaternion).y);
    else wish.applyQuaternion(quaternion).add(lift.set(0, up, 0));
    this.confine(position.add(wish));
  }
}
