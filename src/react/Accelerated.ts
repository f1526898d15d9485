import { context, type RootStore } from '@react-three/fiber';
import { createElement, Fragment, type ReactNode, useContext, useEffect, useRef } from 'react';
import type { Scene } from 'three';
import { type SpatialIndex, STRUCTURES, type StructureName } from '../contract/SpatialIndex.js';
import { inWords, refuseName } from '../core/options.js';
import type { AccelerateOptions } from '../render/AccelerateOptions.js';
import { type AcceleratedScene, accelerateFor } from '../render/accelerate.js';
import { partsOf } from '../scene/SceneIndex.js';
import { sendThroughIndex } from './pointerEvents.js';

/**
 * Props of {@link Accelerated}: the options of `accelerate`, and some for components.
 *
 * @example
 * ```tsx
 * import { Accelerated, type AcceleratedProps } from 'three-scene-index/react';
 *
 * const props: AcceleratedProps = { batch: true, structure: 'bvh' };
 * const world = (
 *   <Accelerated {...props}>
 *     <mesh />
 *   </Accelerated>
 * );
 * ```
 */
export interface AcceleratedProps extends Omit<AccelerateOptions, 'structure'> {
  /**
   * The structure of the index, by name or as an empty index. Default `'packed'`. Another named structure is loaded on
   * demand, and `'packed'` serves until then. An index of your own, for its options, serves one canvas.
   */
  structure?: StructureName | SpatialIndex;
  /**
   * Sends fiber's pointer events through the index: identical events in less time. Default true. Pass false if the
   * canvas has event handlers of its own: the component would replace them.
   */
  events?: boolean;
  /**
   * Called with the index when the scene has been accelerated. Call `index.setStatic` and the like in it. It may return
   * a function, which is called before the index is disposed.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a user's function need not return anything
  onIndex?: (index: AcceleratedScene) => (() => void) | void;
  children?: ReactNode;
}

/**
 * Accelerates the scene around the component, for as long as the component is mounted.
 *
 * Rendering, raycasters and pointer events then use an index; pictures, hits and events stay identical. The scene is
 * the scene of the canvas or, in a portal such as drei's `View` and `Hud` make, the scene of the portal. Works with or
 * without children. `useSceneIndex` returns the index anywhere in the canvas.
 *
 * Changes of `structure`, of `levels.maxError`, and setting or unsetting `batch` apply to the present index. Any other
 * change accelerates the scene anew, and calls `onIndex` with a new index. If you call `accelerate` for the scene
 * yourself, that index takes over: hooks have no index then, until this component is mounted again.
 *
 * Throws the errors of `accelerate` for invalid options, and an Error outside of a canvas, or if another
 * `<Accelerated>` is in the scene.
 *
 * @example
 * ```tsx
 * import { Canvas } from '@react-three/fiber';
 * import { Accelerated } from 'three-scene-index/react';
 *
 * export const App = () => (
 *   <Canvas>
 *     <Accelerated batch />
 *     <mesh />
 *   </Canvas>
 * );
 * ```
 */
export function Accelerated({ children, ...props }: AcceleratedProps): ReactNode {
  const store = useContext(context);
  if (!store) throw new Error('Accelerated: must be inside a <Canvas>');
  return createElement(Fragment, null, children, createElement(SceneAcceleration, { ...props, store }));
}

/** Props that `accelerate` does not know as options. */
const OWN_PROPS = ['events', 'onIndex', 'children'];

function SceneAcceleration({ store, ...props }: AcceleratedProps & { store: RootStore }): null {
  const current = useRef<RunningAcceleration | null>(null);
  const latest = useRef(props);
  // Effects, not layout effects: layout effects are undone while something in the canvas suspends.
  useEffect(() => {
    latest.current = props;
    current.current?.follow(props);
  });
  const { structure: _, onIndex: __, onChange: ___, batch, levels, ...others } = props;
  const [scene] = scenesAround(store);
  // A change of any setting in `settings` needs a new acceleration.
  const { maxError: ____, ...leveling } = typeof levels === 'object' ? levels : {};
  const given = { ...others, ...(typeof batch === 'object' ? batch : null), levels: !!levels, ...leveling };
  const settings = Object.entries(given).sort().flat();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the settings are in one string
  useEffect(() => {
    const running = new RunningAcceleration(scene, store, latest.current, () => latest.current.onChange?.());
    current.current = running;
    return () => {
      current.current = null;
      running.end();
    };
  }, [scene, store, settings.join()]);
  return null;
}

class RunningAcceleration {
  readonly #scene: Scene;
  readonly #index: AcceleratedScene;
  #structure: StructureName | SpatialIndex = 'packed';
  #isBatched: boolean;
  /** True after the index was disposed of, by this object or by a call of `accelerate` for the scene. */
  #isOver = false;
  #leave: (() => void) | undefined;

