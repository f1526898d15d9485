import type { SceneIndex } from '../../src/index.js';
import { NodeTree } from '../measure/NodeTree.js';

/** The nodes of the index in use as a tree, which is made anew when the index has changed and somebody asks for it. */
export class CurrentNodes {
  #index: SceneIndex | null = null;
  #tree: NodeTree | null = null;
  #version = -1;

  open(index: SceneIndex | null): void {
    this.#index = index;
    this.#tree = null;
    this.#version = -1;
  }

  /** The tree that was made last; its nodes may be gone from the index. */
  get last(): NodeTree | null {
    return this.#tree;
  }

  /** Whether the index has changed since. */
  get isStale(): boolean {
    return this.#index !== null && this.#index.version !== this.#version;
  }

  get tree(): NodeTree | null {
    if (this.#index && this.isStale) {
      this.#tree = new NodeTree(this.#index);
      this.#version = this.#index.version;
    }
    return this.#tree;
  }
}
