import { type ThreeElements, useFrame } from '@react-three/fiber';
import { createElement, type ReactNode, useEffect, useState } from 'react';
import { Object3D } from 'three';
import type { AcceleratedScene } from '../render/accelerate.js';
import { checkBoolean } from '../scene/objects/checks.js';
import { Declarations } from './Declarations.js';
import { useNeededIndex } from './useSceneIndex.js';

/** Props of {@link Static}: those of an `<object3D>`, and `enabled`. */
export interface StaticProps extends Omit<ThreeElements['object3D'], 'args' | 'attach' | 'object'> {
  /** False for objects that move, within a `<Static>` or an `<Accelerated static>`. Default true. */
  enabled?: boolean;
  children?: ReactNode;
}

/**
 * Marks its children static: updates of the index skip them.
 *
 * Changes made by React show immediately: other props, elements that come or go. Changes made in any other way, by a
 * ref, an animation or `useFrame`, show after `index.touch(object)`.
 *
 * The children are put into an `Object3D`, which takes position, name and the like as props. Each frame compares its
 * elements with those of the last frame, which takes a small part of what an update of their objects takes. Without an
 * `<Accelerated>` in the canvas it does nothing, and warns once.
 *
 * Throws an Error outside of a canvas.
 *
 * @example
 * ```tsx
 * import { Accelerated, Static } from 'three-scene-index/react';
 *
 * export const World = () => (
 *   <Accelerated>
 *     <Static position={[0, 0, -20]}>
 *       <mesh />
 *     </Static>
 *   </Accelerated>
 * );
 * ```
 */
export function Static({ enabled = true, ...props }: StaticProps): ReactNode {
  checkBoolean(enabled, 'Static.enabled');
  const [object] = useState(() => new Object3D());
  useStatic(useNeededIndex('Static'), object, enabled);
  return createElement('primitive' as never, { ...props, object } as never);
}

/** Declares an object static in an index, or not, while the component is mounted. */
export function useStatic(index: AcceleratedScene | null, object: Object3D, isStatic: boolean): void {
  useEffect(() => {
    // A component that is mounted as another index comes has rendered with the one before.
    if (index?.has(index.root)) return Declarations.of(index).add(object, isStatic);
  }, [index, object, isStatic]);
  useFrame(() => {
    if (index !== null && isStatic) Declarations.of(index).look(object);
  });
}