  constructor(scene: Scene, store: RootStore, props: AcceleratedProps, onChange: () => void) {
    const { structure, events = true, onIndex, onChange: given, ...options } = props;
    if (indexOf(scene) !== null) throw new Error('Accelerated: another <Accelerated> already accelerates this scene');
    this.#scene = scene;
    this.#isBatched = isBatchOn(options.batch);
    const own = typeof structure === 'object' ? { structure } : null;
    const changed = (): void => {
      store.getState().invalidate();
      onChange();
    };
    // Any other value of `onChange` is refused with the other options.
    const next = given === undefined || typeof given === 'function' ? changed : given;
    this.#index = accelerateFor('Accelerated', scene, { ...options, ...own, onChange: next }, OWN_PROPS);
    if (own !== null) this.#structure = own.structure;
    try {
      this.#use(structure);
      const canvas = canvasOf(store);
      // A portal's scene gets its events from the canvas around it.
      const isOfCanvas = canvas.getState().scene === scene;
      const leaveEvents = events && isOfCanvas ? sendThroughIndex(canvas, this.#index) : () => {};
      provide(scene, this.#index);
      // `accelerate` may be called for the scene, and then disposes of this index.
      partsOf(this.#index, 'Accelerated').onDispose(() => {
        this.#isOver = true;
        leaveEvents();
        if (indexOf(scene) === this.#index) provide(scene, null);
      });
      const leave = onIndex?.(this.#index);
      if (leave) this.#leave = leave;
    } catch (error) {
      this.end();
      throw error;
    }
  }

  follow({ structure, batch, levels }: AcceleratedProps): void {
    if (this.#isOver) return;
    this.#use(structure);
    // Undefined stands for the default.
    if (levels) this.#index.maxError = (levels === true ? undefined : levels.maxError) as number;
    if (isBatchOn(batch) !== this.#isBatched) {
      this.#isBatched = isBatchOn(batch);
      this.#index.batch(this.#scene, this.#isBatched);
    }
  }

  /** Moves the index to a structure; to a named structure when it is loaded, if it is still wanted then. */
  #use(structure: StructureName | SpatialIndex = 'packed'): void {
    if (structure === this.#structure) return;
    if (typeof structure === 'object') {
      this.#index.setStructure(structure);
    } else {
      void loadStructure(structure).then((index) => {
        if (this.#structure === structure && !this.#isOver) this.#index.setStructure(index);
      });
    }
    this.#structure = structure;
  }

  /** @throws the error of the callback, once everything has ended. */
  end(): void {
    try {
      this.#leave?.();
    } finally {
      this.#index.dispose();
    }
  }
}

function isBatchOn(batch: AcceleratedProps['batch']): boolean {
  return batch !== undefined && batch !== false;
}

/** By scene the index that a component provides for it; listeners, called when an index comes or goes anywhere. */
const indices = new WeakMap<Scene, AcceleratedScene>();
const listeners = new Set<() => void>();

export function indexOf(scene: Scene): AcceleratedScene | null {
  return indices.get(scene) ?? null;
}

function provide(scene: Scene, index: AcceleratedScene | null): void {
  if (index === null) indices.delete(scene);
  else indices.set(scene, index);
  for (const listener of [...listeners]) listener();
}

/** Calls a listener whenever an index comes or goes; returns a function that ends the calls. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The scenes around a component in a canvas, innermost first: scenes of portals, and last the scene of the canvas. */
export function scenesAround(store: RootStore): Scene[] {
  const scenes: Scene[] = [];
  for (let layer: RootStore | undefined = store; layer !== undefined; layer = layer.getState().previousRoot) {
    // A portal may lead to any object.
    const { scene } = layer.getState();
    if (scene.isScene && !scenes.includes(scene)) scenes.push(scene);
  }
  return scenes;
}

/** The store of the canvas around a portal, or of the canvas itself. */
function canvasOf(store: RootStore): RootStore {
  const { previousRoot } = store.getState();
  return previousRoot === undefined ? store : canvasOf(previousRoot);
}

/** Each structure is a chunk of its own, so a page loads only the structures that it names. */
const LOADERS: Readonly<Record<StructureName, () => Promise<SpatialIndex>>> = {
  bruteForce: async () => new (await import('../trees/BruteForce.js')).BruteForce(),
  bvh: async () => new (await import('../trees/bvh/Bvh.js')).Bvh(),
  grid: async () => new (await import('../trees/grid/Grid.js')).Grid(),
  looseOctree: async () => new (await import('../trees/octree/octrees.js')).LooseOctree(),
  octree: async () => new (await import('../trees/octree/octrees.js')).Octree(),
  quadtree: async () => new (await import('../trees/octree/octrees.js')).Quadtree(),
  packed: async () => new (await import('../packed/Packed.js')).Packed(),
};

/**
 * Loads a structure by name, and makes an empty index with its defaults.
 * @throws TypeError or RangeError, at once, for a name that is not one of {@link STRUCTURES}.
 */
function loadStructure(name: StructureName): Promise<SpatialIndex> {
  if (typeof name !== 'string') {
    throw new TypeError(`Accelerated.structure: must be a name or an index, got ${inWords(name)}`);
  }
  if (!STRUCTURES.includes(name)) {
    refuseName(name, STRUCTURES, 'Accelerated.structure', 'structure');
  }
  return LOADERS[name]();
}
