import type { Scene } from 'three';
import type { AcceleratedScene } from '../three/accelerate/accelerate.js';

const slots = new WeakMap<Scene, IndexSlot>();

/** Who accelerates a scene, and how it begins; what that returns ends it. */
interface Holder {
  readonly isInside: boolean;
  begin(): () => void;
}

/** The index of a scene, as long as a component provides one. One inside of the canvas takes it over from one around it. */
export class IndexSlot {
  readonly #holders: Holder[] = [];
  #current: Holder | null = null;
  #end: (() => void) | null = null;
  #index: AcceleratedScene | null = null;
  readonly #listeners = new Set<() => void>();

  static of(scene: Scene): IndexSlot {
    let slot = slots.get(scene);
    if (slot === undefined) {
      slot = new IndexSlot();
      slots.set(scene, slot);
    }
    return slot;
  }

  get index(): AcceleratedScene | null {
    return this.#index;
  }

  set index(index: AcceleratedScene | null) {
    this.#index = index;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Has a listener called whenever the index comes or goes; returns what ends that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Takes the slot, at once or when it becomes free; returns what gives it up.
   * @throws Error when another component at the same side of the canvas has it, and what `begin` throws.
   */
  hold(holder: Holder): () => void {
    if (this.#holders.some(({ isInside }) => isInside === holder.isInside)) {
      throw new Error('Accelerated: another <Accelerated> accelerates this scene already');
    }
    this.#holders.push(holder);
    const release = (): void => {
      const place = this.#holders.indexOf(holder);
      if (place >= 0) this.#holders.splice(place, 1);
      this.#settle();
    };
    try {
      this.#settle();
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  #settle(): void {
    const next = this.#holders.find(({ isInside }) => isInside) ?? this.#holders[0] ?? null;
    if (next === this.#current) return;
    const end = this.#end;
    this.#current = this.#end = null;
    try {
      end?.();
    } finally {
      if (next !== null) {
        this.#end = next.begin();
        this.#current = next;
      }
    }
  }
}
