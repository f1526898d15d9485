import type { RootStore } from '@react-three/fiber';
import { useEffect, useRef } from 'react';
import type { Scene } from 'three';
import type { SpatialIndex } from '../contract/SpatialIndex.js';
import type { StructureName } from '../contract/structureNames.js';
import type { AccelerateOptions } from '../render/AccelerateOptions.js';
import { type AcceleratedScene, accelerate } from '../render/accelerate.js';
import { CanvasEvents } from './CanvasEvents.js';
import { IndexSlot } from './IndexSlot.js';
import { loadStructure } from './loadStructure.js';
import { canvasOf, scenesAround } from './scenes.js';

/** How a scene is accelerated. */
export interface AccelerationProps extends Omit<AccelerateOptions, 'index'> {
  /**
   * The structure of the index: a name, one of `STRUCTURES`, whose code is loaded while the default serves, or an empty
   * index of your own making, for its options; such a one serves one canvas. Default `'packed'`.
   */
  structure?: StructureName | SpatialIndex;
  /** Has the pointer events of fiber go through the index: the same events in less time. Default true. */
  events?: boolean;
  /**
   * Called with the index when the scene has been accelerated; may return what is to be called before it is disposed. The
   * place for `index.setStatic` and the like.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a function of a user's need not return anything
  onIndex?: (index: AcceleratedScene) => (() => void) | void;
}

/** Accelerates the scene of a store while it is mounted. */
export function Acceleration({ store, ...props }: AccelerationProps & { store: RootStore }): null {
  const current = useRef<RunningAcceleration | null>(null);
  const latest = useRef(props);
  // Effects, not layout effects: these are undone while something in the canvas suspends.
  useEffect(() => {
    latest.current = props;
    current.current?.follow(props);
  });
  const { structure: _, onIndex: __, batch, ...others } = props;
  const [scene] = scenesAround(store);
  // What takes an acceleration anew.
  const settings = Object.entries({ ...others, ...(typeof batch === 'object' ? batch : null) })
    .sort()
    .flat();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the settings are in one string
  useEffect(() => {
    const running = new RunningAcceleration(scene, store, latest.current);
    current.current = running;
    return () => {
      current.current = null;
      running.end();
    };
  }, [scene, store, settings.join()]);
  return null;
}

/** An acceleration with what belongs to it. */
class RunningAcceleration {
  readonly #scene: Scene;
  readonly #index: AcceleratedScene;
  #structure: StructureName | SpatialIndex = 'packed';
  #isBatched: boolean;
  /** What ends the parts of it, the last one first. */
  readonly #ends: (() => void)[] = [];

  constructor(scene: Scene, store: RootStore, { structure, events = true, onIndex, ...options }: AccelerationProps) {
    const slot = IndexSlot.of(scene);
    if (slot.index !== null) throw new Error('Accelerated: another <Accelerated> accelerates this scene already');
    this.#scene = scene;
    this.#isBatched = isBatch(options.batch);
    const own = typeof structure === 'object' ? { index: structure } : null;
    this.#index = accelerate(scene, { ...options, ...own });
    if (own !== null) this.#structure = own.index;
    this.#ends.push(() => this.#index.dispose());
    try {
      this.#use(structure);
      if (events) this.#ends.push(CanvasEvents.of(canvasOf(store)).goThrough(this.#index));
      slot.index = this.#index;
      this.#ends.push(() => {
        slot.index = null;
      });
      const leave = onIndex?.(this.#index);
      if (leave) this.#ends.push(leave);
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** Takes over what the index can follow. */
  follow({ structure, batch }: AccelerationProps): void {
    this.#use(structure);
    if (isBatch(batch) !== this.#isBatched) {
      this.#isBatched = isBatch(batch);
      this.#index.batch(this.#scene, this.#isBatched);
    }
  }

  /** Moves the index to a structure; to one that is named once it is loaded, if it is still wanted then. */
  #use(structure: StructureName | SpatialIndex = 'packed'): void {
    if (structure === this.#structure) return;
    if (typeof structure === 'object') {
      this.#index.setIndex(structure);
    } else {
      void loadStructure(structure).then((index) => {
        if (this.#structure === structure && this.#ends.length > 0) this.#index.setIndex(index);
      });
    }
    this.#structure = structure;
  }

  /** @throws what a callback has thrown, once all is ended. */
  end(): void {
    const failures: unknown[] = [];
    for (const end of this.#ends.splice(0).reverse()) {
      try {
        end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

function isBatch(batch: AccelerationProps['batch']): boolean {
  return batch !== undefined && batch !== false;
}
