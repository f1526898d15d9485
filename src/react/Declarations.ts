import type { Object3D } from 'three';
import type { AcceleratedScene } from '../render/accelerate.js';
import { StaticElements } from './StaticElements.js';

const byIndex = new WeakMap<AcceleratedScene, Declarations>();

/** What components declare static in one index, or not static. Of several around an object the nearest counts. */
export class Declarations {
  readonly #index: AcceleratedScene;
  /** By object, its elements where it is static; null where it is not. */
  readonly #declared = new Map<Object3D, StaticElements | null>();

  private constructor(index: AcceleratedScene) {
    this.#index = index;
  }

  static of(index: AcceleratedScene): Declarations {
    let declarations = byIndex.get(index);
    if (declarations === undefined) {
      declarations = new Declarations(index);
      byIndex.set(index, declarations);
    }
    return declarations;
  }

  /** Declares an object and all below it; returns what ends that. */
  add(object: Object3D, isStatic: boolean): () => void {
    const elements = isStatic ? new StaticElements(this.#index, object) : null;
    this.#declared.set(object, elements);
    this.#apply(object);
    return () => {
      elements?.end();
      if (this.#declared.get(object) !== elements) return;
      this.#declared.delete(object);
      // False once the index is disposed of.
      if (this.#index.has(object)) this.#apply(object);
    };
  }

  /** Looks at what React did to a static object. Call it once a frame, before the picture. */
  look(object: Object3D): void {
    if (this.#index.has(object)) this.#declared.get(object)?.look();
  }

  /** Marks an object and all below it, by what is declared of it, or else above it, and below it. */
  #apply(top: Object3D): void {
    let declaring: Object3D | null = top;
    while (declaring !== null && !this.#declared.has(declaring)) declaring = declaring.parent;
    this.#index.setStatic(top, declaring !== null && this.#isStatic(declaring));
    const below = [...this.#declared.keys()].filter((object) => object !== top && depthBelow(object, top) > 0);
    below.sort((a, b) => depthBelow(a, top) - depthBelow(b, top));
    for (const object of below) this.#index.setStatic(object, this.#isStatic(object));
  }

  #isStatic(object: Object3D): boolean {
    return this.#declared.get(object) !== null;
  }
}

/** How many levels an object lies below another one; 0 when it does not. */
function depthBelow(object: Object3D, top: Object3D): number {
  let depth = 0;
  for (let o: Object3D | null = object; o !== null; o = o.parent) {
    if (o === top) return depth;
    depth++;
  }
  return 0;
}
