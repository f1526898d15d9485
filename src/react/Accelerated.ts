import { context } from '@react-three/fiber';
import { createElement, Fragment, type ReactNode, useContext } from 'react';
import { type AccelerationProps, SceneAcceleration } from './SceneAcceleration.js';

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
export interface AcceleratedProps extends AccelerationProps {
  children?: ReactNode;
}

/**
 * Accelerates the scene it is in, for as long as it is mounted.
 *
 * Rendering, raycasters and pointer events then use an index; pictures, hits and events stay identical. The scene is
 * that of the canvas or, in a portal into another scene such as drei's `View` and `Hud` make, that one. Works with or
 * without children. `useSceneIndex` returns the index anywhere in the canvas.
 *
 * Changes of `structure`, and of whether `batch` is set, apply to the present index. Any other change accelerates the
 * scene anew, and calls `onIndex` with a new index. If you call `accelerate` for the scene yourself, that index takes
 * over: hooks have no index then, until this component is mounted again.
 *
 * Throws what `accelerate` throws for invalid options, and an Error outside of a canvas, or where another
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
