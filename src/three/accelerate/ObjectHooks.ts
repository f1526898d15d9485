import type { Layers, Object3D } from 'three';

/** What is told of visits to an object, and may show other children to the visitor. */
export interface Interceptor {
  /** The layers of the object were tested against others, and they meet or do not. */
  tested(layers: Layers, isMet: boolean): void;
  /** The children are read: those to show, or null for the real ones. */
  read(): Object3D[] | null;
}

const interceptions = new WeakMap<Object3D, Interception>();
const tests = new WeakMap<Layers, LayersTest>();

/**
 * Stands for all who intercept visits to one object: the gates of which it is the root, and the cloaks that gates of
 * objects above it put on. They may come and go in any order; with the last of them the object is as it was.
 */
export class Interception {
  /** The real children. */
  children: Object3D[];
  readonly #object: Object3D;
  readonly #interceptors: Interceptor[] = [];
  #layers: Layers;

  private constructor(object: Object3D) {
    this.#object = object;
    this.children = object.children;
    this.#layers = object.layers;
    LayersTest.watch(this.#layers, this);
    try {
      Object.defineProperty(object, 'children', {
        configurable: true,
        enumerable: true,
        get: () => this.#read(),
        set: (children: Object3D[]) => {
          this.children = children;
        },
      });
    } catch (error) {
      // An object that was sealed keeps its children.
      LayersTest.unwatch(this.#layers, this);
      throw error;
    }
  }

  /** Has an interceptor told of visits. */
  static add(object: Object3D, interceptor: Interceptor): Interception {
    let interception = interceptions.get(object);
    if (interception === undefined) {
      interception = new Interception(object);
      interceptions.set(object, interception);
    }
    interception.#interceptors.push(interceptor);
    return interception;
  }

  remove(interceptor: Interceptor): void {
    const place = this.#interceptors.indexOf(interceptor);
    if (place < 0) return;
    this.#interceptors.splice(place, 1);
    if (this.#interceptors.length > 0) return;
    LayersTest.unwatch(this.#layers, this);
    const { children } = this;
    const plain = { configurable: true, enumerable: true, writable: true, value: children };
    Object.defineProperty(this.#object, 'children', plain);
    interceptions.delete(this.#object);
  }

  /** Goes over to the layers that the object has now, if others were put in their place. */
  renew(): void {
    const { layers } = this.#object;
    if (layers === this.#layers) return;
    LayersTest.unwatch(this.#layers, this);
    this.#layers = layers;
    LayersTest.watch(layers, this);
  }

  tested(layers: Layers, isMet: boolean): void {
    for (const interceptor of this.#interceptors) interceptor.tested(layers, isMet);
  }

  #read(): Object3D[] {
    let shown: Object3D[] | null = null;
    // A cloak, which hides what a list has already, goes before a gate, which would list it once more.
    for (const interceptor of this.#interceptors) {
      const children = interceptor.read();
      if (children !== null && (shown === null || children.length === 0)) shown = children;
    }
    return shown ?? this.children;
  }
}

/** The `test` of layers, which objects may share, with all who are to be told of it. */
class LayersTest {
  readonly #watchers = new Set<Interception>();
  readonly #test: Layers['test'];
  /** The method that the layers had as their own. */
  readonly #own: PropertyDescriptor | undefined;

  private constructor(layers: Layers) {
    const before = layers.test;
    this.#own = Object.getOwnPropertyDescriptor(layers, 'test');
    this.#test = (other) => {
      const isMet = before.call(layers, other);
      for (const watcher of this.#watchers) watcher.tested(other, isMet);
      return isMet;
    };
    Object.defineProperty(layers, 'test', { configurable: true, writable: true, value: this.#test });
  }

  static watch(layers: Layers, watcher: Interception): void {
    let test = tests.get(layers);
    if (test === undefined) {
      test = new LayersTest(layers);
      tests.set(layers, test);
    }
    test.#watchers.add(watcher);
  }

  static unwatch(layers: Layers, watcher: Interception): void {
    const test = tests.get(layers) as LayersTest;
    test.#watchers.delete(watcher);
    if (test.#watchers.size > 0) return;
    tests.delete(layers);
    if (layers.test !== test.#test) return;
    delete (layers as Partial<Layers>).test;
    if (test.#own !== undefined) Object.defineProperty(layers, 'test', test.#own);
  }
}
