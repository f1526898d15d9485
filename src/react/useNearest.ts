import { addAfterEffect } from '@react-three/fiber';
import { type RefObject, useEffect, useState } from 'react';
import { type Object3D, Vector3 } from 'three';
import type { SceneIndex } from '../scene/SceneIndex.js';
import { useSceneIndex } from './useSceneIndex.js';

/** What a ref holds after each rendering of the component, which is rendered again when that is something else. */
export function useCurrent<T>(ref: RefObject<T | null>): T | null {
  const [current, setCurrent] = useState<T | null>(null);
  useEffect(() => setCurrent(ref.current));
  return current;
}

const NONE: readonly Object3D[] = [];

/**
 * The objects of the accelerated scene whose bounds are nearest to the position of an object, nearest first; not itself, nor
 * what is below it. None while there is no index. The component is rendered again when others are nearest, or in another
 * order, once a frame at most.
 * @param object A ref of the object, which need not be drawn.
 * @param count How many at most, a whole number from 1.
 * @param maxDistance How far away at most, in world units. Default any distance.
 * @throws Error outside of a canvas, TypeError or RangeError for numbers that are not legal.
 */
export function useNearest(
  object: RefObject<Object3D | null>,
  count: number,
  maxDistance: number = Number.POSITIVE_INFINITY,
): readonly Object3D[] {
  const index = useSceneIndex();
  const centre = useCurrent(object);
  const [nearest, setNearest] = useState(NONE);
  useEffect(() => {
    if (index === null || centre === null) return;
    const search = new NearestSearch(index, centre, count, maxDistance);
    let known = NONE;
    const look = (): void => {
      // A frame may come between the end of the index and that of this effect.
      if (!index.has(index.root)) return;
      const found = search.run();
      if (found.length === known.length && found.every((one, i) => one === known[i])) return;
      known = found;
      setNearest(found);
    };
    look();
    const stop = addAfterEffect(look);
    return () => {
      stop();
      setNearest(NONE);
    };
  }, [index, centre, count, maxDistance]);
  return nearest;
}

/** Searches around an object, again only after it or the index has changed. */
class NearestSearch {
  readonly #index: SceneIndex;
  readonly #centre: Object3D;
  readonly #count: number;
  readonly #maxDistance: number;
  readonly #from = new Vector3();
  #version = Number.NaN;
  #found: readonly Object3D[] = NONE;

  constructor(index: SceneIndex, centre: Object3D, count: number, maxDistance: number) {
    this.#index = index;
    this.#centre = centre;
    this.#count = count;
    this.#maxDistance = maxDistance;
  }

  run(): readonly Object3D[] {
    const position = new Vector3().setFromMatrixPosition(this.#centre.matrixWorld);
    // The index would throw, in each frame. What is NaN is near to nothing, as the index leaves out objects that are.
    if (Number.isNaN(position.x + position.y + position.z)) return NONE;
    const { version } = this.#index;
    if (version === this.#version && position.equals(this.#from)) return this.#found;
    this.#version = version;
    this.#from.copy(position);
    this.#found = this.#search();
    return this.#found;
  }

  /** Asks for ever more, until enough of them are not part of the object. */
  #search(): Object3D[] {
    for (let asked = this.#count; ; asked *= 2) {
      const found = this.#index.nearest(this.#from, asked, this.#maxDistance);
      const others = found.map(({ object }) => object).filter((object) => !isWithin(object, this.#centre));
      if (others.length >= this.#count || found.length < asked) return others.slice(0, this.#count);
    }
  }
}

function isWithin(object: Object3D, top: Object3D): boolean {
  let above: Object3D | null = object;
  while (above !== null && above !== top) above = above.parent;
  return above === top;
}
