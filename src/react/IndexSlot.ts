import type { Scene } from 'three';
import type { AcceleratedScene } from '../render/accelerate.js';

const slots = new WeakMap<Scene, IndexSlot>();

/** The index of a scene, as long as a component provides one. */
export class IndexSlot {
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

  /** Calls a listener whenever the index comes or goes; returns what ends that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
